package viewer

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func TestTheFileOfAFilterIsOpenedOnceBesideTheWindow(t *testing.T) {
	var opened, closed atomic.Int32
	o := Options{OpenFile: func(_ context.Context, name string) (lazy.Dataset, error) {
		if name != "psf.tif" {
			return lazy.Dataset{}, errors.New("no such file")
		}
		opened.Add(1)
		set := *dataset(zyx("psf", lazy.F32, shape(3, 3, 3), func(z, y, x int) float64 { return 1 }))
		set.Close = func() error { closed.Add(1); return nil }
		return set, nil
	}}
	b := open(t, dataset(stack()), o)
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(AddFilter("richardson-lucy"))
	if f := b.Scene().Fault; f != nil { // a bell stands in for it
		t.Fatalf("without a PSF: %v", f)
	}
	b.Act(SetParam(0, "psf", "nowhere.tif"))
	b.until("the reason", func(*Frame, Report) bool {
		return b.Scene().Fault != nil && strings.Contains(b.Scene().Fault.Error(), "no such file")
	})
	b.Act(SetParam(0, "psf", "psf.tif"))
	if f := b.Scene().Fault; f == nil || !errors.Is(f, filters.ErrOpen) {
		t.Fatalf("before it is open: %v", f)
	}
	b.until("the filter", func(*Frame, Report) bool { return b.Scene().Fault == nil })
	b.settled()
	chain := b.Scene().Chain()
	if !strings.HasPrefix(chain, "richardson-lucy psf=psf.tif block=") || !strings.Contains(chain, " halo=") {
		t.Errorf("the chain is %q", chain)
	}
	b.Act(SetParam(0, "iterations", "3"))
	b.settled()
	b.Close()
	<-b.Closed()
	if opened.Load() != 1 || closed.Load() != 1 {
		t.Errorf("opened %d times and closed %d times", opened.Load(), closed.Load())
	}
}

// A PSF that is used as it is has the voxels of the finest level; one that is prepared, and a formula, follow the level.
func TestAPSFAsItIsIsForTheFinestLevel(t *testing.T) {
	o := Options{OpenFile: func(context.Context, string) (lazy.Dataset, error) {
		return *dataset(zyx("psf", lazy.F32, shape(1, 3, 3), func(_, y, x int) float64 { return float64(4 - y*y - x*x + 2*y + 2*x) })), nil
	}}
	b := open(t, dataset(zyx("wide", lazy.U16, shape(1, 256, 256), func(_, y, x int) float64 { return float64(x ^ y) })), o)
	b.Act(Resize(64, 64))
	b.Act(AddFilter("richardson-lucy"))
	b.settled()
	for _, c := range []struct {
		name, value string
		levels      int
	}{{"iterations", "2", 2}, {"psf", "psf.tif", 1}, {"prepare", "true", 2}} {
		b.Act(SetParam(0, c.name, c.value))
		b.until("the filter", func(*Frame, Report) bool { return b.Scene().Fault == nil })
		if n := len(b.Scene().Shown); n != c.levels {
			t.Errorf("with %s=%s there are %d levels, want %d", c.name, c.value, n, c.levels)
		}
	}
	b.settled()
}

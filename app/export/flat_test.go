package export

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/loaders"
)

// nowhere is a writer that keeps nothing, and ends the export after some cells.
type nowhere struct {
	left int
	most uint64 // bytes that the heap was ever seen to hold
}

var errEnough = errors.New("enough")

func (n *nowhere) Grid() lazy.Shape { return lazy.Shape{1, 16, 1, 256, 256} }

func (n *nowhere) Write(context.Context, *lazy.Block) error {
	if n.left--; n.left%16 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		n.most = max(n.most, m.HeapInuse)
	}
	if n.left == 0 {
		return errEnough
	}
	return nil
}

func (n *nowhere) Close() error { return nil }
func (n *nowhere) Abort()       {}

// A volume of 40 GB takes the memory of one of 40 MB: what is asked for is told from the budget, and the heap does not
// grow with what has been written.
func TestMemoryIsFlatInTheSizeOfTheVolume(t *testing.T) {
	const budget = 96 << 20
	chain, err := filters.Parse("sobel")
	if err != nil {
		t.Fatal(err)
	}
	var most [2]uint64
	for i, c := range []struct {
		source string
		cells  int
	}{
		{"sample:ones?shape=40x1024x1024&dtype=int8&chunk=16x256x256", 47},
		{"sample:ones?shape=40x32000x32000&dtype=int8&chunk=16x256x256", 160},
	} {
		a, err := chain.Apply(openSample(t, c.source).Levels[0].Array)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		w := &nowhere{left: c.cells}
		e := newEngine(t, budget)
		if _, err := Run(t.Context(), e, Job{Array: a, Region: a.Meta().Shape.Whole()}, w, nil); !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
		if peak := e.Counters().PeakBytes; peak > budget {
			t.Errorf("%s: %d bytes of blocks, the budget is %d", c.source, peak, budget)
		}
		most[i] = w.most
		e.Close()
	}
	if most[1] > 2*most[0]+budget {
		t.Errorf("the heap held up to %d MB for 40 MB of voxels, and %d MB for 40 GB", most[0]>>20, most[1]>>20)
	}
}

var _ loaders.Writer = (*nowhere)(nil)

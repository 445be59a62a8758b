package viewer

import (
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func ramp() formula {
	return zyx("sizes", lazy.U16, shape(4, 32, 32), func(z, y, x int) float64 { return float64(100*z + y + x) })
}

func TestASizeThatIsSaidReachesScaleBarFiltersAndWhatIsWritten(t *testing.T) {
	b := open(t, dataset(ramp()), Options{})
	b.Act(Resize(320, 320))
	b.settled()
	if sc := b.Scene(); sc.Calibrated(lazy.X) || !strings.HasSuffix(sc.Bar(b.State()).Label, "px") {
		t.Fatal("the file says nothing of sizes, and one is shown")
	}
	for _, a := range []lazy.Axis{lazy.Y, lazy.X} {
		b.Act(SetSize(a, 0.5))
	}
	b.Act(SetSize(lazy.Z, 2))
	if bar := b.Scene().Bar(b.State()); bar.Label != "2 µm" {
		t.Errorf("the scale bar says %q, a fifth of 16 µm is at most 2 µm of 1, 2, 5", bar.Label)
	}
	b.Act(SetChain(filters.Chain{{Filter: "gaussian", Args: []filters.Arg{{Name: "sigma", Value: "1um"}}}}))
	if got := b.Scene().Rows[0].Effective; !strings.HasPrefix(got, "0.5 x 2 x 2 voxels") {
		t.Errorf("1 µm is %q of voxels of 2, 0.5 and 0.5 µm", got)
	}
	m := b.Scene().Meta()
	if m.Scale != [lazy.Rank]float64{0, 2, 0, 0.5, 0.5} || m.Unit[lazy.Z] != "um" || m.Unit[lazy.X] != "um" {
		t.Errorf("what is written has %v %v", m.Scale, m.Unit)
	}
}

func TestAnEditIsMarkedAndUndone(t *testing.T) {
	b := open(t, dataset(microns(ramp(), 1, 0.1, 0.1)), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	edited := func() bool { return b.Scene().Edited(b.State()) }
	if edited() {
		t.Fatal("nothing was said, and it is marked")
	}
	b.Act(SetSize(lazy.Z, 0.3))
	if !edited() || b.Scene().Meta().Scale[lazy.Z] != 0.3 || b.Scene().FileSize(lazy.Z) != 1 {
		t.Errorf("said 0.3: scale %v, the file's %v", b.Scene().Meta().Scale, b.Scene().FileSize(lazy.Z))
	}
	b.Act(Rename(0, " nuclei\n"))
	if n := b.State().Channels[0].Name; n != "nuclei" {
		t.Errorf("the channel is %q", n)
	}
	b.Undo()
	b.Undo()
	if edited() || b.Scene().Meta().Scale[lazy.Z] != 1 {
		t.Errorf("undone, the scale is %v", b.Scene().Meta().Scale)
	}
	b.Redo()
	if !edited() || b.Scene().Meta().Scale[lazy.Z] != 0.3 {
		t.Errorf("done again, the scale is %v", b.Scene().Meta().Scale)
	}
	b.Act(SetSize(lazy.Z, 1))
	if edited() {
		t.Error("what the file says is marked as edited")
	}
	b.Act(SetSize(lazy.X, 0))
	if b.Scene().Calibrated(lazy.X) || !edited() {
		t.Error("a size that is said to be unknown is known")
	}
	b.Act(RestoreSize(lazy.X))
	b.Act(Rename(0, "cells"))
	b.Act(Rename(0, ""))
	if edited() {
		t.Error("restored, it is marked")
	}
	b.Act(SetSize(lazy.X, math.NaN()))
	b.Act(SetSize(lazy.C, 3))
	if edited() {
		t.Error("what is no size was taken")
	}
}

func TestAnEditReadsNothingAgainAndKeepsLevelsInPlace(t *testing.T) {
	fine := microns(ramp(), 1, 0.1, 0.1)
	coarse := microns(zyx("coarse", lazy.U16, shape(4, 16, 16), func(z, y, x int) float64 { return 0 }), 1, 0.2, 0.2)
	coarse.meta.Origin[lazy.Y], coarse.meta.Origin[lazy.X] = 0.05, 0.05
	sc, _ := scene(t, dataset(fine, coarse), 64, 64)
	var sizes Sizes
	sizes[lazy.Y], sizes[lazy.X] = Size{true, 4}, Size{true, 6}
	other, err := newScene(sc.Set, 0, sizes, nil, Slab{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range sc.Raw {
		if sc.Raw[l].Node().Hash != other.Raw[l].Node().Hash {
			t.Errorf("level %d has another name, so it would be read again", l)
		}
		a, b := sc.levelMap(l), other.levelMap(l)
		for ax := range lazy.Rank {
			if math.Abs(a.scale[ax]-b.scale[ax]) > 1e-9 || math.Abs(a.shift[ax]-b.shift[ax]) > 1e-9 {
				t.Errorf("level %d lies at %v, was at %v", l, b, a)
			}
		}
	}
	if m := other.Raw[1].Meta(); m.Scale[lazy.X] != 12 || m.Origin[lazy.X] != 3 {
		t.Errorf("level 1 has voxels of %v at %v, want 12 at 3", m.Scale[lazy.X], m.Origin[lazy.X])
	}
}

func TestSizesAreReadAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		axis lazy.Axis
		text string
		want float64 // 0 is unknown, -1 is refused
	}{
		{lazy.X, "0.25", 0.25}, {lazy.X, "250 nm", 0.25}, {lazy.X, "250nm", 0.25}, {lazy.Z, "1.5 mm", 1500}, {lazy.X, "0.5 µm", 0.5}, {lazy.X, "0.5 μm", 0.5},
		{lazy.X, "1e-1 um", 0.1}, {lazy.T, "2 s", 2}, {lazy.T, "5 min", 300}, {lazy.T, "40ms", 0.04}, {lazy.X, "", 0}, {lazy.X, " ? ", 0},
		{lazy.X, "0", -1}, {lazy.X, "-1", -1}, {lazy.X, "NaN", -1}, {lazy.X, "Inf", -1}, {lazy.X, "1e400", -1}, {lazy.X, "2 s", -1}, {lazy.T, "2 µm", -1}, {lazy.X, "wide", -1}, {lazy.X, "0,25", -1},
	} {
		v, err := ParseSize(c.axis, c.text)
		if (err != nil) != (c.want < 0) || err == nil && math.Abs(v-c.want) > 1e-12 {
			t.Errorf("%v %q: %v, %v", c.axis, c.text, v, err)
		}
	}
}

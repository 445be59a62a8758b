package viewer

import (
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

// doubled is a session whose chain doubles a ramp along x.
func doubled(t *testing.T) *bench {
	t.Helper()
	b := open(t, dataset(zyx("ramp", lazy.U16, shape(4, 20, 20), func(_, _, x int) float64 { return float64(10 * x) })), Options{})
	b.Act(Resize(100, 100))
	b.settled()
	b.Act(SetLimits(0, Limits{0, 200}))
	b.settled()
	chain, err := filters.Parse("stencil text=\"2*x\"")
	if err != nil {
		t.Fatal(err)
	}
	b.Act(SetChain(chain))
	b.settled()
	b.Act(SetLimits(0, Limits{0, 400}))
	b.settled()
	return b
}

// several is an image of two channels, a ramp along x and the same falling.
func several() *lazy.Dataset {
	f := formula{name: "several", value: func(i lazy.Index) float64 {
		if i[lazy.C] == 1 {
			return float64(190 - 10*i[lazy.X])
		}
		return float64(10 * i[lazy.X])
	}}
	f.meta = lazy.Meta{Shape: lazy.Shape{1, 1, 2, 20, 20}, Chunk: lazy.Shape{1, 1, 1, 20, 20}, DType: lazy.I16}
	return dataset(f)
}

// shows waits until voxel 10, 10 is of a grey, within one step of it.
func (b *bench) shows(what string, i int, grey uint8) {
	b.Helper()
	var got uint8
	b.until(what, func(*Frame, Report) bool {
		f := b.FrameOf(i)
		if f == nil || f.Stale || f.Partial {
			return false
		}
		got = colorAt(f, 10, 10)[0]
		return got >= grey-1 && got <= grey+1
	})
}

func TestTheStoredVoxelsStandBehindACurtainInTheirOwnLimits(t *testing.T) {
	b := doubled(t)
	const half = 127 // 100 of 0 to 200, doubled of 0 to 400
	b.Act(SetComparison(Curtain))
	if s := b.State(); s.Curtain != 0.5 || !s.Parted() || s.Panes() != 1 {
		t.Fatalf("the curtain hangs at %v", s.Curtain)
	}
	b.shows("the result", 0, half)
	b.shows("the stored voxels", 1, half)
	if f := b.Behind(); f == nil || f.Image.Rect != b.Frame().Image.Rect {
		t.Error("the picture behind the curtain is of another size")
	}
	before := b.engine.Counters().VoxelsOut
	b.Drag(MoveCurtain(0.9))
	b.Settle()
	b.until("the picture", func(f *Frame, r Report) bool { return !r.Busy })
	if after := b.engine.Counters().VoxelsOut; after != before {
		t.Errorf("moving the curtain asked for %d voxels", after-before)
	}
	b.Act(Arrange(ThreeUp))
	if b.State().Parted() || b.Behind() != nil {
		t.Error("three pictures have a curtain")
	}
}

func TestTheDifferenceHasZeroInTheMiddle(t *testing.T) {
	b := doubled(t)
	b.Act(SetComparison(Difference))  // is x itself, 0 to 190, so limits of -190 to 190
	b.shows("the difference", 0, 134) // 100 of 190 from black to an orange with a red of 255
	b.Act(Flip())
	if c := b.State().Compare; c != Result {
		t.Errorf("from the difference it flips to %d", c)
	}
	b.Act(Flip())
	b.shows("the stored voxels", 0, 127)
	b.Act(SetChain(nil))
	b.settled()
	if b.Scene().Comparable(b.State()) {
		t.Error("without filters there is something to compare")
	}
	b.shows("the stored voxels again", 0, 127)
}

// Of several channels a difference is the brighter in a channel's colour the more it is, and black where there is none.
func TestTheDifferenceOfSeveralChannelsIsBlackWhereThereIsNone(t *testing.T) {
	b := open(t, several(), Options{}) // x from 0 to 190, and 190 less x
	b.Act(Resize(100, 100))
	b.settled()
	b.Act(SetColor(0, [3]uint8{255, 0, 0}))
	b.Act(SetColor(1, [3]uint8{0, 255, 0}))
	b.Act(SetChain(parsed(t, `stencil text="2*x - 100"`))) // x less 100: at x = 10 no difference, at 0 and 19 much of one
	b.settled()
	b.Act(SetComparison(Difference))
	var got [3][3]uint8
	b.until("the difference", func(f *Frame, r Report) bool {
		for i, x := range []int{10, 0, 19} {
			got[i] = colorAt(f, x, 10)
		}
		return !r.Busy && !f.Stale && !f.Partial && f.State.Channels[0].Mirror && got[0][0] < 12
	})
	if got[1][0] < 240 || got[2][0] < 200 || got[1][1] < 200 || got[1][2] > 0 {
		t.Errorf("at x = 10, 0 and 19 it is %v", got)
	}
}

// Limits are those of what is seen: they are set for the difference alone, with zero in the middle.
func TestLimitsOfADifferenceAreItsOwn(t *testing.T) {
	b := doubled(t)
	b.Act(SetComparison(Difference))
	b.shows("the difference", 0, 134)
	if _, seen := b.Seen(); seen.Channels[0].Limits != (Limits{-190, 190}) || seen.Channels[0].LUT != "Blue/Orange" {
		t.Errorf("what is seen says %+v", seen.Channels[0])
	}
	b.Act(SetLimits(0, Limits{-190, 100}))
	b.shows("the difference, brighter", 0, 254)
	if _, seen := b.Seen(); seen.Channels[0].Limits != (Limits{-100, 100}) {
		t.Errorf("its limits are %v", seen.Channels[0].Limits)
	}
	if got := b.State().Channels[0]; got.Limits != (Limits{0, 400}) || got.LUT == "Blue/Orange" {
		t.Errorf("the result is shown as %+v", got)
	}
	b.Act(Automatic(0, Robust))
	b.shows("the difference in limits that are found", 0, 134)
	b.Act(SetComparison(Original))
	b.shows("the stored voxels", 0, 127)
	b.Act(SetLimits(0, Limits{0, 100}))
	b.shows("the stored voxels, brighter", 0, 254)
	b.Act(SetComparison(Result))
	b.settled()
	b.shows("the result as it was", 0, 127)
}

// A change of the limits of what the result is compared with is a step of its own: undone, the filters stay.
func TestLimitsOfWhatIsComparedAreUndone(t *testing.T) {
	for name, how := range map[string]Comparison{"the difference": Difference, "the stored voxels": Original} {
		b := doubled(t)
		b.Act(SetComparison(how))
		limits := func() Limits { _, seen := b.Seen(); return seen.Channels[0].Limits }
		b.until(name+" in limits that are found", func(f *Frame, r Report) bool {
			_, seen := b.Seen()
			return !r.Busy && !seen.Channels[0].Rule.Pending && limits().High > 100
		})
		found, chain := limits(), b.State().Chain.String()
		for _, high := range []float64{50, 60} { // one gesture
			b.Drag(SetLimits(0, Limits{-high, high}))
		}
		b.Settle()
		if !b.Undo() || limits() != found || b.State().Chain.String() != chain || b.State().Channels[0].Limits != (Limits{0, 400}) {
			t.Errorf("%s: undone, its limits are %v, want %v, and the filters are %q", name, limits(), found, b.State().Chain)
		}
		if !b.Redo() || limits() != (Limits{-60, 60}) {
			t.Errorf("%s: done again, its limits are %v, want -60 to 60", name, limits())
		}
		b.Act(SetComparison(Result))
		b.Act(SetColor(0, [3]uint8{255, 0, 0}))
		b.Undo()
		b.Act(SetComparison(how))
		if limits() != (Limits{-60, 60}) {
			t.Errorf("%s: a colour undone, its limits are %v", name, limits())
		}
	}
}

func TestAnotherShapeIsNotCompared(t *testing.T) {
	b := doubled(t)
	chain, err := filters.Parse("project axis=z")
	if err != nil {
		t.Fatal(err)
	}
	b.Act(SetChain(chain))
	b.Act(SetComparison(Difference))
	b.settled()
	if b.Scene().Comparable(b.State()) || b.Frame().Stale {
		t.Error("a projection is subtracted from its volume")
	}
}

// A chain that is too slow to follow is set while the stored voxels are shown.
func TestWhileTheStoredVoxelsAreShownNothingIsComputed(t *testing.T) {
	b := doubled(t)
	b.Act(SetComparison(Original))
	b.shows("the stored voxels", 0, 127)
	before := b.engine.Counters().VoxelsComputed
	b.Act(AddFilter("gaussian"))
	b.Act(SetParam(1, "sigma", "3"))
	b.Act(Step(lazy.Z, 1))
	b.until("the stored voxels of the next plane", func(f *Frame, r Report) bool { return !r.Busy && !f.Stale && f.State.At == b.State().At })
	if after := b.engine.Counters().VoxelsComputed; after != before {
		t.Errorf("%d voxels were computed", after-before)
	}
	b.Act(SetComparison(Result))
	b.settled()
	if after := b.engine.Counters().VoxelsComputed; after == before {
		t.Error("the filters are still not applied")
	}
}

func TestFiltersSetAsideTakeThePlaceOfTheStoredVoxels(t *testing.T) {
	b := doubled(t)
	b.Act(SetAside())
	four, err := filters.Parse("stencil text=\"4*x\"")
	if err != nil {
		t.Fatal(err)
	}
	b.Act(SetChain(four))
	b.settled()
	b.Act(SetLimits(0, Limits{0, 800}))
	b.settled()
	b.Act(SetComparison(Curtain))
	b.shows("four times the ramp", 0, 127)
	b.shows("twice the ramp, in its own limits", 1, 127)
	b.Act(SetComparison(Difference))
	b.shows("four times less twice the ramp", 0, 134) // 200 of 380, from black to orange
	b.Act(SetComparison(Result))
	b.Act(SwapAside())
	if s := b.State(); s.Chain.String() == s.Aside.String() || !strings.Contains(s.Chain.String(), "2*x") || !strings.Contains(s.Aside.String(), "4*x") {
		t.Errorf("swapped, the filters are %v and those aside %v", s.Chain, s.Aside)
	}
	b.Undo()
	if s := b.State(); !strings.Contains(s.Chain.String(), "4*x") {
		t.Errorf("after undo the filters are %v", s.Chain)
	}
	b.Act(DropAside())
	b.Act(SetComparison(Original))
	b.until("the stored voxels in their own limits", func(f *Frame, r Report) bool {
		return !r.Busy && f.State.Channels[0].Limits == Limits{0, 200} && colorAt(f, 10, 10)[0] == 128 // 100 of 200
	})
}

func TestTheStoredVoxelsAreComparedWithFiltersSetAside(t *testing.T) {
	b := doubled(t)
	b.Act(SetAside())
	b.Act(SetChain(nil))
	b.settled()
	if !b.Scene().Comparable(b.State()) {
		t.Fatal("there is nothing to compare")
	}
	b.Act(SetComparison(Difference))                          // x less 2x: -190 to 0
	b.shows("the stored voxels less twice themselves", 0, 47) // 100 of 190, from black to a blue with a red of 90
	b.Act(SetComparison(Result))
	b.Act(SwapAside())
	b.settled()
	if s := b.State(); len(s.Aside) > 0 || len(s.Chain) != 1 {
		t.Errorf("swapped, the filters are %v and those aside %v", s.Chain, s.Aside)
	}
}

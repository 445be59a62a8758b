package viewer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// watching opens a stack, sees a plane of it, and adds a deconvolution.
func watchingStack(t *testing.T, o Options) *bench {
	b := open(t, dataset(stack()), o)
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(AddFilter("richardson-lucy"))
	return b
}

// tried waits until a Trial has come to so many iterations.
func (b *bench) tried(n int) Watched {
	b.Helper()
	b.until(fmt.Sprint(n, " iterations"), func(*Frame, Report) bool {
		w, ok := b.Watched()
		return ok && len(w.Stages) > 0 && w.Stages[len(w.Stages)-1] >= n && w.Going == 0
	})
	w, _ := b.Watched()
	return w
}

// value is what a picture shows at a voxel of the plane on view.
func (b *bench) value(at lazy.Index) string {
	b.Helper()
	f := b.settled()
	b.Unhover()
	b.until("no readout", func(_ *Frame, r Report) bool { return !r.Readout.Valid })
	b.Hover(f.Geometry.Pixel(float64(at[lazy.X]), float64(at[lazy.Y])))
	b.until("the value", func(_ *Frame, r Report) bool {
		return r.Readout.Valid && r.Readout.Voxel == at && (len(r.Readout.Shown) == 1 || len(r.Readout.Raw) == 1)
	})
	if r := b.report.Readout; len(r.Shown) == 1 {
		return r.Shown[0].Text
	}
	return b.report.Readout.Raw[0].Text
}

func TestADeconvolutionIsWatchedOnThePlaneOnView(t *testing.T) {
	b := watchingStack(t, Options{})
	if w := b.tried(10); fmt.Sprint(w.Stages) != "[1 2 3 5 10]" || w.Iteration != 10 || len(w.Course) != 10 || w.Err != nil {
		t.Fatalf("%+v", w)
	}
	at := lazy.Index{0, 16, 0, 30, 20}
	for _, n := range []int{10, 3, 1} {
		b.Act(ShowIteration(n))
		a, err := b.watching.trial.At(n)
		if err != nil {
			t.Fatal(err)
		}
		blk, _, err := b.engine.Get(context.Background(), a, lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := b.value(at), Text(blk, 0); got != want {
			t.Errorf("after %d iterations the voxel reads %s, want %s", n, got, want)
		}
	}
	if b.State().Chain.String() == "" || b.State().Chain[0].Arg("iterations") != "10" {
		t.Errorf("looking changes nothing: %v", b.State().Chain)
	}
	b.Act(KeepIteration(3))
	if got := b.State().Chain.String(); got != "richardson-lucy iterations=3" && !strings.Contains(got, " iterations=3") {
		t.Errorf("kept: %q", got)
	}
	if w, _ := b.Watched(); w.Iteration != 3 || !b.State().Trial.Paused {
		t.Errorf("after keeping it iteration %d is on view", w.Iteration)
	}
	b.Act(Unwatch())
	b.settled()
	if _, ok := b.Watched(); ok || !strings.Contains(b.Scene().Chain(), "iterations=3") {
		t.Errorf("the chain is %q", b.Scene().Chain())
	}
}

// What is computed is the slab that the plane needs, once for each stage, and nothing of the volume as a whole.
func TestWatchingTakesNoMoreThanItsSlab(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	before := b.engine.Counters()
	b.Act(SetChain(filters.Chain{{Filter: "richardson-lucy", Args: []filters.Arg{{Name: "psf", Value: "gaussian(sigma=1)"}}}}))
	b.Act(Watch(0))
	w := b.tried(10)
	b.settled()
	now := b.engine.Counters()
	if w.Padded != [3]int{19, 70, 70} { // of a PSF of 7 voxels: the plane, 2 x 6 around it, and what the PSF reaches beyond that and beyond the image
		t.Errorf("padded it is %v", w.Padded)
	}
	padded := w.Padded[0] * w.Padded[1] * w.Padded[2]
	stages := len(w.Stages)
	// The state of each stage is the padded volume and some numbers; then there is the box of each, and the PSF.
	most := stages*(padded+2*w.Padded[1]*w.Padded[2]) + stages*(64*64+200) + 10000
	if n := now.VoxelsComputed - before.VoxelsComputed; n == 0 || n > most {
		t.Errorf("%d voxels were computed, want at most %d", n, most)
	}
}

func TestAPausedTrialGoesOnWhereItWas(t *testing.T) {
	b := watchingStack(t, Options{})
	b.Act(PauseTrial(true))
	if w, _ := b.Watched(); w.Going != 0 {
		t.Errorf("it goes on to %d", w.Going)
	}
	b.Act(PauseTrial(false))
	b.tried(10)
	done := b.engine.Counters().TasksRun
	b.Act(GoOn())
	if w := b.tried(20); fmt.Sprint(w.Stages) != "[1 2 3 5 10 15 20]" {
		t.Errorf("the stages are %v", w.Stages)
	}
	b.settled()
	if n := b.engine.Counters().TasksRun - done; n > 8 { // two stages with their courses, and two pictures with what the pointer asks for
		t.Errorf("ten iterations more took %d tasks", n)
	}
}

func TestSmallMovementsKeepATrialAndLargeOnesBeginIt(t *testing.T) {
	b := open(t, dataset(zyx("wide", lazy.U16, shape(8, 400, 400), func(z, y, x int) float64 { return float64((z*31+y*17+x*13)%97 + x) })), Options{})
	b.Act(Resize(90, 90))
	b.Act(OneToOne())
	b.settled()
	b.Act(AddFilter("richardson-lucy"))
	first := b.tried(10)
	b.Act(Pan(-3, -3))
	if w, _ := b.Watched(); w.Box != first.Box || len(w.Stages) != 5 {
		t.Errorf("a small movement: %v after %v, %v", w.Box, first.Box, w.Stages)
	}
	b.Act(Pan(-90, -90))
	if w, _ := b.Watched(); w.Box == first.Box || len(w.Stages) == 5 {
		t.Errorf("a large movement: %v after %v, %v", w.Box, first.Box, w.Stages)
	}
	b.tried(10)
	b.Act(Step(lazy.Z, 1))
	if w, _ := b.Watched(); len(w.Stages) == 5 {
		t.Error("another plane is there already")
	}
	b.tried(10)
	b.Act(SetParam(0, "tv", "0.01"))
	if w, _ := b.Watched(); len(w.Stages) == 5 {
		t.Error("other parameters change nothing")
	}
	b.tried(10)
	b.Act(SetParam(0, "iterations", "4"))
	if w, _ := b.Watched(); len(w.Stages) != 5 {
		t.Errorf("the number of iterations begins anew: %v", w.Stages)
	}
}

func TestARuleEndsATrialWhereItHolds(t *testing.T) {
	b := watchingStack(t, Options{})
	b.tried(10)
	b.Act(SetParam(0, "iterations", "40"))
	b.Act(SetParam(0, "stop", "0.04"))
	b.until("the rule", func(*Frame, Report) bool {
		w, ok := b.Watched()
		return ok && b.Scene().Fault == nil && w.Going == 0 && len(w.All) > 0 && len(w.Stages) == len(w.All)
	})
	w, _ := b.Watched()
	if found := b.Scene().steps[0].Arg("stopped"); fmt.Sprint(w.Until) != found || w.Until >= 40 {
		t.Errorf("it goes to %d, the rule holds at %s", w.Until, found)
	}
	if b.State().Chain[0].Arg("stopped") != "0" {
		t.Errorf("what was found stands in the chain of the State: %v", b.State().Chain)
	}
}

func TestOfALargeViewTheMiddleIsTried(t *testing.T) {
	b := open(t, dataset(zyx("large", lazy.U8, shape(1, 1400, 1400), func(_, y, x int) float64 { return float64((y ^ x) & 127) })), Options{})
	b.Act(Resize(350, 350))
	b.settled()
	b.Act(AddFilter("richardson-lucy"))
	w := b.tried(1)
	if want := (lazy.Region{Min: lazy.Index{lazy.Y: 160, lazy.X: 160}, Max: lazy.Index{1, 1, 1, 1216, 1216}}); w.Box != want || !w.Part {
		t.Errorf("%v is tried, want %v; a part: %v", w.Box, want, w.Part)
	}
	b.Act(OneToOne())
	if w := b.tried(1); w.Part {
		t.Errorf("of a small view %v is tried", w.Box)
	}
}

func TestTheErrorOfATrialIsMeasuredOnDemand(t *testing.T) {
	b := watchingStack(t, Options{})
	b.tried(10)
	b.Compare()
	b.until("the error", func(*Frame, Report) bool {
		w, _ := b.Watched()
		return w.Apart != nil
	})
	w, _ := b.Watched()
	if a := w.Apart; a.Err != nil || !a.Whole || a.Iteration != 10 || !(a.Most > 0 && a.Most < 0.01 && a.Mean < a.Most) {
		t.Errorf("%+v", a)
	}
}

func TestAPSFThatIsNoneIsToldBeforeAnythingIsComputed(t *testing.T) {
	o := Options{OpenFile: func(context.Context, string) (lazy.Dataset, error) {
		return *dataset(zyx("psf", lazy.F32, shape(3, 3, 3), func(z, y, x int) float64 { return float64(x) - 0.5 })), nil
	}}
	b := open(t, dataset(stack()), o)
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(SetChain(filters.Chain{{Filter: "richardson-lucy", Args: []filters.Arg{{Name: "psf", Value: "measured.tif"}}}}))
	b.until("the reason", func(*Frame, Report) bool {
		f := b.Scene().Fault
		return f != nil && strings.Contains(f.Error(), "psf=measured.tif: the PSF holds negative values")
	})
}

func TestATrialFollowsItsStep(t *testing.T) {
	sc, s := scene(t, dataset(stack()), 64, 64)
	s = act(sc, s, AddFilter("gaussian"), AddFilter("richardson-lucy"))
	if !s.Trial.Open || s.Trial.Step != 1 {
		t.Fatalf("%+v", s.Trial)
	}
	if s = act(sc, s, MoveFilter(1, 0)); s.Trial.Step != 0 {
		t.Errorf("moved: %+v", s.Trial)
	}
	if s = act(sc, s, MoveFilter(0, 1), RemoveFilter(0)); !s.Trial.Open || s.Trial.Step != 0 {
		t.Errorf("another removed: %+v", s.Trial)
	}
	if off := act(sc, s, SwitchFilter(0, false)); off.Trial.Open {
		t.Error("switched off it is watched")
	}
	if gone := act(sc, s, RemoveFilter(0)); gone.Trial.Open {
		t.Error("removed it is watched")
	}
	if none := act(sc, s, SetChain(filters.Chain{{Filter: "sobel"}}), Watch(0)); none.Trial.Open {
		t.Error("what has no iterations is watched")
	}
	s = act(sc, s, SetParam(0, "stop", "0.01"), SetParam(0, "stopped", "7"))
	if got := act(sc, s, SetParam(0, "stop", "0.02")).Chain.String(); got != "richardson-lucy stop=0.02" {
		t.Errorf("where another rule holds: %q", got)
	}
	if got := act(sc, s, SetParam(0, "stop", "")).Chain.String(); got != "richardson-lucy" {
		t.Errorf("without a rule: %q", got)
	}
	s = act(sc, s, KeepIteration(5))
	if got := s.Chain.String(); got != "richardson-lucy iterations=5" {
		t.Errorf("kept: %q", got)
	}
}

func TestTheBeadUnderAShapeIsThePSF(t *testing.T) {
	sc, s := scene(t, dataset(stack()), 64, 64)
	s = act(sc, s, AddFilter("richardson-lucy"), TakeBead())
	if got := s.Chain.String(); got != "richardson-lucy" {
		t.Errorf("without a shape: %q", got)
	}
	for want, h := range map[string]Shape{
		"bead(at=9,30,20,size=15,15,15)":  {Kind: Point, Points: [][2]float64{{20, 30}}, At: lazy.Index{lazy.Z: 9}},
		"bead(at=4,3,21,size=9,7,9)":      {Kind: Rectangle, Points: [][2]float64{{16, 0}, {25, 6}}, At: lazy.Index{lazy.Z: 4}},
		"bead(at=10,30,20,size=15,15,15)": {Kind: Point, Cut: XZ, Points: [][2]float64{{20, 10}}, At: lazy.Index{lazy.Y: 30}},
	} {
		next := act(sc, s, AddShape(h), TakeBead())
		if got := next.Chain[0].Arg("psf"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A deconvolution of some channels is watched on those; the others are shown as they are.
func TestADeconvolutionOfOneChannelLeavesTheOthers(t *testing.T) {
	one := stack()
	two := one
	two.name, two.meta.Shape[lazy.C], two.meta.Chunk[lazy.C] = "two channels", 2, 1
	b := open(t, dataset(two), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(AddFilter("richardson-lucy"))
	b.Act(ActOn(0, []int{1}))
	b.tried(3)
	at := b.State().At
	at[lazy.Y], at[lazy.X], at[lazy.T] = 30, 20, 0
	values := func(c int) (raw, shown float64) {
		t.Helper()
		at[lazy.C] = c
		a, err := b.watching.trial.At(3)
		if err != nil {
			t.Fatal(err)
		}
		r := lazy.At(at, lazy.Shape{1, 1, 1, 1, 1})
		was, _, err := b.engine.Get(context.Background(), b.Scene().Raw[0], r, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		is, _, err := b.engine.Get(context.Background(), a, r, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return valueAt(was, 0), valueAt(is, 0)
	}
	if raw, shown := values(0); raw != shown {
		t.Errorf("the channel that it does not act on is %v, stored %v", shown, raw)
	}
	if raw, shown := values(1); raw == shown {
		t.Errorf("the channel that it acts on is %v as it was", raw)
	}
}

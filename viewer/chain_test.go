package viewer

import (
	"context"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// stack is a volume in chunks of four planes, with structure in all directions.
func stack() formula {
	f := microns(zyx("stack", lazy.U16, shape(32, 64, 64), func(z, y, x int) float64 {
		return float64((z*7919+y*104729+x*1299709)%1000 + 10*x + 5*z)
	}), 1, 0.25, 0.25)
	f.meta.Chunk = shape(4, 64, 64)
	return f
}

func TestALimitBelongsToTheFiltersItWasSetFor(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(SetLimits(0, Limits{100, 900}))
	b.Act(AddFilter("sobel"))
	b.settled()
	edges := b.State().Channels[0].Limits
	if edges == (Limits{100, 900}) || edges.High < 1000 {
		t.Errorf("the limits for edges are %v", edges)
	}
	b.Act(SwitchFilter(0, false))
	b.settled()
	if l := b.State().Channels[0].Limits; l != (Limits{100, 900}) {
		t.Errorf("without the filter the limits are %v, want those set before", l)
	}
	b.Act(SwitchFilter(0, true))
	b.settled()
	if l := b.State().Channels[0].Limits; l != edges {
		t.Errorf("with the filter again the limits are %v, want %v", l, edges)
	}
	b.Act(SetParam(0, "norm", "l1"))
	b.settled()
	if l := b.State().Channels[0].Limits; l != edges {
		t.Errorf("a changed parameter moved the limits to %v", l)
	}
}

func TestAStepThatCannotBeDoneIsNamedAndNothingOfTheChainTakesPart(t *testing.T) {
	sc, err := NewScene(dataset(stack()), 0, filters.Chain{
		{Filter: "gaussian", Args: []filters.Arg{{Name: "sigma", Value: "much"}}},
		{Filter: "sobel"},
		{Filter: "nothing"},
		{Filter: "gaussian", Args: []filters.Arg{{Name: "sigma", Value: "1um"}}, Off: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if sc.Chain() != "" || sc.Filtered() {
		t.Errorf("what takes part is %q", sc.Chain())
	}
	if sc.Fault == nil || sc.Fault.Step != 0 || !strings.HasPrefix(sc.Fault.Error(), "viewer: Gaussian is not applied: sigma=much") {
		t.Errorf("the fault is %v", sc.Fault)
	}
	if sc.Rows[0].Err == nil || sc.Rows[1].Err != nil || sc.Rows[2].Err == nil || sc.Rows[3].Err != nil {
		t.Errorf("rows %v", sc.Rows)
	}
	if e := sc.Rows[3].Effective; !strings.Contains(e, "1 x 4 x 4") {
		t.Errorf("1 µm is %q in voxels of 1 x 0.25 x 0.25 µm", e)
	}
}

func TestThePointerReadsTheStoredAndTheFilteredValue(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.Act(AddFilter("sobel"))
	f := b.settled()
	px, py := f.Geometry.Pixel(20, 30)
	b.Hover(px, py)
	b.until("both values", func(_ *Frame, r Report) bool {
		return r.Readout.Valid && len(r.Readout.Raw) == 1 && len(r.Readout.Shown) == 1
	})
	r := b.report.Readout
	at := lazy.Index{0, 16, 0, 30, 20}
	if r.Voxel != at {
		t.Errorf("the pointer is on %v, want %v", r.Voxel, at)
	}
	for what, c := range map[string]struct {
		array lazy.Array
		got   string
	}{"stored": {b.Scene().Raw[0], r.Raw[0].Text}, "filtered": {b.Scene().Shown[0], r.Shown[0].Text}} {
		blk, _, err := b.engine.Get(context.Background(), c.array, lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		if want := Text(blk, 0); c.got != want {
			t.Errorf("the %s value reads %q, want %q", what, c.got, want)
		}
	}
	b.Unhover()
	b.until("no readout", func(_ *Frame, r Report) bool { return !r.Readout.Valid })
}

// One notch of the wheel within a chunk that is in memory: nothing is read, and each pass computes at
// most the one plane that is new to it.
func TestOneNotchReadsNothingAndComputesOnePlaneAPass(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.Act(SetChain(filters.Chain{{Filter: "gaussian"}, {Filter: "sobel"}}))
	b.Act(MoveTo(lazy.Z, 8))
	b.settled()
	b.Act(MoveTo(lazy.Z, 10)) // what plane 9 needs is in memory now
	b.settled()
	b.Act(Step(lazy.Z, -1))
	b.settled()
	if n := b.report.Cost.ChunksRead; n != 0 {
		t.Errorf("%d chunks were read", n)
	}
	most := passes(b.Scene().Shown[0].Node()) * 64 * 64
	if n := b.report.Cost.VoxelsComputed; n == 0 || n > most {
		t.Errorf("%d voxels were computed, want at most %d: one plane a pass", n, most)
	}
}

// passes is how many computed arrays a recipe goes through.
func passes(n *lazy.Node) int {
	seen := map[[16]byte]bool{}
	var walk func(n *lazy.Node)
	walk = func(n *lazy.Node) {
		if n.Op == nil || seen[n.Hash] {
			return
		}
		seen[n.Hash] = true
		for _, in := range n.In {
			walk(in)
		}
	}
	walk(n)
	return len(seen)
}

func TestThePictureForExportIsTheWholePlane(t *testing.T) {
	sc, s := scene(t, dataset(box()), 33, 21)
	b := open(t, dataset(box()), Options{})
	s = act(sc, s, SetLimits(0, Limits{0, 1}), Zoom(3), Turn(XZ), MoveTo(lazy.Y, 20))
	p, err := Picture(context.Background(), b.engine, sc, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Rect.Dx() != 40 || p.Rect.Dy() != 80 { // 20 µm by 40 µm at 0.5 µm a pixel
		t.Fatalf("the picture is %v", p.Rect)
	}
	white := 0
	for i := 0; i < len(p.Pix); i += 4 {
		if p.Pix[i] == 255 {
			white++
		}
	}
	if white != 20*20 {
		t.Errorf("%d white pixels, want the box's 20 by 20", white)
	}
	if r := sc.Plane(s); r != shape(20, 1, 40).Whole().With(lazy.Y, 20, 21) {
		t.Errorf("the plane as data is %v", r)
	}
}

func TestValuesOfFloat64ComeWithoutNoise(t *testing.T) {
	b := lazy.BlockOf(shape(1, 5).Whole(), []float64{0.1 + 0.2, 1.0 / 3, 123456789, -2.5e-9, nan})
	for i, want := range []string{"0.3", "0.3333333", "123456789", "-2.5e-09", "NaN"} {
		if got := Text(b, i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The last picture stands greyed, answers to zoom, and comes back with its limits once the value is right.
func TestWhileAChainCannotBeDoneNothingIsComputed(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.Act(SetChain(filters.Chain{{Filter: "mean"}, {Filter: "gaussian"}}))
	b.settled()
	limits, before := b.State().Channels[0].Limits, b.engine.Counters()
	b.Act(SetParam(0, "size", "NaN"))
	b.Act(Step(lazy.Z, 3))
	b.Act(Zoom(2))
	f := b.until("the greyed picture zoomed", func(f *Frame, _ Report) bool { return f.Stale && f.State.Zoom == b.State().Zoom })
	if f.Partial || b.report.Busy {
		t.Error("something is under way")
	}
	if now := b.engine.Counters(); now.TasksPlanned != before.TasksPlanned || now.VoxelsOut != before.VoxelsOut {
		t.Errorf("%d tasks were planned", now.TasksPlanned-before.TasksPlanned)
	}
	if got := b.Scene().Chain(); got != "mean | gaussian" {
		t.Errorf("the picture is of %q", got)
	}
	b.Act(SetParam(0, "size", ""))
	b.settled()
	if l := b.State().Channels[0].Limits; l != limits || b.Scene().Fault != nil {
		t.Errorf("put right, the limits are %v, they were %v; the fault is %v", l, limits, b.Scene().Fault)
	}
}

func TestAStepActsOnTheChannelsThatArePicked(t *testing.T) {
	f := zyx("two", lazy.U8, shape(8, 8), nil)
	f.meta.Shape[lazy.C], f.meta.Chunk[lazy.C] = 2, 1
	f.value = func(i lazy.Index) float64 { return []float64{200, 100}[i[lazy.C]] }
	b := open(t, dataset(f), Options{})
	b.Act(Resize(80, 80))
	b.Act(AddFilter("invert"))
	b.Act(AddFilter("median"))
	b.Act(ActOn(0, []int{1}))
	if got := b.State().Chain.String(); got != "invert channels=2 | median" {
		t.Fatal(got)
	}
	for i := range 2 {
		b.Act(SetLUT(i, "Grays"))
		b.Act(SetLimits(i, Limits{0, 255}))
	}
	for c, want := range []uint8{200, 155} {
		b.Act(Solo(c))
		if got := colorAt(b.settled(), 4, 4); got[0] != want {
			t.Errorf("channel %d is %d, want %d", c+1, got[0], want)
		}
		b.Act(Solo(c))
	}
	b.Act(ActOn(-1, []int{0}))
	if got := b.State().Chain.String(); got != "invert channels=1 | median channels=1" {
		t.Error(got)
	}
	b.Act(ActOn(-1, []int{1, 0}))
	if got := b.State().Chain.String(); got != "invert | median" {
		t.Errorf("on all channels it is %s", got)
	}
	b.Undo()
	if got := b.State().Chain.String(); got != "invert channels=1 | median channels=1" {
		t.Errorf("undone it is %s", got)
	}
}

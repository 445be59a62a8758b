package viewer

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
)

func TestTheFirstPictureIsTheMiddlePlaneWithLimitsFound(t *testing.T) {
	b := open(t, dataset(zyx("ramp", lazy.U16, shape(9, 8, 8), func(z, y, x int) float64 { return float64(100*z + 8*y + x) })), Options{})
	b.Act(Resize(64, 64))
	f := b.settled()
	if z := b.State().At[lazy.Z]; z != 4 {
		t.Errorf("plane %d, want 4", z)
	}
	if l := b.State().Channels[0].Limits; l != (Limits{400, 463}) {
		t.Errorf("limits %v, want 400 and 463", l)
	}
	if a, z := colorAt(f, 0, 0), colorAt(f, 7, 7); a != [3]uint8{} || z != [3]uint8{255, 255, 255} {
		t.Errorf("first voxel %v, last %v", a, z)
	}
	if h := b.report.Histogram; h.Peak != 1 || h.Low != 400 {
		t.Errorf("histogram from %v with peak %d", h.Low, h.Peak)
	}
}

func TestBR006ANaNHasALookOfItsOwnAndDoesNotSetTheLimits(t *testing.T) {
	nan := zyx("nan", lazy.F32, shape(4, 4), func(_, y, x int) float64 {
		if y == 0 && x == 0 {
			return nan
		}
		return float64(4*y + x)
	})
	b := open(t, dataset(nan), Options{})
	b.Act(Resize(64, 64))
	f := b.settled()
	if l := b.State().Channels[0].Limits; l != (Limits{1, 15}) {
		t.Errorf("limits %v, want 1 and 15", l)
	}
	if c := colorAt(f, 3, 3); c != [3]uint8{255, 255, 255} {
		t.Errorf("the greatest voxel is %v", c)
	}
	if c := colorAt(f, 1, 0); c != [3]uint8{} {
		t.Errorf("the least voxel is %v", c)
	}
	if c := colorAt(f, 0, 0); c != [3]uint8{0x6e, 0x6e, 0x6e} && c != [3]uint8{0x3c, 0x3c, 0x3c} {
		t.Errorf("the NaN is %v, not one of the two greys of the hatch", c)
	}
	b.Hover(8, 8)
	b.until("a readout", func(_ *Frame, r Report) bool { return r.Readout.Valid })
	if v := b.report.Readout.Raw[0].Text; v != "NaN" {
		t.Errorf("the pointer reads %q on the NaN", v)
	}
}

func TestBR006AllNaNOpensAndSaysSo(t *testing.T) {
	b := open(t, dataset(zyx("void", lazy.F32, shape(4, 4), func(_, _, _ int) float64 { return nan })), Options{})
	b.Act(Resize(16, 16))
	b.settled()
	if !b.report.NoFinite {
		t.Error("nobody says that there is no finite value")
	}
	if l := b.State().Channels[0].Limits; !(l.Low < l.High) {
		t.Errorf("limits %v", l)
	}
}

func TestBR007AConstantImageHasUsableLimits(t *testing.T) {
	for _, c := range []struct {
		dtype lazy.DType
		value float64
		text  string
	}{{lazy.F32, 0, "0"}, {lazy.U8, 128, "128"}, {lazy.F32, -3.5, "-3.5"}} {
		b := open(t, dataset(zyx("constant "+c.text, c.dtype, shape(10, 10), func(_, _, _ int) float64 { return c.value })), Options{})
		b.Act(Resize(20, 20))
		for range 2 { // Auto can be pressed again
			b.settled()
			if l := b.State().Channels[0].Limits; !(l.Low < c.value && c.value < l.High) {
				t.Errorf("%v %v: limits %v do not enclose it", c.dtype, c.value, l)
			}
			b.Act(Automatic(0, Robust))
		}
		b.Act(SetLimits(0, Limits{c.value, c.value})) // both handles on one value
		b.settled()
		if l := b.State().Channels[0].Limits; !(l.Low < l.High) {
			t.Errorf("%v %v: limits %v after dragging both handles together", c.dtype, c.value, l)
		}
		b.Hover(10, 10)
		b.until("a readout", func(_ *Frame, r Report) bool { return r.Readout.Valid })
		if v := b.report.Readout.Raw[0].Text; v != c.text {
			t.Errorf("the pointer reads %q, want %q", v, c.text)
		}
	}
}

func TestBR012LimitsOfEdgeChunksKnowNoPadding(t *testing.T) {
	f := zyx("edges", lazy.I16, shape(5, 7), func(_, y, x int) float64 {
		if y > 4 || x > 6 {
			return 999
		}
		return float64(10*y + x)
	})
	f.meta.Chunk = shape(4, 4)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(70, 50))
	b.settled()
	if l := b.State().Channels[0].Limits; l != (Limits{0, 46}) {
		t.Errorf("limits %v, want 0 and 46", l)
	}
}

// gated is a volume each of whose planes is a chunk that comes only through a gate of its own.
func gated(t *testing.T) (b *bench, let func(z int)) {
	f := zyx("gated", lazy.U8, shape(64, 8, 8), func(z, y, x int) float64 { return float64(z) })
	f.meta.Chunk = shape(1, 8, 8)
	for range 64 {
		f.gates = append(f.gates, make(chan struct{}))
	}
	b = open(t, dataset(f), Options{Patience: time.Nanosecond})
	b.Act(Resize(16, 16))
	return b, func(z int) { close(f.gates[z]) }
}

func TestBR020WhileAPlaneIsAwaitedTheLastOneIsGreyAndTheSessionAnswers(t *testing.T) {
	b, let := gated(t)
	let(32)
	b.settled()
	b.Act(SetLimits(0, Limits{0, 64}))
	fresh := colorAt(b.settled(), 4, 4)

	b.Act(Step(lazy.Z, 1))
	f := b.until("a greyed picture", func(f *Frame, r Report) bool { return f.Stale && r.Busy })
	if c := colorAt(f, 4, 4); c[0] >= fresh[0] || c[0] == 0 {
		t.Errorf("the greyed picture is %v, the fresh one was %v", c, fresh)
	}
	b.Act(Zoom(2)) // and it answers while the plane is awaited
	b.until("the greyed picture zoomed", func(f *Frame, _ Report) bool { return f.Stale && f.State.Zoom == b.State().Zoom })
	let(33)
	if c := colorAt(b.settled(), 4, 4); c[0] <= fresh[0] {
		t.Errorf("plane 33 is %v, plane 32 was %v", c, fresh)
	}
}

// Of two channels one is ready and the other does not come: the ready one is seen, the session says that it waits and
// answers, and what comes late appears without an action.
func TestBR020WhatIsReadyIsSeenWhileAnotherIsAwaited(t *testing.T) {
	for name, sized := range map[string]bool{"of a window that has its size": true, "of one that gets it later": false} {
		t.Run(name, func(t *testing.T) { oneChannelIsAwaited(t, sized) })
	}
}

func oneChannelIsAwaited(t *testing.T, sized bool) {
	slow := zyx("slow", lazy.U8, shape(10, 10), func(_, _, _ int) float64 { return 200 })
	slow.gates = []chan struct{}{make(chan struct{})}
	ready := zyx("ready", lazy.U8, shape(10, 10), func(_, _, _ int) float64 { return 100 })
	both, err := lazy.Concat(lazy.C, lazy.FromSource(ready), lazy.FromSource(slow))
	if err != nil {
		t.Fatal(err)
	}
	set := dataset(ready)
	set.Images[0].Levels[0].Array = both
	b := open(t, set, Options{Patience: time.Nanosecond})
	for i := range 2 {
		b.Act(SetLUT(i, "Grays"))
		b.Act(SetLimits(i, Limits{0, 255}))
	}
	if !sized {
		b.report = <-b.reports // the session has looked at its first State, which has no pixels
	}
	b.Act(Resize(20, 20))
	seen := func(want [3]uint8) func(*Frame, Report) bool {
		return func(f *Frame, r Report) bool {
			return f.Image != nil && f.State.Size == b.State().Size && f.State.Zoom == b.State().Zoom && colorAt(f, 5, 5) == want
		}
	}
	b.until("the ready channel", func(f *Frame, r Report) bool { return seen([3]uint8{100, 100, 100})(f, r) && r.Busy })
	b.Act(Zoom(2))
	b.until("the ready channel zoomed", func(f *Frame, r Report) bool { return seen([3]uint8{100, 100, 100})(f, r) && r.Busy })
	close(slow.gates[0])
	b.until("both", func(f *Frame, r Report) bool { return seen([3]uint8{255, 255, 255})(f, r) && !r.Busy })
}

// Fifty files opened and closed one after another on one engine, as in a window, leave no goroutine, and memory within
// the engine's budget.
func TestBR018OpeningAndClosingLeavesNothing(t *testing.T) {
	e := engine.New(engine.Options{Memory: 8 << 20, Workers: 2})
	defer e.Close()
	round := func(n int) {
		f := zyx(fmt.Sprint("file ", n), lazy.U16, shape(4, 256, 256), func(z, y, x int) float64 { return float64(x + y + z) })
		f.meta.Chunk = shape(1, 256, 256)
		posts, frames := make(chan func(), 64), make(chan struct{}, 1)
		s, err := Open(dataset(f), Options{Engine: e, Post: func(f func()) { posts <- f }, OnFrame: func() { newest(frames, struct{}{}) }, OnReport: func(Report) {}})
		if err != nil {
			t.Fatal(err)
		}
		s.Act(Resize(64, 64))
		for s.Frame() == nil || s.Frame().Partial {
			select {
			case f := <-posts:
				f()
			case <-frames:
			}
		}
		s.Close()
		for closed := false; !closed; {
			select {
			case f := <-posts:
				f()
			case <-s.Closed():
				closed = true
			}
		}
	}
	held := func(atMost int) (goroutines int) {
		for range 400 {
			if goroutines = runtime.NumGoroutine(); goroutines <= atMost {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		return goroutines
	}
	for n := range 5 {
		round(n)
	}
	before := held(runtime.NumGoroutine())
	for n := range 50 {
		round(5 + n)
	}
	if after := held(before); after > before {
		t.Errorf("fifty rounds leave %d goroutines", after-before)
	}
	if used, most := e.Memory(); used > most {
		t.Errorf("the engine holds %d of %d bytes", used, most)
	}
}

// A plane that comes at once is not worth a word: the cost of the last one stands until work has outlasted the patience
// for it, so that nothing flickers while planes play.
func TestShortWorkIsNotToldOfAsSlow(t *testing.T) {
	for patience, slow := range map[time.Duration]bool{time.Nanosecond: true, time.Hour: false} {
		f := zyx("gated", lazy.U8, shape(2, 8, 8), func(z, _, _ int) float64 { return float64(z) })
		f.meta.Chunk = shape(1, 8, 8)
		f.gates = []chan struct{}{make(chan struct{}), make(chan struct{})}
		b := open(t, dataset(f), Options{Patience: patience})
		b.Act(MoveTo(lazy.Z, 0))
		b.Act(Resize(16, 16))
		close(f.gates[0])
		b.settled()
		b.Act(Step(lazy.Z, 1))
		b.until("work", func(_ *Frame, r Report) bool { return r.Busy && r.Slow == slow })
		if b.report.Cost.VoxelsOut != 64 {
			t.Errorf("patience %v: meanwhile the cost is %+v, want that of the first plane", patience, b.report.Cost)
		}
		close(f.gates[1])
		if b.settled(); b.report.Slow {
			t.Errorf("patience %v: when all is done it is slow", patience)
		}
	}
}

// Limits that are found in a plane that is there already cost that plane nothing, and take its cost from nobody's sight.
func TestFindingLimitsLeavesTheCostOfThePlane(t *testing.T) {
	f := zyx("ramp", lazy.U8, shape(9, 1024, 1024), func(_, y, x int) float64 { return float64((y + x) % 200) })
	f.meta.Chunk = shape(1, 64, 64)
	b := open(t, dataset(f), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(Zoom(64)) // limits are of the whole plane, and a part of it is on view
	b.Act(MoveTo(lazy.Z, 8))
	b.settled()
	before := b.report.Cost
	b.Act(Automatic(0, Robust))
	if b.settled(); b.report.Cost != before || before.VoxelsOut == 0 {
		t.Errorf("the cost was %+v and is %+v", before, b.report.Cost)
	}
}

func TestANewerWishCancelsTheOneBefore(t *testing.T) {
	b, let := gated(t)
	let(32)
	b.settled()
	for range 20 { // of these planes only the last is ever let through its gate
		b.Act(Step(lazy.Z, 1))
		b.until("work for the plane", func(_ *Frame, r Report) bool { return r.Busy })
	}
	let(52)
	b.settled()
	if n := b.engine.Counters().ChunksRead; n != 2 {
		t.Errorf("%d chunks were read, want the first and the last plane's", n)
	}
}

func TestAFailedReadIsToldAndTheSessionGoesOn(t *testing.T) {
	f := zyx("bad", lazy.U8, shape(4, 8, 8), nil)
	f.fail = errors.New("bad: chunk 0/2: damaged")
	set := dataset(f)
	set.Images = append(set.Images, dataset(zyx("good", lazy.U8, shape(8, 8), func(_, y, x int) float64 { return float64(x) })).Images...)
	b := open(t, set, Options{})
	b.Act(Resize(16, 16))
	b.until("the reason", func(_ *Frame, r Report) bool {
		return r.Err != nil && strings.Contains(r.Err.Error(), "chunk 0/2: damaged")
	})
	b.Act(Select(1))
	b.settled()
	if b.report.Err != nil {
		t.Errorf("the good image still shows %v", b.report.Err)
	}
}

func TestPanningWithinTheMarginReadsNothing(t *testing.T) {
	var reads atomic.Int64
	f := zyx("wide", lazy.U16, shape(512, 512), func(_, y, x int) float64 { return float64(x) })
	f.meta.Chunk, f.reads = shape(64, 64), &reads
	b := open(t, dataset(f), Options{})
	b.Act(Resize(100, 100))
	b.Act(OneToOne())
	b.settled()
	before, planned := reads.Load(), b.engine.Counters().TasksPlanned
	for range 10 {
		b.Act(Pan(-3, -2))
		b.settled()
	}
	if n := reads.Load() - before; n != 0 {
		t.Errorf("%d reads for small movements", n)
	}
	if n := b.engine.Counters().TasksPlanned - planned; n != 0 {
		t.Errorf("%d tasks for small movements", n)
	}
}

func TestChangingColoursAsksTheEngineForNothing(t *testing.T) {
	b := open(t, dataset(zyx("ramp", lazy.U16, shape(8, 8), func(_, y, x int) float64 { return float64(x) })), Options{})
	b.Act(Resize(32, 32))
	b.settled()
	before := b.engine.Counters().VoxelsOut
	for _, a := range []Action{SetLUT(0, "Fire"), SetGamma(0, 0.5), SetLimits(0, Limits{2, 5}), SetColor(0, [3]uint8{9, 9, 9}), SetSampling(Linear), ShowScaleBar(false)} {
		b.Act(a)
		b.settled()
	}
	if n := b.engine.Counters().VoxelsOut - before; n != 0 {
		t.Errorf("%d voxels were asked for", n)
	}
}

func TestUndoTakesBackWhatWasMadeButNotWhereOneLooks(t *testing.T) {
	b := open(t, dataset(zyx("ramp", lazy.U8, shape(9, 8, 8), func(z, _, x int) float64 { return float64(x + z) })), Options{})
	b.Act(Resize(32, 32))
	b.settled()
	found := b.State().Channels[0].Limits
	b.Act(SetLUT(0, "Fire"))
	b.Drag(SetLimits(0, Limits{1, 4}))
	b.Drag(SetLimits(0, Limits{1, 5}))
	b.Settle()
	b.Act(Step(lazy.Z, 2))
	if !b.Undo() || b.State().Channels[0].Limits != found {
		t.Errorf("after one undo the limits are %v, want %v: a gesture is one step", b.State().Channels[0].Limits, found)
	}
	if !b.Undo() || b.State().Channels[0].LUT != "Grays" || b.State().At[lazy.Z] != 6 {
		t.Errorf("after two: %+v", b.State())
	}
	if b.Undo() {
		t.Error("there was nothing more to undo")
	}
	for range 2 {
		if !b.Redo() {
			t.Error("there was something to do again")
		}
	}
	if b.Redo() || b.State().Channels[0].Limits != (Limits{1, 5}) {
		t.Errorf("after redo: %+v", b.State().Channels[0])
	}
}

func TestClosingWhileReadingEnds(t *testing.T) {
	b, _ := gated(t)
	b.until("work", func(_ *Frame, r Report) bool { return r.Busy })
	closed := false
	b.Set().Close = func() error { closed = true; return nil }
	b.Close()
	<-b.Closed()
	if !closed {
		t.Error("the dataset was not closed")
	}
}

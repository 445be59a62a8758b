package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A loopOp does its work as a loop that the engine may spread over goroutines, in tiles of its own.
type loopOp struct {
	n       int
	part    func(ctx context.Context, hand, i int)
	scratch int64
}

func (loopOp) Name() string                                    { return "loop" }
func (o loopOp) Key() string                                   { return "loop" }
func (loopOp) Infer(in []lazy.Meta) (lazy.Meta, error)         { return in[0], nil }
func (loopOp) Need(r lazy.Region, _ []lazy.Meta) []lazy.Region { return []lazy.Region{r} }
func (loopOp) Border() lazy.Border                             { return lazy.Border{} }
func (loopOp) Tile(m lazy.Meta) lazy.Shape                     { return lazy.Shape{1, 4, 1, 8, 16} }
func (o loopOp) Scratch(lazy.Region, []lazy.Meta) int64        { return o.scratch }
func (o loopOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	copy(dst.Bytes(), src[0].Bytes())
	return lazy.Parallel(ctx, o.n, func(hand, i int) { o.part(ctx, hand, i) })
}

var loopMeta = lazytest.Meta(lazy.F32, lazy.Shape{1, 10, 1, 20, 40}, lazy.Shape{1, 5, 1, 20, 40})

func TestALoopIsSharedWithIdleWorkersAndEachPartRunsOnce(t *testing.T) {
	const n = 50
	var ran [n]atomic.Int32
	var busy [3]atomic.Bool
	var both sync.WaitGroup
	both.Add(2)
	op := loopOp{n: n, part: func(_ context.Context, hand, i int) {
		if busy[hand].Swap(true) {
			t.Error("two parts at once have one hand")
		}
		if i < 2 { // these wait for each other: one goroutine alone would never end
			both.Done()
			both.Wait()
		}
		ran[i].Add(1)
		busy[hand].Store(false)
	}}
	e := engine.New(engine.Options{Workers: 3, Memory: 1 << 24})
	defer e.Close()
	one := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1})
	if _, _, err := e.Get(context.Background(), apply(t, op, lazytest.Array(loopMeta, ramp)), one, engine.Priority{}); err != nil {
		t.Fatal(err)
	}
	for i := range ran {
		if ran[i].Load() != 1 {
			t.Errorf("part %d ran %d times", i, ran[i].Load())
		}
	}
}

func TestALoopEndsWithItsRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var ran atomic.Int32
	op := loopOp{n: 1 << 30, part: func(inner context.Context, _, i int) {
		if ran.Add(1) == 100 {
			cancel()
		}
		if i >= 100 {
			<-inner.Done()
		}
	}}
	e := engine.New(engine.Options{Workers: 2, Memory: 1 << 24})
	defer e.Close()
	_, _, err := e.Get(ctx, apply(t, op, lazytest.Array(loopMeta, ramp)), loopMeta.Shape.Whole(), engine.Priority{})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestAFaultInAPartOfALoopIsAnError(t *testing.T) {
	for _, bad := range []int{0, 7, 19} {
		op := loopOp{n: 20, part: func(_ context.Context, _, i int) {
			if i == bad {
				panic("part is broken")
			}
		}}
		e := engine.New(engine.Options{Workers: 2, Memory: 1 << 24})
		_, _, err := e.Get(context.Background(), apply(t, op, lazytest.Array(loopMeta, ramp)), loopMeta.Shape.Whole(), engine.Priority{})
		e.Close()
		if err == nil || !strings.Contains(err.Error(), "part is broken") {
			t.Errorf("part %d: %v", bad, err)
		}
	}
}

// Whatever is asked for, an op with tiles of its own computes those that it touches, and once.
func TestAnOpMayHaveTilesOfItsOwn(t *testing.T) {
	op := loopOp{part: func(context.Context, int, int) {}}
	a := apply(t, op, lazytest.Array(loopMeta, ramp))
	e := engine.New(engine.Options{Workers: 2, Memory: 1 << 24})
	defer e.Close()
	tile := 4 * 8 * 16
	for _, c := range []struct {
		at, shape lazy.Index
		computed  int
	}{
		{lazy.Index{0, 5, 0, 9, 20}, lazy.Index{1, 1, 1, 2, 3}, tile},
		{lazy.Index{0, 6, 0, 9, 20}, lazy.Index{1, 1, 1, 2, 3}, 0}, // the tile is still there
		{lazy.Index{0, 0, 0, 7, 15}, lazy.Index{1, 1, 1, 2, 2}, 4 * tile},
		{lazy.Index{0, 9, 0, 19, 39}, lazy.Index{1, 1, 1, 1, 1}, 2 * 4 * 8},
	} {
		r := lazy.At(c.at, lazy.Shape(c.shape))
		b, stats, err := e.Get(context.Background(), a, r, engine.Priority{})
		if err != nil || stats.VoxelsComputed != c.computed {
			t.Errorf("%v: %d voxels computed, want %d (%v)", r, stats.VoxelsComputed, c.computed, err)
		}
		lazytest.Each(r, func(i lazy.Index) {
			if b.Value(i) != float64(float32(ramp(i))) {
				t.Errorf("at %v: %v", i, b.Value(i))
			}
		})
	}
}

// An export in cells smaller than a tile computes each tile once, though blocks that were written are let go.
func TestTilesThatSeveralCellsShareAreComputedOnce(t *testing.T) {
	a := apply(t, loopOp{part: func(context.Context, int, int) {}}, lazytest.Array(loopMeta, ramp))
	for _, grid := range []lazy.Shape{{1, 1, 1, 20, 40}, {1, 2, 1, 4, 8}} {
		e := engine.New(engine.Options{Workers: 2, Memory: 1 << 24})
		stats, err := e.Walk(context.Background(), a, loopMeta.Shape.Whole(), grid, func(*lazy.Block) error { return nil }, nil)
		e.Close()
		if want := loopMeta.Shape.Voxels(); err != nil || stats.VoxelsComputed != want {
			t.Errorf("in cells of %v %d voxels were computed, want %d (%v)", grid, stats.VoxelsComputed, want, err)
		}
	}
}

func TestWhatAnOpTakesBesideItsBlocksIsReserved(t *testing.T) {
	op := loopOp{scratch: 1 << 20, part: func(context.Context, int, int) {}}
	a := apply(t, op, lazytest.Array(loopMeta, ramp))
	one := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1})
	e := engine.New(engine.Options{Workers: 1, Memory: 1 << 21})
	defer e.Close()
	_, stats, err := e.Get(context.Background(), a, one, engine.Priority{})
	if err != nil || stats.PeakBytes < 1<<20 {
		t.Errorf("%d bytes, %v", stats.PeakBytes, err)
	}
	if f, err := e.Forecast(t.Context(), a, one); err != nil || f.PeakBytes < 1<<20 {
		t.Errorf("forecast %d bytes, %v", f.PeakBytes, err)
	}
	e.SetMemory(1 << 20)
	var short *engine.MemoryError
	if _, _, err := e.Get(context.Background(), a, loopMeta.Shape.Whole(), engine.Priority{}); !errors.As(err, &short) {
		t.Errorf("with too little memory: %v", err)
	}
}

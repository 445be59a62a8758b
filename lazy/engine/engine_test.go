package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// ramp is different at every voxel of the small arrays used here.
func ramp(i lazy.Index) float64 {
	return float64(i[lazy.T]*7919 + i[lazy.Z]*101 + i[lazy.C]*53 + i[lazy.Y]*11 + i[lazy.X]*3%251)
}

func halo(z, y, x int) lazy.Halo {
	h := lazy.Index{0, z, 0, y, x}
	return lazy.Halo{Before: h, After: h}
}

func apply(t *testing.T, op lazy.Op, in ...lazy.Array) lazy.Array {
	t.Helper()
	a, err := lazy.Apply(op, in...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newEngine(t *testing.T, memory int64) *engine.Engine {
	e := engine.New(engine.Options{Memory: memory, Workers: 2})
	t.Cleanup(e.Close)
	return e
}

// direct is the op on the whole array at once, gathered by looking up every voxel.
func direct(op lazytest.BoxSum, m lazy.Meta, r lazy.Region) *lazy.Block {
	src := lazy.NewBlock(r.Grow(op.Halo), lazy.F64)
	lazytest.Set(src, func(i lazy.Index) float64 {
		for a := range lazy.Rank {
			if i[a] = op.Edge.Fold(i[a], m.Shape[a]); i[a] < 0 {
				return op.Edge.Value
			}
		}
		return ramp(i)
	})
	dst := lazy.NewBlock(r, lazy.F64)
	_ = op.Compute(context.Background(), dst, []*lazy.Block{src})
	return dst
}

func sameBlock(t *testing.T, got, want *lazy.Block) {
	t.Helper()
	if got.Region != want.Region {
		t.Fatalf("region %v, want %v", got.Region, want.Region)
	}
	g, w := lazy.View[float64](got), lazy.View[float64](want)
	for i := range g {
		if g[i] != w[i] {
			t.Fatalf("voxel %d is %v, want %v", i, g[i], w[i])
		}
	}
}

func TestEveryChunkingBorderAndBudgetGivesTheSameVoxels(t *testing.T) {
	shape := lazy.Shape{2, 5, 2, 7, 9}
	op := lazytest.BoxSum{Halo: lazy.Halo{Before: lazy.Index{0, 2, 0, 1, 3}, After: lazy.Index{0, 1, 0, 2, 2}}}
	regions := []lazy.Region{
		shape.Whole(),
		shape.Whole().With(lazy.T, 1, 2).With(lazy.C, 0, 1).With(lazy.Z, 3, 4),
		shape.Whole().With(lazy.T, 0, 1).With(lazy.Y, 6, 7),
		shape.Whole().With(lazy.T, 0, 1).With(lazy.X, 3, 8).With(lazy.Z, 2, 5),
	}
	for _, chunk := range []lazy.Shape{{1, 1, 1, 1, 1}, {1, 5, 1, 5, 5}, {2, 64, 2, 64, 64}, {1, 4, 1, 7, 17}} {
		for _, edge := range []string{"reflect", "mirror", "nearest", "wrap", "constant:3", "constant"} {
			op.Edge, _ = lazy.ParseBorder(edge)
			m := lazytest.Meta(lazy.U16, shape, chunk)
			a := apply(t, op, lazytest.Array(m, ramp))
			for _, memory := range []int64{64 << 20, 24 << 10} {
				e := newEngine(t, memory)
				for _, r := range regions {
					got, _, err := e.Get(context.Background(), a, r, engine.Priority{})
					if err != nil {
						t.Fatalf("chunk %v, %s, %d bytes: %v", chunk, edge, memory, err)
					}
					sameBlock(t, got, direct(op, m, r))
				}
			}
		}
	}
}

func TestAPlaneReadsOnlyTheChunksItAndItsHaloTouch(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 128, 1, 128, 128}, lazy.Shape{1, 32, 1, 32, 32})
	a := apply(t, lazytest.BoxSum{Halo: halo(1, 1, 1)}, lazytest.Array(m, ramp))
	plane := m.Shape.Whole().With(lazy.Z, 40, 41)
	e := newEngine(t, 0)
	_, s, err := e.Get(context.Background(), a, plane, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	if s.ChunksRead != 16 || s.ChunksTotal != 64 || s.VoxelsComputed != 128*128 || s.VoxelsNeeded != 128*128 {
		t.Errorf("stats %+v: want 16 of 64 chunks and one plane computed", s)
	}
	_, s, _ = e.Get(context.Background(), a, plane.With(lazy.Z, 41, 42), engine.Priority{})
	if s.ChunksRead != 0 || s.BytesRead != 0 || s.VoxelsComputed != 128*128 {
		t.Errorf("the next plane: %+v: want nothing read", s)
	}
	_, s, _ = e.Get(context.Background(), a, plane, engine.Priority{})
	if s.TasksRun != 0 || s.CacheHits == 0 {
		t.Errorf("the same plane again: %+v: want it from the cache", s)
	}
}

func TestTheForecastIsWhatThenHappens(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 128, 1, 128, 128}, lazy.Shape{1, 32, 1, 32, 32})
	a := apply(t, lazytest.BoxSum{Halo: halo(1, 1, 1)}, lazytest.Array(m, ramp))
	for _, r := range []lazy.Region{m.Shape.Whole().With(lazy.Z, 31, 32), m.Shape.Whole().With(lazy.X, 0, 1), m.Shape.Whole()} {
		e := newEngine(t, 0)
		f, err := e.Forecast(t.Context(), a, r)
		if err != nil {
			t.Fatal(err)
		}
		_, s, _ := e.Get(context.Background(), a, r, engine.Priority{})
		if f.TasksPlanned != s.TasksRun || f.ChunksPlanned != s.ChunksRead || f.VoxelsComputed != s.VoxelsComputed || f.BytesRead != s.BytesRead {
			t.Errorf("%v: forecast %+v, run %+v", r, f, s)
		}
	}
}

func TestTheBudgetHoldsAtEveryMoment(t *testing.T) {
	const budget = 3 << 20
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 64, 1, 128, 128}, lazy.Shape{1, 16, 1, 64, 64})
	a := apply(t, lazytest.BoxSum{Halo: halo(1, 0, 0)}, lazytest.Array(m, ramp))
	e := newEngine(t, budget)
	stop := make(chan struct{})
	var over atomic.Int64
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if used, _ := e.Memory(); used > budget {
					over.Store(used)
				}
			}
		}
	})
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for z := k; z < 64; z += 7 {
				if _, _, err := e.Get(context.Background(), a, m.Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	watch.Wait()
	if over.Load() > 0 || e.Counters().PeakBytes > budget {
		t.Errorf("%d bytes held, peak %d, of %d", over.Load(), e.Counters().PeakBytes, budget)
	}
}

func TestWhatCannotFitSaysWhatItNeeds(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 64, 1, 512, 512}, lazy.Shape{1, 64, 1, 512, 512})
	a := lazytest.Array(m, ramp)
	e := newEngine(t, 1<<20)
	_, _, err := e.Get(context.Background(), a, lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 8, 8}), engine.Priority{})
	var me *engine.MemoryError
	if !errors.As(err, &me) || me.Needs < 32<<20 || !strings.Contains(err.Error(), "needs 64.0 MiB") {
		t.Errorf("error %v", err)
	}
	small := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1, 1, 8, 8}, lazy.Shape{1, 1, 1, 8, 8}), ramp)
	if _, _, err := e.Get(context.Background(), small, small.Meta().Shape.Whole(), engine.Priority{}); err != nil {
		t.Errorf("the engine is not usable after that: %v", err)
	}
}

func TestTwoRequestsForOneChunkReadItOnce(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	src := lazytest.New(m, ramp)
	gate := make(chan struct{})
	src.Wait = func(context.Context) error { <-gate; return nil }
	e := newEngine(t, 0)
	var wg sync.WaitGroup
	for z := range 4 {
		wg.Go(func() {
			if _, _, err := e.Get(context.Background(), lazy.FromSource(src), m.Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{}); err != nil {
				t.Error(err)
			}
		})
	}
	for e.Counters().CacheHits < 3 { // the others have joined the first
		time.Sleep(time.Millisecond)
	}
	close(gate)
	wg.Wait()
	if n := src.Reads.Load(); n != 1 {
		t.Errorf("%d reads of one chunk", n)
	}
}

func TestCancellingStopsRunningWorkAndFreesItsMemory(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	started, stopped := make(chan struct{}), make(chan struct{})
	op := lazytest.BoxSum{Halo: halo(1, 1, 1), Wait: func(ctx context.Context) error {
		close(started)
		<-ctx.Done()
		close(stopped)
		return ctx.Err()
	}}
	a := apply(t, op, lazytest.Array(m, ramp))
	e := newEngine(t, 0)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	if _, _, err := e.Get(ctx, a, m.Shape.Whole(), engine.Priority{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-stopped
	for {
		if used, _ := e.Memory(); used == 4*32*32 { // the chunk alone is kept
			break
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWhatIsOnViewDoesNotWaitForALongPieceOfAnExport(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	started, gate := make(chan struct{}), make(chan struct{})
	long := apply(t, lazytest.BoxSum{Halo: halo(1, 1, 1), Wait: func(context.Context) error { close(started); <-gate; return nil }}, lazytest.Array(m, ramp))
	short := apply(t, lazytest.BoxSum{Halo: halo(0, 1, 1)}, lazytest.Array(m, ramp))
	e := engine.New(engine.Options{Memory: 1 << 24, Workers: 1})
	defer e.Close()
	exported := make(chan error)
	go func() {
		_, _, err := e.Get(context.Background(), long, m.Shape.Whole(), engine.Priority{Tier: engine.Background})
		exported <- err
	}()
	<-started
	if _, _, err := e.Get(context.Background(), short, m.Shape.Whole(), engine.Priority{}); err != nil { // while the other is at it
		t.Error(err)
	}
	close(gate)
	if err := <-exported; err != nil {
		t.Error(err)
	}
}

func TestACancelledRequestLeavesSharedWorkToTheOther(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	src := lazytest.New(m, ramp)
	gate := make(chan struct{})
	src.Wait = func(ctx context.Context) error {
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	a := apply(t, lazytest.BoxSum{Halo: halo(1, 1, 1)}, lazy.FromSource(src))
	e := newEngine(t, 0)
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan error)
	go func() {
		_, _, err := e.Get(ctx, a, m.Shape.Whole().With(lazy.Z, 0, 1), engine.Priority{})
		first <- err
	}()
	for src.Reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	second := make(chan error)
	go func() {
		_, _, err := e.Get(context.Background(), a, m.Shape.Whole().With(lazy.Z, 2, 3), engine.Priority{})
		second <- err
	}()
	for e.Counters().CacheHits == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("first: %v", err)
	}
	close(gate)
	if err := <-second; err != nil || src.Reads.Load() != 1 {
		t.Errorf("second: %v after %d reads", err, src.Reads.Load())
	}
}

func TestAnErrorEndsTheRequestAndNothingElse(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 8, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	src := lazytest.New(m, ramp)
	broken := errors.New("zarr: chunk 0/0: broken")
	src.Wait = func(context.Context) error { return broken }
	a := apply(t, lazytest.BoxSum{Halo: halo(1, 1, 1)}, lazy.FromSource(src))
	e := newEngine(t, 0)
	for range 3 {
		if _, _, err := e.Get(context.Background(), a, m.Shape.Whole(), engine.Priority{}); !errors.Is(err, broken) {
			t.Fatalf("error %v", err)
		}
	}
	src.Wait = nil
	if _, _, err := e.Get(context.Background(), a, m.Shape.Whole(), engine.Priority{}); err != nil {
		t.Errorf("an error was kept: %v", err)
	}
}

func TestAPanicOfAnOpIsAnErrorThatNamesIt(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 1, 1, 4, 4}, lazy.Shape{1, 1, 1, 4, 4})
	op := lazytest.BoxSum{Wait: func(context.Context) error { panic("index out of range") }}
	e := newEngine(t, 0)
	_, _, err := e.Get(context.Background(), apply(t, op, lazytest.Array(m, ramp)), m.Shape.Whole(), engine.Priority{})
	if err == nil || !strings.Contains(err.Error(), "box sum: a fault in the program: index out of range (engine_test.go") {
		t.Errorf("error %v", err)
	}
}

func TestWalkVisitsEveryCellInOrderWithinTheBudget(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{2, 20, 1, 64, 64}, lazy.Shape{1, 8, 1, 32, 32})
	op := lazytest.BoxSum{Halo: halo(1, 0, 1)}
	a := apply(t, op, lazytest.Array(m, ramp))
	for _, grid := range []lazy.Shape{{1, 1, 1, 64, 64}, {1, 8, 1, 32, 32}, {2, 20, 1, 64, 64}} {
		const budget = 6 << 20
		e := newEngine(t, budget)
		out := lazy.NewBlock(m.Shape.Whole(), lazy.F64)
		last, calls := lazy.Region{}, 0
		s, err := e.Walk(context.Background(), a, m.Shape.Whole(), grid, func(b *lazy.Block) error {
			if calls > 0 && !less(last.Min, b.Region.Min) {
				t.Errorf("%v came after %v", b.Region, last)
			}
			last = b.Region
			lazy.CopyRegion(out, b, b.Region)
			return nil
		}, func(done, total int) { calls = done })
		if err != nil {
			t.Fatal(err)
		}
		if n := m.Shape.Whole().Cells(grid); calls != n {
			t.Errorf("%d of %d cells", calls, n)
		}
		if grid[lazy.Z] == 1 && s.ChunksRead != 24 {
			t.Errorf("%d reads of 24 chunks", s.ChunksRead)
		}
		if p := e.Counters().PeakBytes; p > budget {
			t.Errorf("peak %d", p)
		}
		sameBlock(t, out, direct(op, m, m.Shape.Whole()))
		if used, _ := e.Memory(); used > budget {
			t.Errorf("%d bytes still held", used)
		}
	}
}

func less(a, b lazy.Index) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func TestWalkStopsAtTheFirstErrorOfVisit(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 20, 1, 64, 64}, lazy.Shape{1, 1, 1, 64, 64})
	full := errors.New("disk full")
	e := newEngine(t, 0)
	_, err := e.Walk(context.Background(), lazytest.Array(m, ramp), m.Shape.Whole(), m.Chunk, func(*lazy.Block) error { return full }, nil)
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

func TestPrefetchFillsTheCacheAndGivesWay(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 8, 1, 32, 32}, lazy.Shape{1, 1, 1, 32, 32})
	a := lazytest.Array(m, ramp)
	e := newEngine(t, 0)
	var ahead []lazy.Region
	for z := range 4 {
		ahead = append(ahead, m.Shape.Whole().With(lazy.Z, z, z+1))
	}
	e.Prefetch(context.Background(), a, ahead...)
	for !e.Cached(a, ahead[3]) {
		time.Sleep(time.Millisecond)
	}
	if _, s, _ := e.Get(context.Background(), a, ahead[2], engine.Priority{}); s.ChunksRead != 0 {
		t.Errorf("read again: %+v", s)
	}
	if e.Cached(a, m.Shape.Whole().With(lazy.Z, 6, 7)) {
		t.Error("more than asked for was computed")
	}
}

func TestClosingEndsRequests(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 32, 32}, lazy.Shape{1, 4, 1, 32, 32})
	src := lazytest.New(m, ramp)
	src.Wait = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	e := engine.New(engine.Options{Workers: 2})
	got := make(chan error)
	go func() {
		_, _, err := e.Get(context.Background(), lazy.FromSource(src), m.Shape.Whole(), engine.Priority{})
		got <- err
	}()
	for src.Reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	e.Close()
	if err := <-got; !errors.Is(err, engine.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, _, err := e.Get(context.Background(), lazy.FromSource(src), m.Shape.Whole(), engine.Priority{}); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A desk keeps blocks as a device does, in memory of its own, and computes them on the processor. It checks
// that it is told of nothing that is not there, and can be made to fail.
type desk struct {
	room  int64
	takes func(*lazy.Node) bool // all ops if nil
	fails func(call int, what string) error

	mu         sync.Mutex
	calls      int
	live       map[*lazy.Block]bool
	used, peak int64
	wrong      error
}

func newDesk(room int64) *desk { return &desk{room: room, live: map[*lazy.Block]bool{}} }

func (d *desk) Run(context.Context, lazy.Op, *lazy.Block, []*lazy.Block) error {
	return errors.New("the engine carried blocks over for one op")
}

func (d *desk) Room() int64             { return d.room }
func (d *desk) Takes(n *lazy.Node) bool { return d.takes == nil || d.takes(n) }

func (d *desk) call(what string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if d.fails != nil {
		return d.fails(d.calls, what)
	}
	return nil
}

func (d *desk) keep(b *lazy.Block) *lazy.Block {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live[b] = true
	d.used += int64(len(b.Bytes()))
	d.peak = max(d.peak, d.used)
	return b
}

func (d *desk) check(b *lazy.Block) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.live[b] {
		d.wrong = fmt.Errorf("a block of %v is used and not there", b.Region)
	}
}

func (d *desk) Upload(_ context.Context, b *lazy.Block) (lazy.Remote, error) {
	if err := d.call("upload"); err != nil {
		return nil, err
	}
	own := lazy.NewBlock(b.Region, b.DType)
	copy(own.Bytes(), b.Bytes())
	return d.keep(own), nil
}

func (d *desk) Make(ctx context.Context, w lazy.Work) (lazy.Remote, error) {
	if err := d.call("make"); err != nil {
		return nil, err
	}
	var src []*lazy.Block
	for i, in := range w.Node.In {
		g := lazy.NewGather(w.Needs[i], in.Meta.DType, in.Meta.Shape, w.Node.Op.Border())
		for _, p := range w.Parts[i] {
			b := p.Remote.(*lazy.Block)
			if d.check(b); b.Region != p.Region {
				return nil, fmt.Errorf("a part of %v is said to be of %v", b.Region, p.Region)
			}
			g.Add(b)
		}
		src = append(src, g.Dst)
	}
	dst := lazy.NewBlock(w.Tile, w.Node.Meta.DType)
	if err := w.Node.Op.Compute(ctx, dst, src); err != nil {
		return nil, err
	}
	return d.keep(dst), nil
}

func (d *desk) Read(_ context.Context, r lazy.Remote, dst *lazy.Block) error {
	if err := d.call("read"); err != nil {
		lazy.Fill(dst, 99) // a device that fails may have written anything
		return err
	}
	d.check(r.(*lazy.Block))
	copy(dst.Bytes(), r.(*lazy.Block).Bytes())
	return nil
}

func (d *desk) Free(r lazy.Remote) {
	d.check(r.(*lazy.Block))
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.live, r.(*lazy.Block))
	d.used -= int64(len(r.(*lazy.Block).Bytes()))
}

// closed ends the engine and checks that it left nothing behind.
func (d *desk) closed(t rapid.TB, e *engine.Engine) {
	t.Helper()
	e.Close()
	if d.wrong != nil || len(d.live) > 0 || d.used != 0 || d.peak > d.room {
		t.Errorf("%v, %d blocks of %d bytes left, %d at most of %d", d.wrong, len(d.live), d.used, d.peak, d.room)
	}
}

// chainOf is an op applied n times, along z, y and x in turn.
func chainOf(t rapid.TB, n int, a lazy.Array) lazy.Array {
	for i := range n {
		op := lazytest.BoxSum{Halo: [3]lazy.Halo{halo(1, 0, 0), halo(0, 1, 0), halo(0, 0, 2)}[i%3]}
		next, err := lazy.Apply(op, a)
		if err != nil {
			t.Fatal(err)
		}
		a = next
	}
	return a
}

var chainMeta = lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 12, 20}, lazy.Shape{1, 2, 1, 12, 20})

// plain computes a region on the processor alone.
func plain(t rapid.TB, a lazy.Array, r lazy.Region) *lazy.Block {
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAChainOfFiveIsCarriedOverAndBackOnce(t *testing.T) {
	a := chainOf(t, 5, lazytest.Array(chainMeta, ramp))
	d := newDesk(64 << 20)
	e := engine.New(engine.Options{Workers: 2, Device: d})
	plane := chainMeta.Shape.Whole().With(lazy.Z, 1, 2)
	got, s, err := e.Get(context.Background(), a, plane, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Uploads != 2 || s.ReadBacks != 1 || s.BytesUp != 2*2*12*20 || s.BytesBack != 12*20*8 || s.Device != "gpu" {
		t.Errorf("%+v: want both chunks carried over once and one plane back", s)
	}
	_, s, err = e.Get(context.Background(), a, plane.With(lazy.Z, 2, 3), engine.Priority{})
	if err != nil || s.Uploads != 0 || s.ReadBacks != 1 {
		t.Errorf("the next plane: %+v, %v: want nothing carried over", s, err)
	}
	sameBlock(t, got, plain(t, a, plane))
	d.closed(t, e)
}

func TestAStepOfTheProcessorInAChainIsFetchedAndCarriedOverAgain(t *testing.T) {
	a := chainOf(t, 5, lazytest.Array(chainMeta, ramp))
	third := a.Node().In[0].In[0]
	d := newDesk(64 << 20)
	d.takes = func(n *lazy.Node) bool { return n.Hash != third.Hash }
	e := engine.New(engine.Options{Workers: 2, Device: d})
	plane := chainMeta.Shape.Whole().With(lazy.Z, 1, 2)
	got, s, err := e.Get(context.Background(), a, plane, engine.Priority{})
	if err != nil || s.Device != "mixed" {
		t.Fatalf("on %q, %v", s.Device, err)
	}
	sameBlock(t, got, plain(t, a, plane))
	d.closed(t, e)
}

func TestTheMemoryOfTheDeviceIsABudget(t *testing.T) {
	a := chainOf(t, 4, lazytest.Array(chainMeta, ramp))
	whole := chainMeta.Shape.Whole()
	want := plain(t, a, whole)
	for _, room := range []int64{0, 2000, 8 << 10, 24 << 10, 100 << 10} {
		d := newDesk(room)
		e := engine.New(engine.Options{Workers: 3, Device: d, Unwell: func(err error) { t.Errorf("%d bytes: %v", room, err) }})
		for z := range chainMeta.Shape[lazy.Z] {
			plane := whole.With(lazy.Z, z, z+1)
			got, _, err := e.Get(context.Background(), a, plane, engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			part := lazy.NewBlock(plane, want.DType)
			lazy.CopyRegion(part, want, plane)
			sameBlock(t, got, part)
		}
		d.closed(t, e)
	}
}

func TestADeviceThatIsFullIsClearedAndAskedOnceMore(t *testing.T) {
	a := chainOf(t, 3, lazytest.Array(chainMeta, ramp))
	full := fmt.Errorf("gpu: uploading: %w", lazy.ErrNoRoom)
	for _, c := range []struct {
		name  string
		fails func(call int, what string) error
		told  int64
	}{
		{"once, at a task", func(call int, _ string) error {
			if call == 6 {
				return full
			}
			return nil
		}, 0},
		{"at every task", func(_ int, what string) error {
			if what == "make" {
				return full
			}
			return nil
		}, 1},
		{"at every block", func(_ int, what string) error {
			if what == "upload" {
				return full
			}
			return nil
		}, 1},
	} {
		d, told := newDesk(64<<20), atomic.Int64{}
		d.fails = c.fails
		e := engine.New(engine.Options{Workers: 1, Device: d, Unwell: func(error) { told.Add(1) }})
		got, _, err := e.Get(context.Background(), a, chainMeta.Shape.Whole(), engine.Priority{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sameBlock(t, got, plain(t, a, chainMeta.Shape.Whole()))
		if told.Load() != c.told {
			t.Errorf("%s: told %d times", c.name, told.Load())
		}
		d.closed(t, e)
	}
}

// A device is killed at any call, from which on everything fails. Several requests at once still give every
// plane, right, and one word is said.
func TestKillingTheDeviceLosesNothing(t *testing.T) {
	a := chainOf(t, 4, lazytest.Array(chainMeta, ramp))
	whole := chainMeta.Shape.Whole()
	want := plain(t, a, whole)
	rapid.Check(t, func(t *rapid.T) {
		dies := rapid.IntRange(1, 40).Draw(t, "dies at call")
		d, told := newDesk(rapid.Int64Range(8<<10, 200<<10).Draw(t, "room")), atomic.Int64{}
		var failures atomic.Int64
		only := rapid.SampledFrom([]string{"", "read", "make", "upload"}).Draw(t, "what fails")
		d.fails = func(call int, what string) error {
			if call >= dies && (only == "" || only == what) {
				failures.Add(1)
				return errors.New("gpu: the device is lost")
			}
			return nil
		}
		e := engine.New(engine.Options{
			Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
			Memory:  rapid.SampledFrom([]int64{40 << 10, 64 << 10, 1 << 20}).Draw(t, "memory"),
			Device:  d, Unwell: func(error) { told.Add(1) },
		})
		planes := rapid.SliceOfN(rapid.IntRange(0, chainMeta.Shape[lazy.Z]-1), 1, 6).Draw(t, "planes")
		got, errs := make([]*lazy.Block, len(planes)), make([]error, len(planes))
		var wg sync.WaitGroup
		for i, z := range planes {
			wg.Go(func() {
				got[i], _, errs[i] = e.Get(context.Background(), a, whole.With(lazy.Z, z, z+1), engine.Priority{})
			})
		}
		wg.Wait()
		for i, z := range planes {
			if errs[i] != nil {
				t.Fatalf("plane %d: %v", z, errs[i])
			}
			part := lazy.NewBlock(whole.With(lazy.Z, z, z+1), want.DType)
			lazy.CopyRegion(part, want, part.Region)
			if string(got[i].Bytes()) != string(part.Bytes()) {
				t.Fatalf("plane %d is wrong", z)
			}
		}
		if failed := min(failures.Load(), 1); told.Load() != failed {
			t.Errorf("told %d times of %d failures", told.Load(), failures.Load())
		}
		if used, _ := e.Memory(); used > e.Counters().PeakBytes {
			t.Errorf("%d bytes held, %d at most", used, e.Counters().PeakBytes)
		}
		d.closed(t, e)
	})
}

// A block is on the device alone. One request fetches it, which fails, while another makes a block from it
// there: it is freed, and not before that one has ended.
func TestABlockThatIsLostStaysOnTheDeviceWhileATaskLooksAtIt(t *testing.T) {
	shared := chainOf(t, 1, lazytest.Array(chainMeta, ramp))
	onDevice, err := lazy.Apply(lazytest.BoxSum{Halo: halo(0, 1, 0)}, shared)
	onProcessor, err2 := lazy.Apply(lazytest.BoxSum{Halo: halo(0, 2, 0)}, shared)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	d := newDesk(64 << 20)
	d.takes = func(n *lazy.Node) bool { return n.Hash != onProcessor.Node().Hash }
	makes, replaced := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var made atomic.Int64
	d.fails = func(_ int, what string) error {
		switch {
		case what == "make" && made.Add(1) == 2:
			d.mu.Unlock() // the other request goes on meanwhile
			once.Do(func() { close(makes) })
			<-replaced
			d.mu.Lock()
		case what == "read":
			d.mu.Unlock()
			<-makes
			d.mu.Lock()
			return errors.New("gpu: the device is lost")
		}
		return nil
	}
	e := engine.New(engine.Options{Workers: 2, Device: d})
	plane := chainMeta.Shape.Whole().With(lazy.Z, 1, 2)
	var wg sync.WaitGroup
	for _, c := range []struct {
		a    lazy.Array
		then func()
	}{{onDevice, func() {}}, {onProcessor, func() { close(replaced) }}} {
		wg.Go(func() {
			defer c.then()
			got, _, err := e.Get(context.Background(), c.a, plane, engine.Priority{})
			if err != nil {
				t.Error(err)
				return
			}
			sameBlock(t, got, plain(t, c.a, plane))
		})
	}
	wg.Wait()
	d.closed(t, e)
}

func TestAnotherDeviceGoesOnWhereTheFirstStopped(t *testing.T) {
	a := chainOf(t, 5, lazytest.Array(chainMeta, ramp))
	whole := chainMeta.Shape.Whole()
	first, second := newDesk(64<<20), newDesk(64<<20)
	e := engine.New(engine.Options{Workers: 2, Device: first})
	for z, use := range []engine.Executor{first, second, nil, first} {
		e.Use(use)
		got, _, err := e.Get(context.Background(), a, whole.With(lazy.Z, z, z+1), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		sameBlock(t, got, plain(t, a, whole.With(lazy.Z, z, z+1)))
	}
	first.closed(t, e)
	second.closed(t, e)
}

func TestCancellingLeavesNothingOnTheDevice(t *testing.T) {
	a := chainOf(t, 5, lazytest.Array(chainMeta, ramp))
	for stop := 1; stop < 30; stop++ {
		d := newDesk(64 << 20)
		ctx, cancel := context.WithCancel(context.Background())
		d.fails = func(call int, _ string) error {
			if call == stop {
				cancel()
				return ctx.Err()
			}
			return nil
		}
		e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(err error) { t.Error(err) }})
		_, _, err := e.Get(ctx, a, chainMeta.Shape.Whole(), engine.Priority{})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		got, _, err := e.Get(context.Background(), a, chainMeta.Shape.Whole(), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		sameBlock(t, got, plain(t, a, chainMeta.Shape.Whole()))
		cancel()
		d.closed(t, e)
	}
}

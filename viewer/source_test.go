package viewer

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// A formula is a Source whose voxels are a function of their index, for tests.
type formula struct {
	name  string
	meta  lazy.Meta
	value func(i lazy.Index) float64

	gates []chan struct{} // if not nil, a read of plane z waits until gates[z] is closed
	fail  error           // if not nil, what reads give
	reads *atomic.Int64
}

func (f formula) Meta() lazy.Meta { return f.meta }
func (f formula) ID() string      { return fmt.Sprint("formula ", f.name, f.meta) }

func (f formula) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	if f.reads != nil {
		f.reads.Add(1)
	}
	if f.gates != nil {
		select {
		case <-f.gates[dst.Region.Min[lazy.Z]]:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	if f.fail != nil {
		return 0, f.fail
	}
	n := 0
	for at := range dst.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		setValue(dst, n, f.value(at.Min))
		n++
	}
	return int64(n), nil
}

func setValue(b *lazy.Block, i int, v float64) {
	switch b.DType {
	case lazy.U8:
		lazy.View[uint8](b)[i] = uint8(v)
	case lazy.U16:
		lazy.View[uint16](b)[i] = uint16(v)
	case lazy.I16:
		lazy.View[int16](b)[i] = int16(v)
	case lazy.I8:
		lazy.View[int8](b)[i] = int8(v)
	case lazy.U32:
		lazy.View[uint32](b)[i] = uint32(v)
	case lazy.F32:
		lazy.View[float32](b)[i] = float32(v)
	case lazy.F64:
		lazy.View[float64](b)[i] = v
	default:
		panic(b.DType)
	}
}

// shape is y, x or z, y, x.
func shape(n ...int) lazy.Shape {
	s := lazy.Shape{1, 1, 1, n[len(n)-2], n[len(n)-1]}
	if len(n) == 3 {
		s[lazy.Z] = n[0]
	}
	return s
}

// zyx is a volume of one channel, in one chunk unless chunk says otherwise.
func zyx(name string, d lazy.DType, s lazy.Shape, value func(z, y, x int) float64) formula {
	return formula{name: name, meta: lazy.Meta{Shape: s, Chunk: s, DType: d},
		value: func(i lazy.Index) float64 { return value(i[lazy.Z], i[lazy.Y], i[lazy.X]) }}
}

func microns(f formula, z, y, x float64) formula {
	f.meta.Scale = [lazy.Rank]float64{0, z, 0, y, x}
	f.meta.Unit = [lazy.Rank]string{"", "um", "", "um", "um"}
	return f
}

// dataset is one image whose levels are given.
func dataset(levels ...formula) *lazy.Dataset {
	var img lazy.Image
	for _, f := range levels {
		img.Levels = append(img.Levels, lazy.Level{Array: lazy.FromSource(f)})
	}
	return &lazy.Dataset{Source: levels[0].name, Images: []lazy.Image{img}}
}

// scene is the scene of a dataset's first image with a view of it.
func scene(t testing.TB, set *lazy.Dataset, w, h int) (*Scene, State) {
	t.Helper()
	sc, err := NewScene(set, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := opening(sc, 0, State{})
	return sc, sc.clamp(Resize(w, h)(sc, s))
}

// act does what a Session does with actions, without a Session.
func act(sc *Scene, s State, actions ...Action) State {
	for _, a := range actions {
		s = sc.clamp(a(sc, s))
	}
	return s
}

// A bench is a Session whose window is the test's own goroutine.
type bench struct {
	*testing.T
	*Session
	engine  *engine.Engine
	posts   chan func()
	news    chan struct{}
	reports chan Report
	report  Report
}

func open(t *testing.T, set *lazy.Dataset, o Options) *bench {
	t.Helper()
	return openWith(t, set, o, Open)
}

// openWith is open by another way than Open.
func openWith(t *testing.T, set *lazy.Dataset, o Options, by func(*lazy.Dataset, Options) (*Session, error)) *bench {
	t.Helper()
	b := &bench{T: t, posts: make(chan func(), 64), news: make(chan struct{}, 1), reports: make(chan Report, 1)}
	b.engine = engine.New(engine.Options{Memory: 64 << 20, Workers: 2})
	o.Engine = b.engine
	o.Post = func(f func()) { b.posts <- f }
	o.OnFrame = func() { newest(b.news, struct{}{}) }
	o.OnReport = func(r Report) {
		if r.Pane == 0 { // a picture beside it has reports of its own, which would take the place of the last one
			newest(b.reports, r)
		}
	}
	var err error
	if b.Session, err = by(set, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Close()
		<-b.Closed()
		b.engine.Close()
	})
	return b
}

// until runs the window until a frame and a report are as wanted.
func (b *bench) until(what string, ok func(f *Frame, r Report) bool) *Frame {
	b.Helper()
	late := time.After(2 * time.Minute) // on a machine that does much else
	for {
		if f := b.Frame(); f != nil && ok(f, b.report) {
			return f
		}
		select {
		case f := <-b.posts:
			f()
		case <-b.news:
		case b.report = <-b.reports:
		case <-late:
			b.Fatalf("never came: %s; the report is busy %v, error %v", what, b.report.Busy, b.report.Err)
		}
	}
}

// settled waits for the finished picture of the State, with limits found.
func (b *bench) settled() *Frame {
	b.Helper()
	return b.until("a finished picture", func(f *Frame, r Report) bool {
		return !f.Partial && !f.Stale && !r.Busy && r.Frame >= f.Number && f.State.At == b.State().At && f.State.Size == b.State().Size &&
			f.State.made().equal(b.State().made()) && !b.pending()
	})
}

func (b *bench) pending() bool {
	for _, c := range b.State().Shown() {
		if b.State().Channels[c].Rule.Pending {
			return true
		}
	}
	return false
}

// colorAt is the colour at the middle of a voxel.
func colorAt(f *Frame, across, down int) [3]uint8 {
	x, y := f.Geometry.Pixel(float64(across), float64(down))
	p := f.Image.Pix[f.Image.PixOffset(int(math.Floor(x)), int(math.Floor(y))):]
	return [3]uint8{p[0], p[1], p[2]}
}

var nan = math.NaN()

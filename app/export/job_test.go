package export

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
	"lamella/loaders/sample"
)

// memory is a writer that keeps the file in memory and checks what a writer may count on.
type memory struct {
	t       *testing.T
	all     *lazy.Block
	grid    lazy.Shape
	expect  []lazy.Region // the cells still to come
	fail    error         // of Write
	ended   string
	written int
}

func newMemory(t *testing.T, d loaders.Description, grid lazy.Shape) *memory {
	m := &memory{t: t, grid: grid, all: lazy.NewBlock(d.Meta.Shape.Whole(), d.Meta.DType)}
	for c := range m.all.Region.Tiles(grid) {
		m.expect = append(m.expect, c.Intersect(m.all.Region))
	}
	return m
}

func (m *memory) Grid() lazy.Shape { return m.grid }
func (m *memory) Abort()           { m.ended += "abort" }

func (m *memory) Close() error {
	m.ended += "close"
	if len(m.expect) > 0 {
		m.t.Errorf("closed before %d cells were written", len(m.expect))
	}
	return nil
}

func (m *memory) Write(_ context.Context, b *lazy.Block) error {
	if m.fail != nil {
		return m.fail
	}
	if len(m.expect) == 0 || b.Region != m.expect[0] {
		m.t.Fatalf("cell %v came out of turn", b.Region)
	}
	m.expect = m.expect[1:]
	m.written++
	lazy.CopyRegion(m.all, b, b.Region)
	return nil
}

func openSample(t *testing.T, path string) lazy.Image {
	t.Helper()
	set, err := sample.Driver{}.Open(t.Context(), loaders.Input{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return set.Images[0]
}

func newEngine(t *testing.T, memory int64) *engine.Engine {
	e := engine.New(engine.Options{Memory: memory, Workers: 2})
	t.Cleanup(e.Close)
	return e
}

// Every voxel of the file must be the voxel of the volume at the place that the view says, whatever
// the writer's cells and however much memory there is.
func TestAFileHoldsTheRegionAsTheViewTurnsIt(t *testing.T) {
	img := openSample(t, "sample:random?shape=2x13x3x17x19&chunk=1x4x1x8x8&dtype=int16")
	a := img.Levels[0].Array
	whole := lazy.NewBlock(a.Meta().Shape.Whole(), lazy.I16)
	if _, err := a.Node().Source.Read(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	regions := []lazy.Region{
		whole.Region,
		{Min: lazy.Index{0, 3, 1, 2, 5}, Max: lazy.Index{2, 11, 3, 16, 18}},
		{Min: lazy.Index{1, 6, 0, 0, 0}, Max: lazy.Index{2, 7, 3, 17, 19}},
		{Min: lazy.Index{1, 0, 0, 9, 0}, Max: lazy.Index{2, 13, 3, 10, 19}},
		{Min: lazy.Index{1, 0, 2, 0, 18}, Max: lazy.Index{2, 13, 3, 17, 19}},
	}
	grids := []lazy.Shape{{1, 1, 3, 32, 32}, {1, 4, 1, 8, 8}, {1, 3, 2, 5, 7}, {1, 1, 1, 4, 1 << 30}}
	for _, view := range []View{XY, XZ, YZ} {
		for _, r := range regions {
			for _, grid := range grids {
				for _, budget := range []int64{1 << 20, 24 << 10} { // at once, and in parts
					j := Job{Array: a, Region: r, View: view}
					w := newMemory(t, j.Description(), grid)
					stats, err := Run(t.Context(), newEngine(t, budget), j, w, nil)
					if err != nil {
						t.Fatal(err)
					}
					if stats.VoxelsOut != r.Voxels() || stats.VoxelsComputed != 0 || w.ended != "close" {
						t.Errorf("%v of %v: stats %+v, ended by %q", view, r, stats, w.ended)
					}
					for at := range w.all.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
						from := view.source(at, r.Min).Min
						if got, want := w.all.Value(at.Min), whole.Value(from); got != want {
							t.Fatalf("%v of %v in cells of %v: %v at %v, want %v from %v", view, r, grid, got, at.Min, want, from)
						}
					}
				}
			}
		}
	}
}

func TestRowsAndColumnsOfEachView(t *testing.T) {
	m := lazy.Meta{Shape: lazy.Shape{2, 3, 4, 5, 6}, Chunk: lazy.Shape{1, 1, 1, 5, 6}, Scale: [5]float64{9, .3, 0, .2, .1}, Origin: [5]float64{0, 10, 0, 20, 30}}
	r := m.Shape.Whole().With(lazy.Z, 1, 3).With(lazy.Y, 2, 5).With(lazy.X, 4, 5)
	for view, want := range map[View]string{
		XY: "2x2x4x3x1 [9 0.3 0 0.2 0.1] [0 10.3 0 20.4 30.4]",
		XZ: "2x3x4x2x1 [9 0.2 0 0.3 0.1] [0 20.4 0 10.3 30.4]",
		YZ: "2x1x4x2x3 [9 0.1 0 0.3 0.2] [0 30.4 0 10.3 20.4]",
	} {
		got := view.meta(m, r)
		if s := fmt.Sprint(got.Shape, got.Scale, got.Origin); s != want {
			t.Errorf("%v: %s, want %s", view, s, want)
		}
	}
}

func TestAFileKeepsTheChannelsOfItsRegion(t *testing.T) {
	img := openSample(t, "sample:cells")
	j := Job{Array: img.Levels[0].Array, Channels: img.Channels}
	j.Region = j.Array.Meta().Shape.Whole().With(lazy.C, 1, 3)
	if d := j.Description(); len(d.Channels) != 2 || d.Channels[0].Name != "Actin" {
		t.Errorf("channels %+v", d.Channels)
	}
}

func TestNothingIsLeftOfAFileThatFails(t *testing.T) {
	broken := errors.New("disk full")
	for _, budget := range []int64{1 << 30, 1 << 20} {
		j := Job{Array: openSample(t, "sample:ones").Levels[0].Array}
		j.Region = j.Array.Meta().Shape.Whole().With(lazy.Z, 0, 9)
		w := newMemory(t, j.Description(), lazy.Shape{1, 1, 1, 512, 512})
		w.fail = broken
		if _, err := Run(t.Context(), newEngine(t, budget), j, w, nil); !errors.Is(err, broken) || w.ended != "abort" {
			t.Errorf("error %v, ended by %q", err, w.ended)
		}
	}
}

func TestACancelledExportIsAborted(t *testing.T) {
	j := Job{Array: openSample(t, "sample:slow?ms=3600000").Levels[0].Array}
	j.Region = j.Array.Meta().Shape.Whole()
	ctx, cancel := context.WithCancel(t.Context())
	w := newMemory(t, j.Description(), lazy.Shape{1, 1, 1, 10, 10})
	cancel()
	if _, err := Run(ctx, newEngine(t, 1<<20), j, w, nil); !errors.Is(err, context.Canceled) || w.ended != "abort" {
		t.Errorf("error %v, ended by %q", err, w.ended)
	}
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	j := Job{Array: openSample(t, "sample:ones").Levels[0].Array}
	j.Region = j.Array.Meta().Shape.Whole()
	for _, budget := range []int64{1 << 30, 8 << 20} {
		w := newMemory(t, j.Description(), lazy.Shape{1, 1, 1, 512, 512})
		last, of := 0, 0
		_, err := Run(t.Context(), newEngine(t, budget), j, w, func(done, total int) {
			if done < last {
				t.Errorf("progress went back from %d to %d", last, done)
			}
			last, of = done, total
		})
		if err != nil || last != of || of == 0 {
			t.Errorf("ended at %d of %d: %v", last, of, err)
		}
	}
}

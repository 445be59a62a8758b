package filters_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// placed is an image of 2 x 8 x 12 x 20 voxels of 0.5, 0.2 and 0.1 µm whose first voxel lies at 1, 2 and 3 µm.
func placed(d lazy.DType) lazy.Meta {
	m := lazytest.Meta(d, lazy.Shape{2, 8, 1, 12, 20}, lazy.Shape{1, 4, 1, 12, 20})
	m.Scale = [lazy.Rank]float64{2, 0.5, 0, 0.2, 0.1}
	m.Origin = [lazy.Rank]float64{0, 1, 0, 2, 3}
	return m
}

func TestWhatMovesVoxelsSaysWhereTheyLie(t *testing.T) {
	for _, c := range []struct {
		text   string
		shape  lazy.Shape
		scale  [3]float64 // z, y, x
		origin [3]float64
	}{
		{"crop x=5:15 y=2:", lazy.Shape{2, 8, 1, 10, 10}, [3]float64{0.5, 0.2, 0.1}, [3]float64{1, 2.4, 3.5}},
		{"crop x=3.5um:4.5um z=:2um", lazy.Shape{2, 2, 1, 12, 10}, [3]float64{0.5, 0.2, 0.1}, [3]float64{1, 2, 3.5}},
		{"crop t=1:2", lazy.Shape{1, 8, 1, 12, 20}, [3]float64{0.5, 0.2, 0.1}, [3]float64{1, 2, 3}},
		{"flip", lazy.Shape{2, 8, 1, 12, 20}, [3]float64{0.5, 0.2, 0.1}, [3]float64{1, 2, 3}},
		{"rotate", lazy.Shape{2, 8, 1, 20, 12}, [3]float64{0.5, 0.1, 0.2}, [3]float64{1, 3, 2}},
		{"rotate by=180", lazy.Shape{2, 8, 1, 12, 20}, [3]float64{0.5, 0.2, 0.1}, [3]float64{1, 2, 3}},
		{"bin size=1,2,3", lazy.Shape{2, 8, 1, 6, 6}, [3]float64{0.5, 0.4, 0.3}, [3]float64{1, 2.1, 3.1}},
		{"resample", lazy.Shape{2, 40, 1, 24, 20}, [3]float64{0.1, 0.1, 0.1}, [3]float64{0.8, 1.95, 3}},
		{"resample voxel=0.25um", lazy.Shape{2, 16, 1, 10, 8}, [3]float64{0.25, 0.25, 0.25}, [3]float64{0.875, 2.025, 3.075}},
	} {
		m := chained(t, lazytest.Array(placed(lazy.U16), func(lazy.Index) float64 { return 0 }), c.text).Meta()
		if m.Shape != c.shape {
			t.Errorf("%s: the shape is %v, want %v", c.text, m.Shape, c.shape)
		}
		for i, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if math.Abs(m.Scale[a]-c.scale[i]) > 1e-12 || math.Abs(m.Origin[a]-c.origin[i]) > 1e-12 {
				t.Errorf("%s: along %v the scale is %v from %v, want %v from %v", c.text, a, m.Scale[a], m.Origin[a], c.scale[i], c.origin[i])
			}
		}
	}
}

func TestACropOfACoarserLevelIsThatOfTheFinest(t *testing.T) {
	fine, coarse := placed(lazy.U8), placed(lazy.U8)
	coarse.Shape, coarse.Chunk = lazy.Shape{2, 8, 1, 6, 10}, lazy.Shape{1, 4, 1, 6, 10}
	coarse.Scale[lazy.Y], coarse.Scale[lazy.X] = 0.4, 0.2
	coarse.Origin[lazy.Y], coarse.Origin[lazy.X] = 2.1, 3.05 // the centre of four voxels
	zero := func(lazy.Index) float64 { return 0 }
	for _, c := range []struct {
		text     string
		from, to int // along x
	}{{"crop x=4:12", 2, 6}, {"crop x=5:12", 3, 6}, {"crop x=5:6", 3, 4}, {"crop x=19:", 9, 10}, {"gaussian | crop x=4:12", 2, 6}, {"bin size=1,1,2 | crop x=2:6", 2, 6}} {
		chain, err := filters.Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		on := lazytest.Array(coarse, zero)
		if strings.HasPrefix(c.text, "bin") { // whose coarser level has half as many voxels again
			c.from, c.to = 1, 3
		}
		a, err := chain.ApplyTo(on, lazytest.Array(fine, zero))
		if err != nil {
			t.Fatal(err)
		}
		m := a.Meta()
		first := (m.Origin[lazy.X] - on.Meta().Origin[lazy.X]) / on.Meta().Scale[lazy.X]
		if strings.HasPrefix(c.text, "bin") {
			first = (first - 0.5) / 2
		}
		if n := m.Shape[lazy.X]; n != c.to-c.from || math.Abs(first-float64(c.from)) > 1e-9 {
			t.Errorf("%s: %d voxels from %v, want %d from %d", c.text, n, first, c.to-c.from, c.from)
		}
	}
}

func TestWhatCannotBeCutSaysWhy(t *testing.T) {
	plain := lazytest.Meta(lazy.U8, lazy.Shape{1, 4, 1, 5, 6}, lazy.Shape{1, 4, 1, 5, 6})
	plain.Scale = [lazy.Rank]float64{}
	for text, want := range map[string]string{
		"crop x=9:12":           "holds none of the 6 voxels",
		"crop x=5":              "expected A:B in voxels",
		"crop x=1um:2um":        "does not state its voxel size along x",
		"crop t=1um:2um":        "expected A:B in voxels",
		"bin size=9":            "a box of 9 is longer than the image along z, which has 4 voxels",
		"resample":              "does not state the size of its voxels",
		"resample voxel=0.5um":  "does not state its voxel size along z",
		"resample voxel=1e-300": "that would be",
	} {
		chain, err := filters.Parse(text)
		if err == nil {
			_, err = chain.Apply(lazytest.Array(plain, func(lazy.Index) float64 { return 0 }))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Labels are never mixed, and 64-bit integers that no float64 holds come through whole.
func TestLabelsAndLargeIntegersAreKept(t *testing.T) {
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	whole := func(a lazy.Array) *lazy.Block {
		b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 1, 1, 2, 5}, lazy.Shape{1, 1, 1, 2, 5})
	m.Labels, m.Scale = true, [lazy.Rank]float64{1, 1, 1, 1, 1}
	labels := lazytest.Array(m, func(i lazy.Index) float64 { return float64(10*i[lazy.Y] + i[lazy.X]) })
	if got := lazy.View[uint16](whole(chained(t, labels, "bin"))); got[0] != 0 || got[1] != 2 || len(got) != 2 {
		t.Errorf("labels in boxes are %v", got)
	}
	if a := chained(t, labels, "resample voxel=0.5"); !a.Meta().Labels {
		t.Error("resampled labels are none")
	} else if got := lazy.View[uint16](whole(a)); got[0] != 0 || got[1] != 0 || got[2] != 1 || got[9] != 4 {
		t.Errorf("labels of half the size are %v", got)
	}
	m = lazytest.Meta(lazy.U64, lazy.Shape{1, 1, 1, 1, 4}, lazy.Shape{1, 1, 1, 1, 4})
	large := lazy.FromSource(oneGreat{m})
	if got := lazy.View[uint64](whole(chained(t, large, "bin how=max"))); got[0] != 1<<63+1 || got[1] != 1<<63+3 {
		t.Errorf("the greatest are %v", got)
	}
}

// oneGreat counts from 2^63 on.
type oneGreat struct{ m lazy.Meta }

func (o oneGreat) Meta() lazy.Meta { return o.m }
func (o oneGreat) ID() string      { return "great integers" }
func (o oneGreat) Read(_ context.Context, b *lazy.Block) (int64, error) {
	for i := range lazy.View[uint64](b) {
		lazy.View[uint64](b)[i] = 1<<63 + uint64(b.Region.Min[lazy.X]+i)
	}
	return 0, nil
}

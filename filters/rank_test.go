package filters_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A rank filter sorts each box; so does this test, one voxel at a time, for any type, box, rank and region.
func TestARankIsThatOfTheSortedBox(t *testing.T) {
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SampledFrom(lazy.DTypes()).Draw(rt, "type")
		shape := lazy.Shape{1, rapid.IntRange(2, 6).Draw(rt, "nz"), 2, rapid.IntRange(2, 40).Draw(rt, "ny"), rapid.IntRange(2, 90).Draw(rt, "nx")}
		var size [3]int
		n := 1
		for i := range size {
			size[i] = rapid.IntRange(1, []int{4, 6, 6}[i]).Draw(rt, "width")
			n *= size[i]
		}
		percent := rapid.IntRange(0, 100).Draw(rt, "percent")
		rank := min(n-1, n*percent/100)
		spread := rapid.SampledFrom([]int{3, 100, 20000}).Draw(rt, "spread")
		value := func(i lazy.Index) float64 {
			v := float64(int(uint32(i[lazy.C]*7+i[lazy.Z]*7919+i[lazy.Y]*104729+i[lazy.X]*1299709)*2654435761>>8)%spread - spread/3)
			if d.Float() && int(v)%11 == 0 {
				v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.25, -0.25}[(i[lazy.X]+i[lazy.Y])%5]
			}
			return v
		}
		a := lazytest.Array(lazytest.Meta(d, shape, shape), value)
		whole := lazytest.Array(lazytest.Meta(d, shape, shape), value)
		b := chained(t, a, fmt.Sprintf("percentile percentile=%d size=%d,%d,%d border=nearest", percent, size[0], size[1], size[2]))
		region := shape.Whole()
		for _, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if rapid.Bool().Draw(rt, "thin") {
				at := rapid.IntRange(0, shape[ax]-1).Draw(rt, "at")
				region = region.With(ax, at, at+1)
			}
		}
		got, _, err := e.Get(context.Background(), b, region, engine.Priority{})
		if err != nil {
			rt.Fatal(err)
		}
		src, _, _ := e.Get(context.Background(), whole, shape.Whole(), engine.Priority{})
		lazytest.Each(region, func(i lazy.Index) {
			var box []float64
			for k := range n {
				at := i
				for m, o := range []int{k / size[2] / size[1], k / size[2] % size[1], k % size[2]} {
					ax := []lazy.Axis{lazy.Z, lazy.Y, lazy.X}[m]
					at[ax] = max(0, min(shape[ax]-1, i[ax]+o-size[m]/2))
				}
				box = append(box, src.Value(at))
			}
			slices.SortFunc(box, nanLast)
			if g, w := got.Value(i), box[rank]; nanLast(g, w) != 0 {
				rt.Fatalf("%v, box %v, rank %d: voxel %v is %v, want %v", d, size, rank, i, g, w)
			}
		})
	})
}

func nanLast(a, b float64) int {
	switch aNaN, bNaN := math.IsNaN(a), math.IsNaN(b); {
	case aNaN && bNaN || a == b:
		return 0
	case bNaN || a < b:
		return -1
	}
	return 1
}

func TestNaNCountsAsGreaterThanEveryNumber(t *testing.T) {
	nan := math.NaN()
	for _, d := range []lazy.DType{lazy.F32, lazy.F64} {
		row := func(text string) string {
			return fmt.Sprint(middle(t, chained(t, rowOf(d, 3, 1, nan, 3, 2, 5), text+" size=1,1,3 border=nearest")))
		}
		for text, want := range map[string]string{"minimum": "[1 1 2 2 2]", "maximum": "[NaN NaN NaN 5 5]", "median": "[1 3 3 3 5]"} {
			if got := row(text); got != want {
				t.Errorf("%s of %v: %s, want %s", text, d, got, want)
			}
		}
	}
}

func TestACancelledRankStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.F32} {
		for _, text := range []string{"median", "median size=9", "minimum"} {
			shape := lazy.Shape{1, 64, 1, 64, 64}
			n := chained(t, lazytest.Array(lazytest.Meta(d, shape, shape), nil), text).Node()
			tile := lazy.At(lazy.Index{0, 20, 0, 20, 20}, lazy.Shape{1, 8, 1, 32, 32})
			src := lazy.NewBlock(n.Op.Need(tile, n.InMetas())[0], d)
			if err := n.Op.Compute(ctx, lazy.NewBlock(tile, d), []*lazy.Block{src}); err != context.Canceled {
				t.Errorf("%s of %v: error %v", text, d, err)
			}
		}
	}
}

package filters_test

import (
	"context"
	"fmt"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// The cases of bugs_test.go once more, along other axes, with arrays stacked, and with stencils written out.

// total is the sum of the voxels of a region.
func total(t *testing.T, a lazy.Array, r lazy.Region) float64 {
	t.Helper()
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, v := range lazytest.Values(b) {
		sum += v
	}
	return sum
}

func TestBR010StackedSourcesOfOneShapeKeepTheirValues(t *testing.T) {
	shape := lazy.Shape{1, 1, 1, 4, 4}
	full := func(v float64) lazy.Array {
		return lazytest.Array(lazytest.Meta(lazy.F32, shape, shape), func(lazy.Index) float64 { return v })
	}
	zeros, ones := full(0), full(1)
	for _, chain := range []string{"cast", "mean"} {
		a, b := chained(t, zeros, chain), chained(t, ones, chain)
		for _, order := range [][2]lazy.Array{{a, b}, {b, a}} {
			stack, err := lazy.Concat(lazy.Y, order[:]...)
			if err != nil {
				t.Fatal(err)
			}
			whole := stack.Meta().Shape.Whole()
			first, all := total(t, stack, whole.With(lazy.Y, 0, 4)), total(t, stack, whole)
			if want := total(t, order[0], shape.Whole()); first != want || all != 16 {
				t.Errorf("%s: the stack's sum is %v, that of its first four rows %v, want 16 and %v", chain, all, first, want)
			}
		}
	}
}

func TestBR011TheLastChunkMayBeSmallerThanTheHaloAlongEveryAxis(t *testing.T) {
	for _, chunk := range []int{1, 2, 3, 4, 5, 11} {
		for _, axis := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			shape, cut := lazy.Shape{1, 1, 1, 1, 1}, lazy.Shape{1, 1, 1, 1, 1}
			shape[axis], cut[axis] = 11, chunk
			row := lazytest.Array(lazytest.Meta(lazy.F32, shape, cut), func(i lazy.Index) float64 { return float64(i[axis]) })
			mean := lazy.SwapAxes(chained(t, row, "mean size=5 border=constant dtype=float64"), axis, lazy.X)
			var sums []float64
			for x := range 11 {
				sums = append(sums, 5*total(t, mean, mean.Meta().Shape.Whole().With(lazy.X, x, x+1)))
			}
			near(t, fmt.Sprintf("sum of five along %v, chunks of %d", axis, chunk), sums, 1e-6, 3, 6, 10, 15, 20, 25, 30, 35, 40, 34, 27)
		}
	}
}

// Nine voxels around each of four: all windows reach beyond both ends. The sums are by hand.
func TestBR013AKernelMayBeLongerThanTheAxis(t *testing.T) {
	for border, want := range map[string][]float64{
		"reflect": {15, 14, 13, 12}, "mirror": {16, 15, 12, 11}, "nearest": {9, 12, 15, 18}, "wrap": {12, 13, 14, 15}, "constant": {6, 6, 6, 6}, "blank": {0, 0, 0, 0},
	} {
		for _, chunk := range []int{1, 3, 4} {
			got := middle(t, chained(t, rowOf(lazy.F32, chunk, 0, 1, 2, 3), "mean size=1,1,9 border="+border))
			for i := range got {
				got[i] *= 9
			}
			near(t, fmt.Sprint(border, ", chunks of ", chunk), got, 1e-6, want...)
		}
	}
}

func TestBR008ANormalisedKernelIsNotCutToWholeNumbers(t *testing.T) {
	const eighth = `stencil "(x[-1,1] + 2*x[0,1] + x[1,1] - x[-1,-1] - 2*x[0,-1] - x[1,-1]) / 8"`
	for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.I16} {
		near(t, d.String(), middle(t, chained(t, rowOf(d, 3, 0, 0, 0, 0, 255, 255, 255, 255), eighth)), 0, 0, 0, 0, 127.5, 127.5, 0, 0, 0)
		near(t, d.String()+" swapped", middle(t, chained(t, rowOf(d, 3, 255, 255, 255, 255, 0, 0, 0, 0), eighth)), 0, 0, 0, 0, -127.5, -127.5, 0, 0, 0)
	}
}

func TestBR009TheMeanOfSevenOnesAndAZeroIsSevenEighths(t *testing.T) {
	shape := lazy.Shape{1, 2, 1, 2, 2}
	seven := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(i lazy.Index) float64 { return min(1, float64(i[lazy.Z]+i[lazy.Y]+i[lazy.X])) })
	last := lazy.At(lazy.Index{0, 1, 0, 1, 1}, lazy.Shape{1, 1, 1, 1, 1})
	for text, want := range map[string]float64{"mean size=2": 1, "mean size=2 dtype=float32": 0.875, "mean size=2 dtype=float32 | cast dtype=int8": 1} {
		if got := total(t, chained(t, seven, text), last); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestBR015AStencilThatIsWrittenOutIsACorrelation(t *testing.T) {
	shape := lazy.Shape{1, 1, 1, 7, 7}
	point := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(i lazy.Index) float64 {
		if i[lazy.Y] == 3 && i[lazy.X] == 3 {
			return 1
		}
		return 0
	})
	text := `stencil "x[-1,-1] + 2*x[-1,0] + 3*x[-1,1] + 4*x[0,-1] + 5*x + 6*x[0,1] + 7*x[1,-1] + 8*x[1,0] + 9*x[1,1]"`
	centre := lazy.At(lazy.Index{0, 0, 0, 2, 2}, lazy.Shape{1, 1, 1, 3, 3})
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	b, _, err := e.Get(context.Background(), chained(t, point, text), centre, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "around the point", lazytest.Values(b), 0, 9, 8, 7, 6, 5, 4, 3, 2, 1)
}

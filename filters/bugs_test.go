package filters_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// Cases from bug reports on comparable programs. Each volume is a row along x repeated in z and y, and
// the row is read in the middle.

func rowOf(d lazy.DType, chunk int, values ...float64) lazy.Array {
	shape := lazy.Shape{1, 9, 1, 9, len(values)}
	return lazytest.Array(lazytest.Meta(d, shape, lazy.Shape{1, 9, 1, 9, chunk}), func(i lazy.Index) float64 { return values[i[lazy.X]] })
}

func middle(t *testing.T, a lazy.Array) []float64 {
	t.Helper()
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole().With(lazy.Z, 4, 5), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	var row []float64
	for x := range a.Meta().Shape[lazy.X] {
		row = append(row, b.Value(lazy.Index{0, 4, 0, 4, x}))
	}
	return row
}

func near(t *testing.T, what string, got []float64, tolerance float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestBR008EdgeStrengthDoesNotWrap(t *testing.T) {
	for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.I16, lazy.F32} {
		edge := rowOf(d, 8, 0, 0, 0, 0, 255, 255, 255, 255)
		near(t, d.String(), middle(t, chained(t, edge, "sobel dims=2")), 1e-6, 0, 0, 0, 1020, 1020, 0, 0, 0)
		near(t, d.String()+" in uint8", middle(t, chained(t, edge, "sobel dims=2 dtype=uint8")), 0, 0, 0, 0, 255, 255, 0, 0, 0)
		swapped := rowOf(d, 8, 255, 255, 255, 255, 0, 0, 0, 0)
		near(t, d.String()+" swapped", middle(t, chained(t, swapped, "sobel axis=x dims=2")), 0, 0, 0, 0, -1020, -1020, 0, 0, 0)
		near(t, d.String()+" swapped, in uint16", middle(t, chained(t, swapped, "sobel axis=x dims=2 dtype=uint16")), 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
}

func TestBR009TheMeanOfSignedIntegersIsRoundedEvenly(t *testing.T) {
	for _, d := range []lazy.DType{lazy.I8, lazy.I16, lazy.I32} {
		near(t, d.String(), middle(t, chained(t, rowOf(d, 6, -128, -128, -128, 127, 127, 127), "mean size=1,1,3 border=nearest")), 0,
			-128, -128, -43, 42, 127, 127)
		near(t, d.String()+" of -1 -1 -2", middle(t, chained(t, rowOf(d, 3, -1, -1, -2), "mean size=1,1,3"))[1:2], 0, -1)
		near(t, d.String()+" of -1 -1 -2 as a real number", middle(t, chained(t, rowOf(d, 3, -1, -1, -2), "mean size=1,1,3 dtype=float32"))[1:2], 1e-6, -4.0/3)
	}
	values := []float64{3, -7, 12, 100, -101, 55, 54, -2, 0, 1, -1, -120}
	var negative []float64
	for _, v := range values {
		negative = append(negative, -v)
	}
	a := middle(t, chained(t, rowOf(lazy.I8, 5, values...), "mean size=1,1,4"))
	b := middle(t, chained(t, rowOf(lazy.I8, 5, negative...), "mean size=1,1,4"))
	for i := range a {
		if a[i] != -b[i] {
			t.Errorf("the mean at %d is %v, that of the negative %v", i, a[i], b[i])
		}
	}
	seven := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 2, 1, 2, 2}, lazy.Shape{1, 2, 1, 2, 2}), func(i lazy.Index) float64 {
		return min(1, float64(i[lazy.Z]+i[lazy.Y]+i[lazy.X]))
	})
	e := engine.New(engine.Options{Workers: 1})
	defer e.Close()
	b1, _, err := e.Get(context.Background(), chained(t, seven, "mean size=2"), lazy.At(lazy.Index{0, 1, 0, 1, 1}, lazy.Shape{1, 1, 1, 1, 1}), engine.Priority{})
	if err != nil || b1.Value(lazy.Index{0, 1, 0, 1, 1}) != 1 {
		t.Errorf("the mean of seven 1s and one 0 is %v, %v", b1.Value(lazy.Index{0, 1, 0, 1, 1}), err)
	}
}

func TestBR011TheLastChunkMayBeSmallerThanTheHalo(t *testing.T) {
	row := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, chunk := range []int{1, 2, 3, 4, 5, 11} {
		a := rowOf(lazy.F32, chunk, row...)
		sum := middle(t, chained(t, a, "mean size=1,1,5 border=constant"))
		for i := range sum {
			sum[i] *= 5
		}
		near(t, fmt.Sprint("sum of five, chunks of ", chunk), sum, 1e-6, 3, 6, 10, 15, 20, 25, 30, 35, 40, 34, 27)
		near(t, fmt.Sprint("mean of five, chunks of ", chunk), middle(t, chained(t, a, "mean size=1,1,5")), 1e-6,
			0.8, 1.2, 2, 3, 4, 5, 6, 7, 8, 8.8, 9.2)
	}
}

func TestBR013EachBorderGivesItsMeanOfThree(t *testing.T) {
	for border, want := range map[string][]float64{
		"wrap": {4. / 3, 1, 2, 5. / 3}, "reflect": {1. / 3, 1, 2, 8. / 3}, "mirror": {2. / 3, 1, 2, 7. / 3},
		"nearest": {1. / 3, 1, 2, 8. / 3}, "constant": {1. / 3, 1, 2, 5. / 3}, "blank": {0, 1, 2, 0},
	} {
		near(t, border, middle(t, chained(t, rowOf(lazy.F32, 3, 0, 1, 2, 3), "mean size=1,1,3 border="+border)), 1e-6, want...)
	}
}

func TestBR014ABoxMeanOfOnesIsOne(t *testing.T) {
	var row []float64
	for i := range 23 {
		v := 0.0
		if i >= 8 && i < 17 {
			v = 1
		}
		row = append(row, v)
	}
	for width := 3; width <= 9; width++ {
		for _, d := range []lazy.DType{lazy.U8, lazy.I16, lazy.I32} {
			// As whole numbers 1 comes of more than half ones; what is asked is where it is exactly one.
			exact := middle(t, chained(t, rowOf(d, 7, row...), fmt.Sprintf("mean size=1,1,%d dtype=float64", width)))
			if n := count(exact, 0); n != 10-width {
				t.Errorf("%v, width %d: %d ones, want %d", d, width, n, 10-width)
			}
		}
		if n := count(middle(t, chained(t, rowOf(lazy.F32, 7, row...), fmt.Sprintf("mean size=1,1,%d", width))), 1e-6); n != 10-width {
			t.Errorf("float32, width %d: %d ones, want %d", width, n, 10-width)
		}
		if got := middle(t, chained(t, rowOf(lazy.U8, 7, row...), fmt.Sprintf("mean size=1,1,%d", width))); got[8+width/2] != 1 {
			t.Errorf("uint8, width %d: the mean of ones is %v", width, got[8+width/2])
		}
	}
}

func count(row []float64, tolerance float64) int {
	n := 0
	for _, v := range row {
		if math.Abs(v-1) <= tolerance {
			n++
		}
	}
	return n
}

func TestAnEvenBoxReachesOneVoxelFurtherBefore(t *testing.T) {
	near(t, "width 2", middle(t, chained(t, rowOf(lazy.F32, 2, 0, 1, 0, 0), "mean size=1,1,2")), 0, 0, 0.5, 0.5, 0)
	near(t, "width 4", middle(t, chained(t, rowOf(lazy.F32, 2, 0, 0, 0, 4, 0, 0, 0), "mean size=1,1,4")), 0, 0, 0, 1, 1, 1, 1, 0)
}

func TestLengthsInMicrometresFollowTheVoxel(t *testing.T) {
	m := lazytest.Meta(lazy.F32, lazy.Shape{1, 16, 1, 32, 32}, lazy.Shape{1, 16, 1, 32, 32})
	m.Scale = [lazy.Rank]float64{0, 0.5, 0, 0.1, 0.1}
	a := lazytest.Array(m, formula(lazy.F32))
	um, voxels := chained(t, a, "gaussian sigma=0.4um"), chained(t, a, "gaussian sigma=0.8,4,4")
	if um.Node().Hash != voxels.Node().Hash {
		t.Error("0.4 um is not 0.8 x 4 x 4 voxels of 0.5 x 0.1 x 0.1 um")
	}
	if nm := chained(t, a, "gaussian sigma=400nm"); nm.Node().Hash != um.Node().Hash {
		t.Error("400 nm is not 0.4 um")
	}
	if got := must("gaussian sigma=0.4um")[0].Effective(m); got != "0.8 x 4 x 4 voxels" {
		t.Errorf("the panel says %q", got)
	}
	m.Scale[lazy.Z] = 0
	want := "filters: gaussian: sigma=0.4um: the image does not state its voxel size along z: give a number of voxels (step 1 of the chain)"
	if _, err := must("gaussian sigma=0.4um").Apply(lazytest.Array(m, formula(lazy.F32))); err == nil || err.Error() != want {
		t.Errorf("without a voxel size along z: %v", err)
	}
}

func TestAnAxisOfOneVoxelIsLeftAlone(t *testing.T) {
	flat := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 1, 1, 9, 11}, lazy.Shape{1, 1, 1, 9, 11}), formula(lazy.U16))
	for three, two := range map[string]string{"sobel": "sobel dims=2", "mean": "mean size=1,3,3", "gaussian": "gaussian sigma=0,1,1", "scharr": "scharr dims=2",
		"log": "log sigma=0,1,1", "gradient": "gradient sigma=0,1,1", "dog": "dog sigma1=0,1,1 sigma2=0,1.6,1.6", "median": "median size=1,3,3",
		"maximum": "maximum size=1,3,3", "opening size=4": "opening size=1,4,4", "unsharp": "unsharp sigma=0,1,1",
	} {
		e := engine.New(engine.Options{Workers: 1})
		a, _, err := e.Get(context.Background(), chained(t, flat, three), flat.Meta().Shape.Whole(), engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		b, _, _ := e.Get(context.Background(), chained(t, flat, two), flat.Meta().Shape.Whole(), engine.Priority{})
		if string(a.Bytes()) != string(b.Bytes()) {
			t.Errorf("on one plane %q is not %q", three, two)
		}
		e.Close()
	}
}

func TestResultTypes(t *testing.T) {
	for text, want := range map[string]map[lazy.DType]lazy.DType{
		"mean":                   {lazy.U8: lazy.U8, lazy.I16: lazy.I16, lazy.F32: lazy.F32, lazy.U64: lazy.U64},
		"gaussian":               {lazy.U8: lazy.U8, lazy.I32: lazy.I32, lazy.F64: lazy.F64},
		"sobel":                  {lazy.U8: lazy.F32, lazy.U32: lazy.F32, lazy.F32: lazy.F32, lazy.I64: lazy.F64, lazy.F64: lazy.F64},
		"scharr":                 {lazy.I8: lazy.F32, lazy.U64: lazy.F64},
		"laplace":                {lazy.U16: lazy.F32, lazy.F64: lazy.F64},
		"log":                    {lazy.U16: lazy.F32, lazy.I32: lazy.F32, lazy.I64: lazy.F64},
		"gradient":               {lazy.U16: lazy.F32},
		"dog":                    {lazy.U16: lazy.F32},
		"unsharp":                {lazy.U16: lazy.U16, lazy.F32: lazy.F32},
		"median":                 {lazy.U16: lazy.U16, lazy.F64: lazy.F64},
		"minimum dtype=float32":  {lazy.U16: lazy.F32},
		"white-tophat":           {lazy.I16: lazy.I16},
		"threshold":              {lazy.F32: lazy.U8, lazy.I64: lazy.U8},
		"rescale":                {lazy.U8: lazy.F32},
		"clip":                   {lazy.I32: lazy.I32},
		"gamma":                  {lazy.U8: lazy.U8},
		"cast":                   {lazy.U8: lazy.F32},
		"cast dtype=int8":        {lazy.F32: lazy.I8},
		"project":                {lazy.U16: lazy.U16},
		"project how=sum":        {lazy.U16: lazy.F32, lazy.F64: lazy.F32},
		"project how=sd":         {lazy.U16: lazy.F32},
		"gaussian dtype=float32": {lazy.U8: lazy.F32, lazy.F64: lazy.F32},
		"mean size=1 dtype=int8": {lazy.F32: lazy.I8},
	} {
		for in, out := range want {
			a := chained(t, lazytest.Array(lazytest.Meta(in, lazy.Shape{1, 4, 1, 4, 4}, lazy.Shape{1, 4, 1, 4, 4}), nil), text)
			if got := a.Meta().DType; got != out {
				t.Errorf("%s of %v is %v, want %v", text, in, got, out)
			}
		}
	}
}

func TestEveryTypeIsFilteredLikeItsRealNumbers(t *testing.T) {
	for _, d := range lazy.DTypes() {
		values := func(i lazy.Index) float64 { return float64((i[lazy.Z]*37 + i[lazy.Y]*17 + i[lazy.X]*71) % 120) }
		shape := lazy.Shape{1, 6, 1, 7, 8}
		for _, text := range []string{"mean dtype=float64", "gaussian dtype=float64", "sobel dtype=float64", "sobel norm=l1 dtype=float64", "scharr dtype=float64",
			"laplace dtype=float64", "log dtype=float64", "gradient dtype=float64", "dog dtype=float64", "unsharp dtype=float64", "median", "minimum", "closing",
			"black-tophat", "project how=sd dtype=float64", "project how=sum dtype=float64", "project around=1 how=mean", "rescale dtype=float64",
		} {
			e := engine.New(engine.Options{Workers: 1})
			filtered := chained(t, lazytest.Array(lazytest.Meta(d, shape, shape), values), text)
			whole := filtered.Meta().Shape.Whole()
			a, _, err := e.Get(context.Background(), filtered, whole, engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			b, _, _ := e.Get(context.Background(), chained(t, lazytest.Array(lazytest.Meta(lazy.F64, shape, shape), values), text), whole, engine.Priority{})
			wants := lazytest.Values(b)
			for i, v := range lazytest.Values(a) {
				if w := wants[i]; math.Abs(v-w) > 1e-5*math.Max(4, math.Abs(w)) {
					t.Errorf("%s of %v: voxel %d is %v, in float64 %v", text, d, i, v, w)
					break
				}
			}
			e.Close()
		}
	}
}

package stencil_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func ExampleMap() {
	row := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1, 1, 1, 3}, lazy.Shape{1, 1, 1, 1, 3}), func(i lazy.Index) float64 { return float64(i[lazy.X]) })
	column := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 1, 1, 2, 1}, lazy.Shape{1, 1, 1, 2, 1}), func(i lazy.Index) float64 { return float64(10 * i[lazy.Y]) })
	table, err := stencil.Map("x + y", row, column)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{})
	defer e.Close()
	b, _, _ := e.Get(context.Background(), table, table.Meta().Shape.Whole(), engine.Priority{})
	fmt.Println(table.Meta().Shape, table.Meta().DType, lazytest.Values(b))
	// Output: 1x1x1x2x3 uint8 [0 1 2 10 11 12]
}

func ramp(d lazy.DType, s lazy.Shape) lazy.Array {
	return lazytest.Array(lazytest.Meta(d, s, s), func(i lazy.Index) float64 { return float64(10*i[lazy.Y] + i[lazy.X] + 1) })
}

func TestArraysAreComputedVoxelByVoxel(t *testing.T) {
	s := lazy.Shape{1, 1, 1, 2, 2} // 1 2 11 12
	a, small, two := ramp(lazy.U8, s), ramp(lazy.I16, lazy.Shape{1, 1, 1, 1, 2}), ramp(lazy.F32, lazy.Shape{1, 1, 1, 1, 1})
	for _, c := range []struct {
		text string
		in   []lazy.Array
		d    lazy.DType
		want []float64
	}{
		{"x + y", []lazy.Array{a, a}, lazy.U8, []float64{2, 4, 22, 24}},
		{"x - 2*y", []lazy.Array{a, a}, lazy.U8, []float64{0, 0, 0, 0}},
		{"x - 2*y", []lazy.Array{a, small}, lazy.I16, []float64{-1, -2, 9, 8}},
		{"x * y", []lazy.Array{a, small}, lazy.I16, []float64{1, 4, 11, 24}},
		{"x * 100 * y", []lazy.Array{a, a}, lazy.U8, []float64{100, 255, 255, 255}},
		{"x / y", []lazy.Array{a, small}, lazy.F32, []float64{1, 1, 11, 6}},
		{"min(x, y, z)", []lazy.Array{a, small, a}, lazy.I16, []float64{1, 2, 1, 2}},
		{"max(x, y)", []lazy.Array{small, a}, lazy.I16, []float64{1, 2, 11, 12}},
		{"x // y", []lazy.Array{a, small}, lazy.I16, []float64{1, 1, 11, 6}},
		{"x + y[0,1]", []lazy.Array{a, a}, lazy.U8, []float64{3, 4, 23, 24}}, // reflected
		{"where(x > y, x, 0.5)", []lazy.Array{a, small}, lazy.F32, []float64{0.5, 0.5, 11, 12}},
		{"x + y + z", []lazy.Array{two, a, small}, lazy.F32, []float64{3, 5, 13, 15}},
		{"norm(3*x, 4*y)", []lazy.Array{a, a}, lazy.F32, []float64{5, 10, 55, 60}},
	} {
		out, err := stencil.Map(c.text, c.in...)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		e := engine.New(engine.Options{Workers: 1})
		b, _, err := e.Get(context.Background(), out, out.Meta().Shape.Whole(), engine.Priority{})
		e.Close()
		if err != nil || out.Meta().DType != c.d || !slices.Equal(lazytest.Values(b), c.want) {
			t.Errorf("%s: %v %v, %v, want %v %v", c.text, out.Meta().DType, lazytest.Values(b), err, c.d, c.want)
		}
	}
}

// The types are NumPy's of numpy.result_type, but for 64-bit integers with float32, where NumPy gives float64 too.
func TestTheTypeOfAResultHoldsTheValuesOfAllArrays(t *testing.T) {
	s := lazy.Shape{1, 1, 1, 1, 2}
	for _, c := range [][3]lazy.DType{
		{lazy.U8, lazy.U8, lazy.U8}, {lazy.U8, lazy.I8, lazy.I16}, {lazy.U16, lazy.I16, lazy.I32}, {lazy.U16, lazy.U8, lazy.U16}, {lazy.U32, lazy.I8, lazy.I64},
		{lazy.U64, lazy.U8, lazy.U64}, {lazy.U64, lazy.I8, lazy.F64}, {lazy.U16, lazy.F32, lazy.F32}, {lazy.I32, lazy.F32, lazy.F64}, {lazy.I64, lazy.F32, lazy.F64},
		{lazy.F32, lazy.F64, lazy.F64}, {lazy.F32, lazy.F32, lazy.F32}, {lazy.I64, lazy.I64, lazy.I64},
	} {
		for _, in := range [][]lazy.Array{{ramp(c[0], s), ramp(c[1], s)}, {ramp(c[1], s), ramp(c[0], s)}} {
			out, err := stencil.Map("x + y", in...)
			if err != nil || out.Meta().DType != c[2] {
				t.Errorf("%v and %v give %v, %v, want %v", c[0], c[1], out.Meta().DType, err, c[2])
			}
		}
	}
	if a, err := stencil.Cast(ramp(lazy.F32, s), lazy.U8); err != nil || a.Meta().DType != lazy.U8 {
		t.Errorf("cast: %v", err)
	}
}

func TestArraysThatDoNotFitAreRefused(t *testing.T) {
	a, b := ramp(lazy.U8, lazy.Shape{1, 1, 1, 2, 3}), ramp(lazy.U8, lazy.Shape{1, 1, 1, 2, 4})
	for want, got := range map[string]func() (lazy.Array, error){
		`stencil: map "x + y": array 2: lazy: broadcasting 1x1x1x2x4 to 1x1x1x2x3: expected a length of 1 or 3 along x, found 4`: func() (lazy.Array, error) { return stencil.Map("x + y", a, b) },
		`stencil: map "x": expected 1 to 6 arrays, found 0`:                                                                      func() (lazy.Array, error) { return stencil.Map("x") },
		`stencil: column 1: the stencil never looks at its input, y`:                                                             func() (lazy.Array, error) { return stencil.Map("x", a, a) },
		`stencil: column 5: "y" is not known: the input is x;`:                                                                   func() (lazy.Array, error) { return stencil.Map("x + y", a) },
		`stencil: cast: dtype(0) is not a voxel type`:                                                                            func() (lazy.Array, error) { return stencil.Cast(a, 0) },
	} {
		if _, err := got(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

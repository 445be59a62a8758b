package stencil_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// Infinity has no remainder: its quotient is that of /, in either type of real numbers.
func TestFloorDivisionOfInfinityIsTheSameInBothTypes(t *testing.T) {
	inf := math.Inf(1)
	values := []float64{inf, -inf, 3, -3, 0, math.NaN()}
	r := lazy.Shape{1, 1, 1, 1, 20}.Whole() // as long as vectors are
	for _, c := range []struct {
		text string
		want []float64
	}{
		{"x // 4", []float64{inf, -inf, 0, -1, 0, math.NaN()}},
		{"x // (0 - 4)", []float64{-inf, inf, -1, 0, 0, math.NaN()}},
	} {
		k, err := stencil.Parse("test", c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []lazy.DType{lazy.F32, lazy.F64} {
			out := apply(t, k, r, func(i lazy.Index) float64 { return values[i[lazy.X]%len(values)] }, d, d)
			for x := range 20 {
				got, want := out.Value(lazy.Index{0, 0, 0, 0, x}), c.want[x%len(values)]
				if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%v: %s of %v is %v, want %v", d, c.text, values[x%len(values)], got, want)
				}
			}
		}
	}
}

// Quotients and remainders are small numbers of large ones: the type in which they are computed holds both.
func TestWholeDivisionIsExactForEveryInteger(t *testing.T) {
	types := []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.U32, lazy.I32}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(types).Draw(t, "type")
		lo, hi := in.Range()
		by := rapid.OneOf(rapid.Int64Range(-20, 20), rapid.Int64Range(-1<<33, 1<<33), rapid.SampledFrom([]int64{1 << 24, 1<<24 + 1, math.MaxInt32})).Draw(t, "divisor")
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(int64(lo), int64(hi)), rapid.SampledFrom([]int64{int64(lo), int64(hi), int64(hi) - 1, 0, min(int64(hi), 1<<24+1)})), 19, 19).Draw(t, "values")
		r := lazy.Shape{1, 1, 1, 1, len(values)}.Whole()
		for sign, want := range map[string]func(a, b int64) int64{
			"%": func(a, b int64) int64 {
				if b == 0 {
					return 0
				}
				return ((a % b) + b) % b
			},
			"//": func(a, b int64) int64 {
				if b == 0 {
					return 0
				}
				return (a - ((a%b)+b)%b) / b
			},
		} {
			k, err := stencil.Parse("test", fmt.Sprintf("x %s (%d)", sign, by), nil)
			if err != nil {
				t.Fatal(err)
			}
			out := apply(t, k, r, func(i lazy.Index) float64 { return float64(values[i[lazy.X]]) }, in, lazy.F64)
			for x, v := range values {
				if got := out.Value(lazy.Index{0, 0, 0, 0, x}); got != float64(want(v, by)) {
					t.Fatalf("%v: %d %s %d is %v, want %d", in, v, sign, by, got, want(v, by))
				}
			}
		}
	})
}

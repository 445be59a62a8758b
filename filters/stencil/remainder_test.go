package stencil_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters/stencil"
	"lamella/lazy"
)

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

package filters

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The loops in use give what the plain ones give, at any length, NaN and infinities included.
func TestParabolasAgreeWithPlainOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, -1}
	value := func() float32 {
		if rng.IntN(5) == 0 {
			return odd[rng.IntN(len(odd))]
		}
		return rng.Float32()*10 - 5
	}
	for n := range 70 {
		a, b, start := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range n {
			a[i], b[i], start[i] = value(), value(), value()
		}
		for name, loops := range map[string][2]func(dst, a, b []float32, w float32){
			"lower": {parabolas32.lower, lowerParabola[float32]}, "upper": {parabolas32.upper, upperParabola[float32]},
		} {
			got, want := append([]float32(nil), start...), append([]float32(nil), start...)
			loops[0](got, a, b, 0.75)
			loops[1](want, a, b, 0.75)
			for i := range got {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%s of %d voxels: %v with %v and %v is %v, want %v", name, n, start[i], a[i], b[i], got[i], want[i])
				}
			}
		}
	}
}

package stencil

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPowerIsWithinAUnitInTheLastPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for n := range 300_000 {
		x, y := float32(r.ExpFloat64()), float32(r.NormFloat64()*8)
		switch n % 4 {
		case 0: // gamma
			x, y = r.Float32(), 0.1+3*r.Float32()
		case 1: // near 1, where the logarithm is near 0
			x, y = 1+float32(r.NormFloat64()*1e-4), float32(r.NormFloat64()*1e5)
		case 2:
			x = math.Float32frombits(r.Uint32() >> 1)
		}
		if got, want := pow32(x, y), float32(math.Pow(float64(x), float64(y))); x == x && ulps(got, want) > 1 {
			t.Fatalf("%v to the power of %v is %v, want %v", x, y, got, want)
		}
	}
}

// Every special case that math.Pow lists, and what lies between them.
func TestPowerHasTheSpecialCasesOfPackageMath(t *testing.T) {
	inf := float32(math.Inf(1))
	values := []float32{
		0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 1 << 23, -(1 << 23), 1<<24 - 1, -(1<<24 - 1), 1 << 24, 1 << 25,
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, inf, -inf, float32(math.NaN()),
	}
	for _, x := range values {
		for _, y := range values {
			got, want := pow32(x, y), float32(math.Pow(float64(x), float64(y)))
			if ulps(got, want) > 1 && !(got != got && want != want) || math.Signbit(float64(got)) != math.Signbit(float64(want)) && want == want {
				t.Errorf("%v to the power of %v is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestFastPowerGivesThePlainBits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	slow := plain[float32]()
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -3, 0.5, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	value := func() float32 {
		switch r.IntN(4) {
		case 0:
			return math.Float32frombits(r.Uint32())
		case 1:
			return special[r.IntN(len(special))]
		case 2:
			return float32(math.Round(r.NormFloat64() * 5))
		}
		return float32(r.NormFloat64() * 3)
	}
	for range 3000 {
		a, b := make([]float32, 43), make([]float32, 43)
		for i := range a {
			a[i], b[i] = value(), value()
		}
		got, want := make([]float32, len(a)), make([]float32, len(a))
		tableF32.power(got, a, b)
		slow.power(want, a, b)
		if err := sameBits(got, want); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkPower(b *testing.B) {
	x, y, dst := make([]float32, 4096), make([]float32, 4096), make([]float32, 4096)
	for i := range x {
		x[i], y[i] = float32(i)/4096, 0.45
	}
	for name, run := range map[string]func(dst, a, b []float32){"plain": powers[float32], "table": tableF32.power} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(4 * len(x)))
			for b.Loop() {
				run(dst, x, y)
			}
		})
	}
}

// Quotients of any numbers, many of them beyond 2^24, where neighbours lie more than 1 apart.
func TestFastFloorDivisionGivesThePlainBits(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	slow := plain[float32]()
	for _, by := range []float32{1, 3, 9, 0.1, 7.5, 1e-20, 1e20, 1 << 24} {
		for range 300 {
			a := make([]float32, 43)
			for i := range a {
				a[i] = math.Float32frombits(r.Uint32())
				if i%2 == 0 {
					a[i] = by * float32(r.NormFloat64()*math.Exp2(float64(r.IntN(40))))
				}
			}
			got, want := make([]float32, len(a)), make([]float32, len(a))
			tableF32.floorDiv(got, a, by)
			slow.floorDiv(want, a, by)
			if err := sameBits(got, want); err != nil {
				t.Fatalf("divided by %v: %v", by, err)
			}
		}
	}
}

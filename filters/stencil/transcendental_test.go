package stencil

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulps is how many float32 numbers lie between two.
func ulps(a, b float32) int64 {
	key := func(v float32) int64 {
		n := int64(int32(math.Float32bits(v)))
		if n < 0 {
			return math.MinInt32 - n
		}
		return n
	}
	d := key(a) - key(b)
	return max(d, -d)
}

func TestExpAndLogAreWithinTwoUnitsInTheLastPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 300_000 {
		x := float32(r.Float64()*192 - 103)
		if n%3 == 0 {
			x = float32(r.NormFloat64())
		}
		if got, want := exp32(x), float32(math.Exp(float64(x))); ulps(got, want) > 2 {
			t.Fatalf("exp(%v) is %v, want %v", x, got, want)
		}
		y := math.Float32frombits(r.Uint32() >> 1)
		if y != y || math.IsInf(float64(y), 0) {
			continue
		}
		if n%2 == 0 {
			y = 0.5 + 1.5*r.Float32() // where the logarithm is near 0
		}
		if got, want := log32(y), float32(math.Log(float64(y))); ulps(got, want) > 2 {
			t.Fatalf("log(%v) is %v, want %v", y, got, want)
		}
	}
}

func TestExpAndLogAtTheirEnds(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name      string
		of        func(float32) float32
		x, result float32
	}{
		{"exp of 0", exp32, 0, 1},
		{"exp of -0", exp32, float32(math.Copysign(0, -1)), 1},
		{"exp of infinity", exp32, inf, inf},
		{"exp of minus infinity", exp32, -inf, 0},
		{"exp of what is too large", exp32, 88.8, inf},
		{"exp of what is too small", exp32, -104, 0},
		{"exp of NaN", exp32, nan, nan},
		{"log of 1", log32, 1, 0},
		{"log of 0", log32, 0, -inf},
		{"log of -0", log32, float32(math.Copysign(0, -1)), -inf},
		{"log of -1", log32, -1, nan},
		{"log of minus infinity", log32, -inf, nan},
		{"log of infinity", log32, inf, inf},
		{"log of NaN", log32, nan, nan},
		{"log of the least number", log32, math.SmallestNonzeroFloat32, -103.27893},
	} {
		if got := c.of(c.x); got != c.result && (got == got || c.result == c.result) {
			t.Errorf("%s is %v, want %v", c.name, got, c.result)
		}
	}
}

func TestFastExpAndLogGiveThePlainBits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	slow := plain[float32]()
	for range 2000 {
		a := make([]float32, 40)
		for i := range a {
			switch r.IntN(4) {
			case 0:
				a[i] = math.Float32frombits(r.Uint32())
			case 1:
				a[i] = float32(r.Float64()*200 - 105)
			default:
				a[i] = r.Float32() * 3
			}
		}
		got, want := make([]float32, len(a)), make([]float32, len(a))
		tableF32.exp(got, a)
		slow.exp(want, a)
		if err := sameBits(got, want); err != nil {
			t.Fatal("exp: ", err)
		}
		tableF32.log(got, a)
		slow.log(want, a)
		if err := sameBits(got, want); err != nil {
			t.Fatal("log: ", err)
		}
	}
}

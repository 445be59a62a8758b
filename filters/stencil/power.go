package stencil

import "math"

// The power of float32 is computed in float64, of additions, multiplications, divisions and moves of bits alone, so
// that plain Go, vectors (power_amd64.go) and shaders (glsl_double.go) give the same bits. It errs by hardly more than
// half a unit in the last place. Other types take math.Pow.
//
// The logarithm to base 2 is that of 2 artanh(s) with s = (m-1) / (m+1), the exponential its Taylor series, both cut
// where what is left is below 2^-40 of the result.

const perLn2 = 2 / math.Ln2

var log2Terms = [...]float64{perLn2 / 17, perLn2 / 15, perLn2 / 13, perLn2 / 11, perLn2 / 9, perLn2 / 7, perLn2 / 5, perLn2 / 3, perLn2}

const ln2 = math.Ln2

var exp2Terms = [...]float64{
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 3628800, ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 362880,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 40320, ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 5040, ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 720,
	ln2 * ln2 * ln2 * ln2 * ln2 / 120, ln2 * ln2 * ln2 * ln2 / 24, ln2 * ln2 * ln2 / 6, ln2 * ln2 / 2, ln2, 1,
}

// powerReach is beyond what a power of 2 is a float32.
const powerReach = 200

// pow32 is x to the power of y with the special cases of math.Pow.
func pow32(x, y float32) float32 {
	p := powerOfSize(x, y)
	whole, half := math.Floor(float64(y)), math.Floor(0.5*float64(y))
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y || x < 0 && x >= -math.MaxFloat32 && whole != float64(y):
		return float32(math.NaN())
	case math.Signbit(float64(x)) && whole == float64(y) && half != 0.5*float64(y):
		return -p
	}
	return p
}

// powerOfSize is that of x without its sign, if none is NaN.
func powerOfSize(x, y float32) float32 {
	a := math.Abs(float64(x))
	b := math.Float64bits(a)
	e := float64(int64(b>>52) - 1023)
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52) // from 1 to below 2
	if m > math.Sqrt2 {
		m, e = 0.5*m, e+1
	}
	s := (m - 1) / (m + 1)
	z := s * s
	p := log2Terms[0]
	for _, c := range log2Terms[1:] {
		p = float64(p*z) + c
	}
	l := float64(p*s) + e
	switch {
	case a == 0:
		l = math.Inf(-1)
	case a > math.MaxFloat32:
		l = math.Inf(1)
	}
	t := l * float64(y)
	if l == 0 { // also if y is infinite
		t = 0
	}
	t = max(min(t, powerReach), -powerReach)
	k := math.Floor(t + 0.5)
	f := t - k
	q := exp2Terms[0]
	for _, c := range exp2Terms[1:] {
		q = float64(q*f) + c
	}
	return float32(q * math.Float64frombits(uint64(int64(k)+1023)<<52))
}

func powers[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	if f, ok := any(&dst).(*[]float32); ok {
		y := *any(&b).(*[]float32)
		for i, x := range *any(&a).(*[]float32) {
			(*f)[i] = pow32(x, y[i])
		}
		return
	}
	for i := range dst {
		dst[i] = E(math.Pow(float64(a[i]), float64(b[i])))
	}
}

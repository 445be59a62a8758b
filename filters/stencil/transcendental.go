package stencil

import "math"

// exp and log of float32 are made of additions, multiplications and moves of bits alone, each rounded by itself, so
// that plain Go, vectors (transcendental_amd64.go) and shaders (glsl_functions.go) give the same bits. They err by
// less than 2 units in the last place. Other types take those of package math.
//
//	Moshier, Cephes Mathematical Library, expf and logf, for the polynomials.

// ln2 in two parts, of which the first has so few bits that its product with a small integer is exact.
const (
	ln2High = 0.693359375
	ln2Low  = -2.12194440e-4
)

// Beyond these exp is infinite, and 0.
const (
	expHighest = 88.72283
	expLowest  = -103.97208
)

var expTerms = [...]float32{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1}

var logTerms = [...]float32{
	7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
	2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
}

// exp32 is e to the power of x: x is k ln 2 + r, and the exponential of r is multiplied by 2 to the power of k in
// two halves, since 2 to the power of k itself may be no number.
func exp32(x float32) float32 {
	v := min(max(x, expLowest), expHighest)
	k := float32(math.Floor(float64(float32(v*math.Log2E) + 0.5)))
	r := v - float32(k*ln2High)
	r -= float32(k * ln2Low)
	p := expTerms[0]
	for _, c := range expTerms[1:] {
		p = float32(p*r) + c
	}
	p = float32(p*float32(r*r)) + r + 1
	half := int32(k) >> 1
	p = float32(p*powerOf2(half)) * powerOf2(int32(k)-half)
	switch {
	case x != x:
		return x
	case x > expHighest:
		return float32(math.Inf(1))
	case x < expLowest:
		return 0
	}
	return p
}

func powerOf2(k int32) float32 { return math.Float32frombits(uint32(k+127) << 23) }

// log32 is the natural logarithm: x is m times 2 to the power of e, with m around 1. A number that is too small to
// have all its bits is made larger first.
func log32(x float32) float32 {
	v, more := x, float32(0)
	if v < 0x1p-126 {
		v, more = v*0x1p23, 23
	}
	b := int32(math.Float32bits(v))
	e := float32(b>>23-126) - more
	m := math.Float32frombits(uint32(b&0x007fffff | 0x3f000000)) // from a half to below 1
	if m < math.Sqrt2/2 {
		e, m = e-1, m+m
	}
	m--
	z := float32(m * m)
	p := logTerms[0]
	for _, c := range logTerms[1:] {
		p = float32(p*m) + c
	}
	p = float32(float32(p*m) * z)
	p += float32(e * ln2Low)
	p -= float32(0.5 * z)
	p = m + p
	p += float32(e * ln2High)
	switch {
	case x != x || x < 0:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case x > math.MaxFloat32:
		return x
	}
	return p
}

func exponentials[E scalar](dst, a []E) {
	a = a[:len(dst)]
	if f, ok := any(&dst).(*[]float32); ok {
		for i, v := range *any(&a).(*[]float32) {
			(*f)[i] = exp32(v)
		}
		return
	}
	for i, v := range a {
		dst[i] = E(math.Exp(float64(v)))
	}
}

func logarithms[E scalar](dst, a []E) {
	a = a[:len(dst)]
	if f, ok := any(&dst).(*[]float32); ok {
		for i, v := range *any(&a).(*[]float32) {
			(*f)[i] = log32(v)
		}
		return
	}
	for i, v := range a {
		dst[i] = E(math.Log(float64(v)))
	}
}

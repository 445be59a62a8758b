package stencil

import (
	"math"

	"lamella/lazy"
)

// scalar is the set of types that kernels compute in.
type scalar interface {
	int32 | int64 | float32 | float64
}

// The loops below are the instructions of a program. Each runs over one row; its slices have equal
// length. Products are converted to their own type before they are added, which keeps the compiler from
// fusing the two: results must not depend on the processor.

func convertRow[D, S lazy.Number](dst []D, src []S) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = D(src[i])
	}
}

func difference[E scalar](dst, a, b []E) { // b - a
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = b[i] - a[i]
	}
}

func smooth121[E scalar](dst, a, b, c []E) { // a + 2b + c
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + E(2*b[i]) + c[i]
	}
}

func scale[E scalar](dst, a []E, w E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = w * a[i]
	}
}

func addScaled[E scalar](dst, a []E, w E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += E(w * a[i])
	}
}

func add[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += a[i]
	}
}

func add2[E scalar](dst, a, b []E) { // (dst + a) + b
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = dst[i] + a[i] + b[i]
	}
}

func addPair[E scalar](dst, a, b []E, w E) { // dst + w(a+b)
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] += E(w * (a[i] + b[i]))
	}
}

func addPairs2[E scalar](dst, a, b, c, d []E, w, v E) { // (dst + w(a+b)) + v(c+d)
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = dst[i] + E(w*(a[i]+b[i])) + E(v*(c[i]+d[i]))
	}
}

func divide[E scalar](dst, a []E, by E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / by
	}
}

func roundDiv[E int32 | int64](dst, a []E, by E) {
	a = a[:len(dst)]
	half := by / 2
	for i, v := range a {
		switch { // halves away from zero; an odd divisor has no halves
		case v >= 0:
			dst[i] = (v + half) / by
		default:
			dst[i] = (v - half) / by
		}
	}
}

func square[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * a[i]
	}
}

func addSquare[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += E(a[i] * a[i])
	}
}

func root32(dst []float32) {
	for i, v := range dst {
		dst[i] = float32(math.Sqrt(float64(v)))
	}
}

func root64(dst []float64) {
	for i, v := range dst {
		dst[i] = math.Sqrt(v)
	}
}

func magnitudes[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i, v := range a {
		dst[i] = max(v, -v)
	}
}

func addMagnitude[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i, v := range a {
		dst[i] += max(v, -v)
	}
}

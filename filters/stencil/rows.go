package stencil

import (
	"math"

	"lamella/lazy"
)

// scalar is the set of types that kernels compute in.
type scalar interface {
	int32 | int64 | float32 | float64
}

// A table holds the instructions of a program: loops over one row, whose slices are at least as long as
// dst. The plain ones below say what each computes; others (rows_amd64.go) must give the same bits.
//
// Products are converted to their own type before they are added, which keeps the compiler from fusing
// the two: results must not depend on the processor.
type table[E scalar] struct {
	difference func(dst, a, b []E)               // b - a
	smooth     func(dst, a, b, c []E)            // (a + 2b) + c
	scale      func(dst, a []E, w E)             // w a
	addScaled  func(dst, a []E, w E)             // dst + w a
	sum3       func(dst, a, b, c []E)            // (a + b) + c
	add        func(dst, a []E)                  // dst + a
	add2       func(dst, a, b []E)               // (dst + a) + b
	add4       func(dst, a, b, c, d []E)         // (((dst + a) + b) + c) + d
	addPair    func(dst, a, b []E, w E)          // dst + w (a + b)
	addPairs   func(dst, a, b, c, d []E, v, w E) // (dst + v (a + b)) + w (c + d)
	divide     func(dst, a []E, by E)            // a / by
	floorDiv   func(dst, a []E, by E)            // the largest integer not above a / by, for by > 0
	norm2      func(dst, a, b []E)               // root of the sum of the squares
	norm3      func(dst, a, b, c []E)
}

// The tables in use. An init function of a file for one processor may put faster loops in.
var (
	tableI32 = plain[int32]()
	tableI64 = plain[int64]()
	tableF32 = plain[float32]()
	tableF64 = plain[float64]()
)

func plain[E scalar]() table[E] {
	return table[E]{
		difference[E], smooth[E], scale[E], addScaled[E], sum3[E], add[E], add2[E], add4[E], addPair[E], addPairs[E],
		divide[E], floorDivBy[E], norm2[E], norm3[E],
	}
}

func tableOf[E scalar]() *table[E] {
	var e E
	var t any
	switch any(e).(type) {
	case int32:
		t = &tableI32
	case int64:
		t = &tableI64
	case float32:
		t = &tableF32
	default:
		t = &tableF64
	}
	return t.(*table[E])
}

func difference[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = b[i] - a[i]
	}
}

func smooth[E scalar](dst, a, b, c []E) {
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

func add2[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = dst[i] + a[i] + b[i]
	}
}

func sum3[E scalar](dst, a, b, c []E) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i] + c[i]
	}
}

func add4[E scalar](dst, a, b, c, d []E) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = dst[i] + a[i] + b[i] + c[i] + d[i]
	}
}

func addPair[E scalar](dst, a, b []E, w E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] += E(w * (a[i] + b[i]))
	}
}

func addPairs[E scalar](dst, a, b, c, d []E, v, w E) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = dst[i] + E(v*(a[i]+b[i])) + E(w*(c[i]+d[i]))
	}
}

func divide[E scalar](dst, a []E, by E) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / by
	}
}

func norm2[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = E(math.Sqrt(float64(E(a[i]*a[i]) + E(b[i]*b[i]))))
	}
}

func norm3[E scalar](dst, a, b, c []E) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = E(math.Sqrt(float64(E(a[i]*a[i]) + E(b[i]*b[i]) + E(c[i]*c[i]))))
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

// root is for float32 too the nearest number to the root.
func root[E scalar](dst []E) {
	for i, v := range dst {
		dst[i] = E(math.Sqrt(float64(v)))
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

// roundRow is a/by to nearest, halves away from zero.
func roundRow[E scalar](dst, a []E, by float64) {
	switch d := any(dst).(type) {
	case []int32:
		roundDiv(d, any(a).([]int32), int32(by))
	case []int64:
		roundDiv(d, any(a).([]int64), int64(by))
	default:
		for i := range dst {
			dst[i] = E(math.Round(float64(a[i]) / by))
		}
	}
}

func roundDiv[E int32 | int64](dst, a []E, by E) {
	a = a[:len(dst)]
	half := by / 2 // of an odd divisor nothing is a half, and this rounds to nearest all the same
	for i, v := range a {
		if v >= 0 {
			dst[i] = (v + half) / by
		} else {
			dst[i] = (v - half) / by
		}
	}
}

func convertRow[D, S lazy.Number](dst []D, src []S) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = D(src[i])
	}
}

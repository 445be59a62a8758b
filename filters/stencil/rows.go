package stencil

import (
	"math"
)

// scalar is the set of types that kernels compute in.
type scalar interface {
	int16 | int32 | int64 | float32 | float64
}

// A table holds the instructions of a program: loops over one row, whose slices are at least as long as
// dst. The plain ones below say what each computes; others (internal/loops) must give the same bits.
//
// Products are converted to their own type before they are added, which keeps the compiler from fusing
// the two: results must not depend on the processor.
type table[E scalar] struct {
	difference   func(dst, a, b []E)                     // b - a
	smooth       func(dst, a, b, c []E)                  // (a + 2b) + c
	scale        func(dst, a []E, w E)                   // w a
	addScaled    func(dst, a []E, w E)                   // dst + w a
	sum3         func(dst, a, b, c []E)                  // (a + b) + c
	sum5         func(dst, a, b, c, d, e []E)            // (((a + b) + c) + d) + e
	add          func(dst, a []E)                        // dst + a
	add2         func(dst, a, b []E)                     // (dst + a) + b
	add4         func(dst, a, b, c, d []E)               // (((dst + a) + b) + c) + d
	scale2       func(dst, a, b []E, v, w E)             // v a + w b
	addScaled2   func(dst, a, b []E, v, w E)             // (dst + v a) + w b
	scalePair    func(dst, a, b, c []E, v, w E)          // v a + w (b + c)
	scalePairs   func(dst, a, b, c, d, e []E, u, v, w E) // (u a + v (b + c)) + w (d + e)
	addPairs     func(dst, a, b, c, d []E, v, w E)       // (dst + v (a + b)) + w (c + d)
	product      func(dst, a, b []E)                     // a b
	divide       func(dst, a []E, by E)                  // a / by
	quotient     func(dst, a, b []E)                     // a / b
	floorDiv     func(dst, a []E, by E)                  // the largest integer not above a / by, for by > 0
	roundDiv     func(dst, a []E, by E)                  // the integer nearest to a / by, halves away from zero, of integers
	root         func(dst, a []E)                        // square root
	square       func(dst, a []E)                        // a a
	addSquare    func(dst, a []E)                        // dst + a a
	magnitude    func(dst, a []E)                        // a without its sign
	addMagnitude func(dst, a []E)                        // dst + a without its sign
	minimum      func(dst, a, b []E)                     // the lesser; NaN if one is
	maximum      func(dst, a, b []E)
	less         func(dst, a, b []E) // 1 where a < b, else 0
	lessEqual    func(dst, a, b []E)
	equal        func(dst, a, b []E)
	choose       func(dst, a, b, c []E) // b where a is not 0, else c
	exp          func(dst, a []E)       // e to the power of a
	log          func(dst, a []E)       // natural logarithm
	power        func(dst, a, b []E)    // a to the power of b
	norm2        func(dst, a, b []E)    // root of the sum of the squares
	norm3        func(dst, a, b, c []E)

	// These do at once what would take several (compile.go). The rows of those from boxDivide on reach two voxels
	// beyond dst. Of their last row slope2 and slope3 take the difference of the outer two of each three, of others
	// the smooth; edge2 does so with what slope2 is given, the difference of the outer rows and the smooth of all.
	sumDivide     func(dst, a, b, c []E, by E)
	add4Divide    func(dst, a, b, c, d []E, by E)
	sumFloorDiv   func(dst, a, b, c []E, by E)
	sumRoundDiv   func(dst, a, b, c []E, by E)
	boxDivide     func(dst, a, b, c []E, by E) // the sum of nine, one after another, / by
	columnsDivide func(dst, a, b, c []E, by E) // the sum of the sums of three columns, / by
	slope2        func(dst, a, b []E)
	slope3        func(dst, a, b, c []E)
	edge2         func(dst, a, b, c []E)
}

// The tables in use. An init function of a file for one processor may put faster loops in.
var (
	tableI16 = plain[int16]()
	tableI32 = plain[int32]()
	tableI64 = plain[int64]()
	tableF32 = plain[float32]()
	tableF64 = plain[float64]()
)

func plain[E scalar]() table[E] {
	return table[E]{
		difference: difference[E], smooth: smooth[E], scale: scale[E], addScaled: addScaled[E], sum3: sum3[E], sum5: sum5[E], add: add[E],
		add2: add2[E], add4: add4[E], scale2: scale2[E], addScaled2: addScaled2[E], scalePair: scalePair[E], scalePairs: scalePairs[E], addPairs: addPairs[E], product: product[E], divide: divide[E],
		quotient: quotient[E], floorDiv: floorDivBy[E], roundDiv: roundDivBy[E], root: root[E], square: square[E],
		addSquare: addSquare[E], magnitude: magnitudeOf[E], addMagnitude: addMagnitude[E], minimum: minimum[E], maximum: maximum[E],
		less: less[E], lessEqual: lessEqual[E], equal: equal[E], choose: choose[E], exp: exponentials[E], log: logarithms[E], power: powers[E], norm2: norm2[E], norm3: norm3[E],
		sumDivide: sumDivide[E], add4Divide: add4Divide[E], sumFloorDiv: sumFloorDiv[E], sumRoundDiv: sumRoundDiv[E], boxDivide: boxDivide[E], columnsDivide: columnsDivide[E], slope2: slope2[E], slope3: slope3[E], edge2: edge2[E],
	}
}

func tableOf[E scalar]() *table[E] {
	var e E
	var t any
	switch any(e).(type) {
	case int16:
		t = &tableI16
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

func sum5[E scalar](dst, a, b, c, d, e []E) {
	n := len(dst)
	a, b, c, d, e = a[:n], b[:n], c[:n], d[:n], e[:n]
	for i := range dst {
		dst[i] = a[i] + b[i] + c[i] + d[i] + e[i]
	}
}

func add4[E scalar](dst, a, b, c, d []E) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = dst[i] + a[i] + b[i] + c[i] + d[i]
	}
}

func scale2[E scalar](dst, a, b []E, v, w E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = E(v*a[i]) + E(w*b[i])
	}
}

func addScaled2[E scalar](dst, a, b []E, v, w E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = dst[i] + E(v*a[i]) + E(w*b[i])
	}
}

func scalePair[E scalar](dst, a, b, c []E, v, w E) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = E(v*a[i]) + E(w*(b[i]+c[i]))
	}
}

func scalePairs[E scalar](dst, a, b, c, d, e []E, u, v, w E) {
	n := len(dst)
	a, b, c, d, e = a[:n], b[:n], c[:n], d[:n], e[:n]
	for i := range dst {
		dst[i] = E(u*a[i]) + E(v*(b[i]+c[i])) + E(w*(d[i]+e[i]))
	}
}

func addPairs[E scalar](dst, a, b, c, d []E, v, w E) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = dst[i] + E(v*(a[i]+b[i])) + E(w*(c[i]+d[i]))
	}
}

func add4Divide[E scalar](dst, a, b, c, d []E, by E) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] = (dst[i] + a[i] + b[i] + c[i] + d[i]) / by
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
func root[E scalar](dst, a []E) {
	a = a[:len(dst)]
	for i, v := range a {
		dst[i] = E(math.Sqrt(float64(v)))
	}
}

func product[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

// quotient is of real numbers: by 0 it is infinite, or NaN.
func quotient[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

func magnitudeOf[E scalar](dst, a []E) {
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

func minimum[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

func maximum[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func less[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = truth[E](a[i] < b[i])
	}
}

func lessEqual[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = truth[E](a[i] <= b[i])
	}
}

func equal[E scalar](dst, a, b []E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = truth[E](a[i] == b[i])
	}
}

func truth[E scalar](is bool) E {
	if is {
		return 1
	}
	return 0
}

func choose[E scalar](dst, a, b, c []E) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		if dst[i] = c[i]; a[i] != 0 {
			dst[i] = b[i]
		}
	}
}

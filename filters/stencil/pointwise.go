package stencil

import (
	"math"
	"math/bits"

	"lamella/lazy"
)

// pointwise fills a row by one of the codes from Product on, voxel by voxel.
func pointwise[E scalar](dst []E, code Code, t terms[E]) {
	a := t.row(0)[:len(dst)]
	switch code {
	case Select:
		b, c := t.row(1)[:len(dst)], t.row(2)[:len(dst)]
		for i := range dst {
			if dst[i] = c[i]; a[i] != 0 {
				dst[i] = b[i]
			}
		}
	case Root:
		for i, v := range a {
			dst[i] = E(math.Sqrt(float64(v)))
		}
	case Exp:
		for i, v := range a {
			dst[i] = E(math.Exp(float64(v)))
		}
	case Log:
		for i, v := range a {
			dst[i] = E(math.Log(float64(v)))
		}
	default:
		if by, ok := t.constant(1); ok && code == FloorDiv && by > 0 {
			tableOf[E]().floorDiv(dst, a, E(by))
			return
		}
		pairwise(dst, a, t.row(1)[:len(dst)], code)
	}
}

func pairwise[E scalar](dst, a, b []E, code Code) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch code {
	case Product:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	case Quotient:
		for i := range dst {
			dst[i] = a[i] / b[i] // of real numbers: by 0 it is infinite, or NaN
		}
	case FloorDiv:
		for i := range dst {
			dst[i] = floorDiv(a[i], b[i])
		}
	case Modulo:
		for i := range dst {
			dst[i] = modulo(a[i], b[i])
		}
	case Minimum:
		for i := range dst {
			dst[i] = min(a[i], b[i])
		}
	case Maximum:
		for i := range dst {
			dst[i] = max(a[i], b[i])
		}
	case Less:
		for i := range dst {
			dst[i] = truth[E](a[i] < b[i])
		}
	case LessEqual:
		for i := range dst {
			dst[i] = truth[E](a[i] <= b[i])
		}
	case Equal:
		for i := range dst {
			dst[i] = truth[E](a[i] == b[i])
		}
	case Power:
		for i := range dst {
			dst[i] = E(math.Pow(float64(a[i]), float64(b[i])))
		}
	}
}

func truth[E scalar](is bool) E {
	if is {
		return 1
	}
	return 0
}

// floorDiv is Python's //: towards minus infinity. For integers n // 0 is 0, as in NumPy.
func floorDiv[E scalar](a, b E) E {
	switch lazy.TypeOf[E]() {
	case lazy.F32: // a quotient of float32s that is not whole is told from its neighbour in float64
		return E(math.Floor(float64(a) / float64(b)))
	case lazy.F64:
		m := float64(modulo(a, b))
		q := (float64(a) - m) / float64(b)
		return E(math.Round(q))
	}
	if b == 0 {
		return 0
	}
	q := a / b
	if q*b != a && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// modulo is Python's %: it has the sign of b. For integers n % 0 is 0, as in NumPy.
func modulo[E scalar](a, b E) E {
	if !lazy.TypeOf[E]().Float() {
		if b == 0 {
			return 0
		}
		return a - floorDiv(a, b)*b
	}
	m := math.Mod(float64(a), float64(b))
	if m != 0 && (m < 0) != (b < 0) {
		m += float64(b)
	}
	return E(m)
}

// floorDivBy is floorDiv by one positive number.
func floorDivBy[E scalar](dst, a []E, by E) {
	if d, ok := any(&dst).(*[]int32); ok {
		floorDivInts(*d, *any(&a).(*[]int32), int32(by))
		return
	}
	a = a[:len(dst)]
	for i, v := range a {
		dst[i] = floorDiv(v, by)
	}
}

// floorDivInts divides by a multiplication: the high half of n * (2^64/by + 1) is n/by for every n below
// 2^33, to which a multiple of by is added first so that it is not negative.
func floorDivInts(dst, a []int32, by int32) {
	if by == 1 {
		copy(dst, a)
		return
	}
	factor := math.MaxUint64/uint64(by) + 1
	shift := (1<<31 + int64(by) - 1) / int64(by)
	a = a[:len(dst)]
	for i, v := range a {
		q, _ := bits.Mul64(uint64(int64(v)+shift*int64(by)), factor)
		dst[i] = int32(int64(q) - shift)
	}
}

func fillRow[E scalar](dst []E, v E) {
	for i := range dst {
		dst[i] = v
	}
}

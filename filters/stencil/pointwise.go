package stencil

import (
	"math"

	"lamella/lazy"
)

// pointwise fills a row by one of the codes from Product on.
func (s *step[E]) pointwise(dst []E) {
	a, run := s.term(0)[:len(dst)], s.loops
	switch s.code {
	case Root:
		run.root(dst, a)
		return
	case Exp:
		run.exp(dst, a)
		return
	case Log:
		run.log(dst, a)
		return
	}
	b := s.term(1)[:len(dst)]
	switch s.code {
	case Select:
		run.choose(dst, a, b, s.term(2))
	case Product:
		run.product(dst, a, b)
	case Quotient:
		run.quotient(dst, a, b)
	case Minimum:
		run.minimum(dst, a, b)
	case Maximum:
		run.maximum(dst, a, b)
	case Less:
		run.less(dst, a, b)
	case LessEqual:
		run.lessEqual(dst, a, b)
	case Equal:
		run.equal(dst, a, b)
	case FloorDiv:
		for i := range dst {
			dst[i] = floorDiv(a[i], b[i])
		}
	case Modulo:
		for i := range dst {
			dst[i] = modulo(a[i], b[i])
		}
	case Power:
		run.power(dst, a, b)
	}
}

// floorDiv is Python's //: towards minus infinity. For integers n // 0 is 0, as in NumPy.
func floorDiv[E scalar](a, b E) E {
	switch lazy.TypeOf[E]() {
	case lazy.F32: // rounded as float32 is, and 1 less where that was upwards to a whole number: float64 holds the product
		q := E(math.Floor(float64(float32(a) / float32(b))))
		if back := float64(float64(q) * float64(b)); b > 0 && back > float64(a) || b < 0 && back < float64(a) {
			q--
		}
		return q
	case lazy.F64:
		if math.IsInf(float64(a), 0) { // which leaves no remainder that says more
			return E(float64(a) / float64(b))
		}
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

func fillRow[E scalar](dst []E, v E) {
	for i := range dst {
		dst[i] = v
	}
}

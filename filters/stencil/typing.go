package stencil

import (
	"math"
	"slices"

	"lamella/lazy"
)

// types chooses the type of every value for inputs of the given types, whose magnitude is at most limit
// (that of the first input; others are bounded by their type).
//
// Sums that hold only integers stay integers, exact: int32 where their bound allows, else int64.
// Anything with a real number in it runs in the real type of the input: float32 for up to 16 bits and
// for float32, float64 for wider data. Inputs of 64-bit integers are float64 from the start, since no
// integer type holds their sums.
func (k *Kernel) types(inputs []lazy.DType, limit float64) []lazy.DType {
	t, bound := k.infer(inputs, limit)
	if k.small(t, bound) {
		return slices.Repeat([]lazy.DType{lazy.I16}, len(t))
	}
	k.exact(t, bound)
	k.load(t)
	return t
}

// Whole reports whether the kernel makes integers of integers: it holds no real number, quotient or root.
func (k *Kernel) Whole() bool {
	inputs := make([]lazy.DType, k.Inputs())
	for i := range inputs {
		inputs[i] = lazy.U8
	}
	t, _ := k.infer(inputs, magnitude(lazy.U8))
	return !t[len(t)-1].Float()
}

// infer gives the type that each value has by itself, and the bound of its magnitude.
func (k *Kernel) infer(inputs []lazy.DType, limit float64) (t []lazy.DType, bound []float64) {
	real, integers := common(inputs, limit)
	t, bound = make([]lazy.DType, len(k.instrs)), make([]float64, len(k.instrs))
	for v, i := range k.instrs {
		whole := integers
		switch i.Code {
		case Load:
			if bound[v] = limit; i.Input > 0 {
				bound[v] = magnitude(inputs[i.Input])
			}
		case Linear, Sum, L1:
			for _, term := range i.Terms {
				bound[v] += math.Abs(term.Weight) * bound[term.Value]
				whole = whole && !t[term.Value].Float() && term.Weight == math.Trunc(term.Weight)
			}
		case RoundDiv:
			bound[v] = bound[i.Terms[0].Value]
		case Whole:
			bound[v] = math.Abs(i.By)
		case Real:
			whole = false
		case Product, FloorDiv, Modulo, Minimum, Maximum, Less, LessEqual, Equal, Select:
			bound[v] = i.bound(bound)
			for _, term := range i.Terms {
				whole = whole && !t[term.Value].Float()
			}
		default:
			whole = false
		}
		switch reach := i.reach(bound[v], bound); {
		case !whole:
			t[v] = real
		case reach <= math.MaxInt32:
			t[v] = lazy.I32
		case reach <= 1<<62:
			t[v] = lazy.I64
		default:
			t[v] = lazy.F64
		}
	}
	return t, bound
}

// small reports whether all values are integers that int16 holds, and their halves are added without leaving it.
func (k *Kernel) small(t []lazy.DType, bound []float64) bool {
	for v, i := range k.instrs {
		if i.Code == RoundDiv && i.By > math.MaxInt16 || t[v].Float() || i.reach(bound[v], bound) > math.MaxInt16 {
			return false
		}
	}
	return true
}

// exact makes float32 of integers, where float32 holds them exactly and no wider value is made of them:
// the numbers are the same, the loops are those that know the processor's vectors, and nothing is
// converted on the way to a root or a quotient.
func (k *Kernel) exact(t []lazy.DType, bound []float64) {
	whole := make([]bool, len(t)) // used by a value that stays an integer
	for v := len(t) - 1; v >= 0; v-- {
		reach := k.instrs[v].reach(bound[v], bound)
		if !t[v].Float() && !whole[v] && reach <= mantissa && !k.mayDivideByZero(Value(v)) {
			t[v] = lazy.F32
		}
		for _, term := range k.instrs[v].Terms {
			whole[term.Value] = whole[term.Value] || t[v] != lazy.F32
		}
	}
}

// bound is the largest magnitude that a value can have, from those of its terms.
func (i Instr) bound(of []float64) float64 {
	b := func(n int) float64 { return of[i.Terms[n].Value] }
	switch i.Code {
	case Product:
		return b(0) * b(1)
	case FloorDiv:
		return b(0) + 1 // a negative one is rounded away from 0
	case Modulo:
		return b(1)
	case Minimum, Maximum:
		return max(b(0), b(1))
	case Select:
		return max(b(0), b(1), b(2))
	}
	return max(b(0), b(1)) // comparisons are made in the type that holds both sides
}

// reach is the largest magnitude that the type of a value has to hold while the value, of which the largest is itself, is
// computed: its terms are taken in that type.
func (i Instr) reach(itself float64, of []float64) float64 {
	switch i.Code {
	case RoundDiv:
		return itself + i.By/2 // which is added before the division
	case FloorDiv, Modulo: // what is divided may be larger than what is left, and so may the divisor
		return max(itself, of[i.Terms[0].Value], of[i.Terms[1].Value])
	}
	return itself
}

// mantissa is up to where float32 holds every integer.
const mantissa = 1 << 24

// common is the real type for inputs of several types, and whether all are integers that sums of
// integers can be made of. Integers that float32 holds exactly, such as the sums of an earlier pass, count
// as narrow whatever they are stored in.
func common(inputs []lazy.DType, limit float64) (real lazy.DType, integers bool) {
	real, integers = lazy.F32, true
	for n, d := range inputs {
		if n > 0 || d.Float() || limit > mantissa {
			real = max(real, d.Real())
		}
		integers = integers && d != lazy.I64 && d != lazy.U64 && !d.Float()
	}
	return real, integers
}

// mayDivideByZero tells an integer division that float32 would not do: n // 0 is 0 for integers alone.
func (k *Kernel) mayDivideByZero(v Value) bool {
	i := k.instrs[v]
	if i.Code != FloorDiv && i.Code != Modulo {
		return false
	}
	by := k.instrs[i.Terms[1].Value]
	return by.Code != Whole || by.By == 0
}

// load gives each loaded value the type of those that use it, if they agree, so that it is converted
// once and not at every use.
func (k *Kernel) load(t []lazy.DType) {
	users := make([]lazy.DType, len(t)) // 0: none yet
	mixed := make([]bool, len(t))
	for v, i := range k.instrs {
		for _, term := range i.Terms {
			mixed[term.Value] = mixed[term.Value] || users[term.Value] != 0 && users[term.Value] != t[v]
			users[term.Value] = t[v]
		}
	}
	for v, i := range k.instrs {
		if i.Code == Load && users[v] != 0 && !mixed[v] {
			t[v] = users[v]
		}
	}
}

// magnitude is the largest magnitude of a type's values.
func magnitude(d lazy.DType) float64 {
	lo, hi := d.Range()
	return max(-lo, hi)
}

package stencil

import "lamella/lazy"

// Processor names the instructions that the loops use: "Go" for plain ones.
var Processor = "Go"

// fast holds loops that convert the first voxels of a row, as many as they can, and say how many: each is a
// func(dst []D, src []S) int. What widens keeps the number; what narrows rounds and clamps it as storing does, and
// of whole numbers, which float32 may hold, it clamps them; what sums widens three rows and adds them, a
// func(dst []D, a, b, c []S) int; what divides stores the quotient of the sum of three rows by a constant, a
// func(dst []D, a, b, c []S, by S) int. A file for one processor may put some in.
var fast struct{ widening, narrowing, narrowingWhole, summing, floorDividing, roundDividing map[conversionKey]any }

type conversionKey struct{ from, to lazy.DType }

// widening is the loop that converts rows to a type that holds their numbers.
func widening[D scalar, S lazy.Number]() func([]D, []S) {
	first, ok := fast.widening[conversionKey{lazy.TypeOf[S](), lazy.TypeOf[D]()}].(func([]D, []S) int)
	if !ok {
		return convertRow[D, S]
	}
	return func(dst []D, src []S) {
		n := first(dst, src)
		convertRow(dst[n:], src[n:])
	}
}

// narrowing is the loop that stores a row whose voxels lie side by side, for which store is the plain one; it is
// one of those given, if they have it.
func narrowing[D lazy.Number, E scalar](of map[conversionKey]any, store func([]D, int, []E)) func([]D, []E) {
	first, ok := of[conversionKey{lazy.TypeOf[E](), lazy.TypeOf[D]()}].(func([]D, []E) int)
	if !ok {
		return func(dst []D, src []E) { store(dst, 1, src) }
	}
	return func(dst []D, src []E) {
		n := first(dst, src)
		store(dst[n:], 1, src[n:])
	}
}

func convertRow[D, S lazy.Number](dst []D, src []S) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = D(src[i])
	}
}

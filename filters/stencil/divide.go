package stencil

import (
	"math"
	"math/bits"

	"lamella/lazy"
)

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

// roundDivBy is a/by to nearest, halves away from zero, for a positive integer by.
func roundDivBy[E scalar](dst, a []E, by E) {
	a = a[:len(dst)]
	if lazy.TypeOf[E]().Float() {
		for i, v := range a {
			dst[i] = E(math.Round(float64(v) / float64(by)))
		}
		return
	}
	half := by / 2 // of an odd divisor nothing is a half, and this rounds to nearest all the same
	for i, v := range a {
		if v >= 0 {
			dst[i] = (v + half) / by
		} else {
			dst[i] = (v - half) / by
		}
	}
}

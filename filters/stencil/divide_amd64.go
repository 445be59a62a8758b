//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"math/bits"
	"simd/archsimd"
)

func init() {
	if !vectors {
		return
	}
	tableI16.floorDiv, tableI16.sumFloorDiv = floorDivI16, sumFloorDivI16
	tableI16.roundDiv, tableI16.sumRoundDiv = roundDivI16, sumRoundDivI16
}

// floored256 takes 1 away where the quotient was rounded up to an integer: there the remainder, which a fused
// multiplication gives with its right sign, is negative.
func floored256(v, by archsimd.Float32x8) archsimd.Float32x8 {
	q, zero := v.Div(by).Floor(), archsimd.BroadcastFloat32x8(0)
	rest := zero.Sub(q).MulAdd(by, v)
	return q.Sub(archsimd.BroadcastFloat32x8(1).Masked(rest.Less(zero)))
}

// floored512 is the same of sixteen numbers.
func floored512(v, by archsimd.Float32x16) archsimd.Float32x16 {
	q, zero := v.Div(by).FloorScaled(0), archsimd.BroadcastFloat32x16(0)
	rest := zero.Sub(q).MulAdd(by, v)
	return q.Sub(archsimd.BroadcastFloat32x16(1).Masked(rest.Less(zero)))
}

// unsigned is the magnitude.
func unsigned(v archsimd.Float32x8) archsimd.Float32x8 {
	return v.AsInt32x8().And(archsimd.BroadcastInt32x8(0x7fffffff)).AsFloat32x8()
}

// signed is a magnitude with the sign of v.
func signed(magnitude, v archsimd.Float32x8) archsimd.Float32x8 {
	sign := v.AsInt32x8().And(archsimd.BroadcastInt32x8(-1 << 31))
	return magnitude.AsInt32x8().Or(sign).AsFloat32x8()
}

// half is the integer part of the half.
func half(by archsimd.Float32x8) archsimd.Float32x8 {
	return by.Mul(archsimd.BroadcastFloat32x8(0.5)).Floor()
}

// A reciprocal divides integers 0..32767 by a constant from 2 to 32767: the high half of a product with
// factor, shifted to the right.
//
//	Granlund and Montgomery, Division by invariant integers using multiplication, 1994.
type reciprocal struct {
	factor uint16
	shift  uint64
}

func reciprocalOf(by int16) reciprocal {
	s := bits.Len16(uint16(by)) - 1
	if by&(by-1) == 0 {
		return reciprocal{1 << 15, uint64(s - 1)}
	}
	return reciprocal{uint16((1<<(16+s))/uint32(by) + 1), uint64(s)}
}

func floorDivI16(dst, a []int16, by int16) {
	if by == 1 {
		copy(dst, a)
		return
	}
	n := len(dst) &^ 15
	floorDivBy(dst[n:], a[n:], by)
	r := reciprocalOf(by)
	floorDivLeafI16(dst[:n], a, r.factor, r.shift)
}

func sumFloorDivI16(dst, a, b, c []int16, by int16) {
	sum3I16(dst, a, b, c)
	floorDivI16(dst, dst, by)
}

func roundDivI16(dst, a []int16, by int16) {
	if by == 1 {
		copy(dst, a)
		return
	}
	n := len(dst) &^ 15
	roundDivBy(dst[n:], a[n:], by)
	r := reciprocalOf(by)
	roundDivLeafI16(dst[:n], a, by/2, r.factor, r.shift)
}

func sumRoundDivI16(dst, a, b, c []int16, by int16) {
	sum3I16(dst, a, b, c)
	roundDivI16(dst, dst, by)
}

//go:noinline
func floorDivLeafI16(dst, a []int16, factor uint16, shift uint64) {
	f := archsimd.BroadcastUint16x16(factor)
	for len(dst) >= 32 && len(a) >= 32 {
		saveI16(floorQuotient256(loadI16(a), f, shift), dst)
		saveI16(floorQuotient256(loadI16(a[16:]), f, shift), dst[16:])
		dst, a = dst[32:], a[32:]
	}
	for len(dst) >= 16 && len(a) >= 16 {
		saveI16(floorQuotient256(loadI16(a), f, shift), dst)
		dst, a = dst[16:], a[16:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func roundDivLeafI16(dst, a []int16, half int16, factor uint16, shift uint64) {
	f, h := archsimd.BroadcastUint16x16(factor), archsimd.BroadcastInt16x16(half)
	for len(dst) >= 32 && len(a) >= 32 {
		saveI16(roundQuotient256(loadI16(a), h, f, shift), dst)
		saveI16(roundQuotient256(loadI16(a[16:]), h, f, shift), dst[16:])
		dst, a = dst[32:], a[32:]
	}
	for len(dst) >= 16 && len(a) >= 16 {
		saveI16(roundQuotient256(loadI16(a), h, f, shift), dst)
		dst, a = dst[16:], a[16:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"

	"lamella/lazy"
)

// directLoops are the loops over rows of narrow integers for one kind of vectors.
type directLoops struct{ summing, floorDividing, roundDividing map[conversionKey]any }

var direct256 = directLoops{
	summing: map[conversionKey]any{{lazy.U8, lazy.I16}: sumU8, {lazy.I8, lazy.I16}: sumI8, {lazy.U16, lazy.F32}: sumU16},
	floorDividing: map[conversionKey]any{
		{lazy.I16, lazy.U8}: func(dst []uint8, a, b, c []int16, by int16) int { return floorQuotients(dst, a, b, c, by, 0, 255) },
		{lazy.I16, lazy.I8}: func(dst []int8, a, b, c []int16, by int16) int {
			return floorQuotients(bytesOf(dst), a, b, c, by, -128, 127)
		},
		{lazy.F32, lazy.U16}: floorQuotientsU16,
	},
	roundDividing: map[conversionKey]any{
		{lazy.I16, lazy.U8}: func(dst []uint8, a, b, c []int16, by int16) int { return roundQuotients(dst, a, b, c, by, 0, 255) },
		{lazy.I16, lazy.I8}: func(dst []int8, a, b, c []int16, by int16) int {
			return roundQuotients(bytesOf(dst), a, b, c, by, -128, 127)
		},
		{lazy.F32, lazy.U16}: roundQuotientsU16,
	},
}

//go:noinline
func sumU8(dst []int16, a, b, c []uint8) int {
	n := len(dst)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		saveI16(wide8(a).Add(wide8(b)).Add(wide8(c)), dst)
		saveI16(wide8(a[16:]).Add(wide8(b[16:])).Add(wide8(c[16:])), dst[16:])
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func sumI8(dst []int16, a, b, c []int8) int {
	n := len(dst)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		saveI16(signedWide8(a).Add(signedWide8(b)).Add(signedWide8(c)), dst)
		saveI16(signedWide8(a[16:]).Add(signedWide8(b[16:])).Add(signedWide8(c[16:])), dst[16:])
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// sumU16 adds integers, which float32 holds as exactly: each is below 2^16.
//
//go:noinline
func sumU16(dst []float32, a, b, c []uint16) int {
	n := len(dst)
	for len(dst) >= 16 && len(a) >= 16 && len(b) >= 16 && len(c) >= 16 {
		saveF32(ints16(a).Add(ints16(b)).Add(ints16(c)).ConvertToFloat32(), dst)
		saveF32(ints16(a[8:]).Add(ints16(b[8:])).Add(ints16(c[8:])).ConvertToFloat32(), dst[8:])
		dst, a, b, c = dst[16:], a[16:], b[16:], c[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// floorQuotients is the floor of the sum of three rows by a constant, clamped to least..most and stored as bytes.
//
//go:noinline
func floorQuotients(dst []uint8, a, b, c []int16, by, least, most int16) int {
	n, r := len(dst), reciprocalOf(by)
	f, lo, hi := archsimd.BroadcastUint16x16(r.factor), archsimd.BroadcastInt16x16(least), archsimd.BroadcastInt16x16(most)
	front, back := archsimd.LoadInt8x32(&toFront), archsimd.LoadInt8x32(&toBack)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		v, w := loadI16(a).Add(loadI16(b)).Add(loadI16(c)), loadI16(a[16:]).Add(loadI16(b[16:])).Add(loadI16(c[16:]))
		lowBytes(floorQuotient(v, f, r.shift).Max(lo).Min(hi), floorQuotient(w, f, r.shift).Max(lo).Min(hi), front, back).Store((*[32]uint8)(dst))
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// roundQuotients is the same, to the nearest integer.
//
//go:noinline
func roundQuotients(dst []uint8, a, b, c []int16, by, least, most int16) int {
	n, r := len(dst), reciprocalOf(by)
	f, h := archsimd.BroadcastUint16x16(r.factor), archsimd.BroadcastInt16x16(by/2)
	lo, hi := archsimd.BroadcastInt16x16(least), archsimd.BroadcastInt16x16(most)
	front, back := archsimd.LoadInt8x32(&toFront), archsimd.LoadInt8x32(&toBack)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		v, w := loadI16(a).Add(loadI16(b)).Add(loadI16(c)), loadI16(a[16:]).Add(loadI16(b[16:])).Add(loadI16(c[16:]))
		lowBytes(roundQuotient(v, h, f, r.shift).Max(lo).Min(hi), roundQuotient(w, h, f, r.shift).Max(lo).Min(hi), front, back).Store((*[32]uint8)(dst))
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// floorQuotientsU16 is the same of whole numbers, stored as 16 bits.
//
//go:noinline
func floorQuotientsU16(dst []uint16, a, b, c []float32, by float32) int {
	n, w := len(dst), archsimd.BroadcastFloat32x8(by)
	for len(dst) >= 16 && len(a) >= 16 && len(b) >= 16 && len(c) >= 16 {
		low := floored(loadF32(a).Add(loadF32(b)).Add(loadF32(c)), w)
		up := floored(loadF32(a[8:]).Add(loadF32(b[8:])).Add(loadF32(c[8:])), w)
		saveU16(low, up, dst)
		dst, a, b, c = dst[16:], a[16:], b[16:], c[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// roundQuotientsU16 is the same, to the nearest integer.
//
//go:noinline
func roundQuotientsU16(dst []uint16, a, b, c []float32, by float32) int {
	n, w := len(dst), archsimd.BroadcastFloat32x8(by)
	h := half(w)
	for len(dst) >= 16 && len(a) >= 16 && len(b) >= 16 && len(c) >= 16 {
		low := loadF32(a).Add(loadF32(b)).Add(loadF32(c))
		up := loadF32(a[8:]).Add(loadF32(b[8:])).Add(loadF32(c[8:]))
		saveU16(signed(floored(unsigned(low).Add(h), w), low), signed(floored(unsigned(up).Add(h), w), up), dst)
		dst, a, b, c = dst[16:], a[16:], b[16:], c[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

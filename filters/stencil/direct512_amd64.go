//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"math"
	"simd/archsimd"

	"lamella/lazy"
)

// The loops of direct_amd64.go for processors with AVX-512, two vectors a turn.

var direct512 = directLoops{
	summing: map[conversionKey]any{{lazy.U8, lazy.I16}: sumU8x32, {lazy.I8, lazy.I16}: sumI8x32, {lazy.U16, lazy.F32}: sumU16x16},
	floorDividing: map[conversionKey]any{
		{lazy.I16, lazy.U8}: func(dst []uint8, a, b, c []int16, by int16) int { return floorQuotients512(dst, a, b, c, by, 0, 255) },
		{lazy.I16, lazy.I8}: func(dst []int8, a, b, c []int16, by int16) int {
			return floorQuotients512(bytesOf(dst), a, b, c, by, -128, 127)
		},
		{lazy.F32, lazy.U16}: floorQuotientsU16x16,
	},
	roundDividing: map[conversionKey]any{
		{lazy.I16, lazy.U8}: func(dst []uint8, a, b, c []int16, by int16) int { return roundQuotients512(dst, a, b, c, by, 0, 255) },
		{lazy.I16, lazy.I8}: func(dst []int8, a, b, c []int16, by int16) int {
			return roundQuotients512(bytesOf(dst), a, b, c, by, -128, 127)
		},
		{lazy.F32, lazy.U16}: roundQuotientsU16x16,
	},
}

func wide512(s []uint8) archsimd.Int16x32 {
	return archsimd.LoadUint8x32((*[32]uint8)(s)).ExtendToUint16().AsInt16x32()
}

func signedWide512(s []int8) archsimd.Int16x32 {
	return archsimd.LoadInt8x32((*[32]int8)(s)).ExtendToInt16()
}

func ints512(s []uint16) archsimd.Int32x16 {
	return archsimd.LoadUint16x16((*[16]uint16)(s)).ExtendToUint32().AsInt32x16()
}

func load512(s []int16) archsimd.Int16x32 { return archsimd.LoadInt16x32((*[32]int16)(s)) }

//go:noinline
func sumU8x32(dst []int16, a, b, c []uint8) int {
	n := len(dst)
	for len(dst) >= 64 && len(a) >= 64 && len(b) >= 64 && len(c) >= 64 {
		wide512(a).Add(wide512(b)).Add(wide512(c)).Store((*[32]int16)(dst))
		wide512(a[32:]).Add(wide512(b[32:])).Add(wide512(c[32:])).Store((*[32]int16)(dst[32:]))
		dst, a, b, c = dst[64:], a[64:], b[64:], c[64:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func sumI8x32(dst []int16, a, b, c []int8) int {
	n := len(dst)
	for len(dst) >= 64 && len(a) >= 64 && len(b) >= 64 && len(c) >= 64 {
		signedWide512(a).Add(signedWide512(b)).Add(signedWide512(c)).Store((*[32]int16)(dst))
		signedWide512(a[32:]).Add(signedWide512(b[32:])).Add(signedWide512(c[32:])).Store((*[32]int16)(dst[32:]))
		dst, a, b, c = dst[64:], a[64:], b[64:], c[64:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func sumU16x16(dst []float32, a, b, c []uint16) int {
	n := len(dst)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		ints512(a).Add(ints512(b)).Add(ints512(c)).ConvertToFloat32().Store((*[16]float32)(dst))
		ints512(a[16:]).Add(ints512(b[16:])).Add(ints512(c[16:])).ConvertToFloat32().Store((*[16]float32)(dst[16:]))
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func floorQuotients512(dst []uint8, a, b, c []int16, by int16, least, most int16) int {
	n, r := len(dst), reciprocalOf(by)
	f, lo, hi := archsimd.BroadcastUint16x32(r.factor), archsimd.BroadcastInt16x32(least), archsimd.BroadcastInt16x32(most)
	for len(dst) >= 64 && len(a) >= 64 && len(b) >= 64 && len(c) >= 64 {
		v, w := load512(a).Add(load512(b)).Add(load512(c)), load512(a[32:]).Add(load512(b[32:])).Add(load512(c[32:]))
		floorQuotient512(v, f, r.shift).Max(lo).Min(hi).AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst))
		floorQuotient512(w, f, r.shift).Max(lo).Min(hi).AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst[32:]))
		dst, a, b, c = dst[64:], a[64:], b[64:], c[64:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func roundQuotients512(dst []uint8, a, b, c []int16, by int16, least, most int16) int {
	n, r := len(dst), reciprocalOf(by)
	f, h := archsimd.BroadcastUint16x32(r.factor), archsimd.BroadcastInt16x32(by/2)
	lo, hi := archsimd.BroadcastInt16x32(least), archsimd.BroadcastInt16x32(most)
	for len(dst) >= 64 && len(a) >= 64 && len(b) >= 64 && len(c) >= 64 {
		v, w := load512(a).Add(load512(b)).Add(load512(c)), load512(a[32:]).Add(load512(b[32:])).Add(load512(c[32:]))
		roundQuotient512(v, h, f, r.shift).Max(lo).Min(hi).AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst))
		roundQuotient512(w, h, f, r.shift).Max(lo).Min(hi).AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst[32:]))
		dst, a, b, c = dst[64:], a[64:], b[64:], c[64:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// floorQuotient512 is floorQuotient.
func floorQuotient512(v archsimd.Int16x32, factor archsimd.Uint16x32, shift uint64) archsimd.Int16x32 {
	s := v.ShiftAllRight(15)
	return v.Xor(s).AsUint16x32().MulHigh(factor).ShiftAllRight(shift).AsInt16x32().Xor(s)
}

// roundQuotient512 is roundQuotient.
func roundQuotient512(v, half archsimd.Int16x32, factor archsimd.Uint16x32, shift uint64) archsimd.Int16x32 {
	s := v.ShiftAllRight(15)
	return v.Abs().Add(half).AsUint16x32().MulHigh(factor).ShiftAllRight(shift).AsInt16x32().Xor(s).Sub(s)
}

//go:noinline
func floorQuotientsU16x16(dst []uint16, a, b, c []float32, by float32) int {
	n, w := len(dst), archsimd.BroadcastFloat32x16(by)
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		saveU512(floored512(loadF32x16(a).Add(loadF32x16(b)).Add(loadF32x16(c)), w), dst)
		saveU512(floored512(loadF32x16(a[16:]).Add(loadF32x16(b[16:])).Add(loadF32x16(c[16:])), w), dst[16:])
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func roundQuotientsU16x16(dst []uint16, a, b, c []float32, by float32) int {
	n, w, h := len(dst), archsimd.BroadcastFloat32x16(by), archsimd.BroadcastFloat32x16(float32(math.Floor(float64(by)/2)))
	for len(dst) >= 32 && len(a) >= 32 && len(b) >= 32 && len(c) >= 32 {
		saveU512(rounded512(loadF32x16(a).Add(loadF32x16(b)).Add(loadF32x16(c)), h, w), dst)
		saveU512(rounded512(loadF32x16(a[16:]).Add(loadF32x16(b[16:])).Add(loadF32x16(c[16:])), h, w), dst[16:])
		dst, a, b, c = dst[32:], a[32:], b[32:], c[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// floored512 is floored.
func floored512(v, by archsimd.Float32x16) archsimd.Float32x16 {
	q, zero := v.Div(by).FloorScaled(0), archsimd.BroadcastFloat32x16(0)
	rest := zero.Sub(q).MulAdd(by, v)
	return q.Sub(archsimd.BroadcastFloat32x16(1).Masked(rest.Less(zero)))
}

// rounded512 is the quotient to nearest where it is stored as a number without a sign: of the others nothing is left but 0.
func rounded512(v, half, by archsimd.Float32x16) archsimd.Float32x16 {
	return floored512(v.Add(half), by)
}

// saveU512 stores whole numbers, clamped.
func saveU512(v archsimd.Float32x16, dst []uint16) {
	v = v.Max(archsimd.BroadcastFloat32x16(0)).Min(archsimd.BroadcastFloat32x16(65535))
	v.ConvertToInt32().AsUint32x16().TruncateToUint16().Store((*[16]uint16)(dst))
}

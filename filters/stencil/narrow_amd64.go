//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"
	"unsafe"

	"lamella/lazy"
)

func init() {
	if !vectors {
		return
	}
	fast.narrowing = map[conversionKey]any{
		{lazy.F32, lazy.I32}: f32ToI32, {lazy.F32, lazy.U16}: f32ToU16, {lazy.F32, lazy.I16}: f32ToI16,
		{lazy.F32, lazy.U8}: func(dst []uint8, src []float32) int { return f32ToBytes(dst, src, 0, 255) },
		{lazy.F32, lazy.I8}: func(dst []int8, src []float32) int { return f32ToBytes(bytesOf(dst), src, -128, 127) },
	}
	fast.narrowingWhole = map[conversionKey]any{
		{lazy.F32, lazy.U16}: wholeToU16, {lazy.F32, lazy.I32}: wholeToI32,
		{lazy.F32, lazy.I16}: f32ToI16,
		{lazy.F32, lazy.U8}:  fast.narrowing[conversionKey{lazy.F32, lazy.U8}],
		{lazy.F32, lazy.I8}:  fast.narrowing[conversionKey{lazy.F32, lazy.I8}],
		{lazy.I16, lazy.U8}:  func(dst []uint8, src []int16) int { return i16ToBytes(dst, src, 0, 255) },
		{lazy.I16, lazy.I8}:  func(dst []int8, src []int16) int { return i16ToBytes(bytesOf(dst), src, -128, 127) },
	}
}

// bytesOf is the same memory as unsigned bytes.
func bytesOf(s []int8) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// nearest8 is eight voxels rounded to nearest, halves away from zero, and clamped to lo..hi. What is cut off is
// compared with a half: adding a half first would round twice. NaN becomes 0.
func nearest8(src []float32, lo, hi archsimd.Float32x8) archsimd.Int32x8 {
	v := loadF32(src)
	v = v.Masked(v.Equal(v)).Max(lo).Min(hi)
	whole := v.Trunc()
	twice := v.Sub(whole)
	return whole.Add(twice.Add(twice).Trunc()).ConvertToInt32()
}

//go:noinline
func f32ToU16(dst []uint16, src []float32) int {
	n := len(dst)
	lo, hi := archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(65535)
	for len(dst) >= 16 && len(src) >= 16 {
		// The instruction packs the halves of both vectors by turns; the middle two are exchanged before.
		a, b := nearest8(src, lo, hi), nearest8(src[8:], lo, hi)
		low, up := a.Select128FromPair(0, 2, b), a.Select128FromPair(1, 3, b)
		low.SaturateToUint16ConcatGrouped(up).Store((*[16]uint16)(dst))
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// saveWords256 stores whole numbers that int32 holds, clamped.
func saveWords256(a, b archsimd.Float32x8, dst []uint16) {
	v, w := a.ConvertToInt32(), b.ConvertToInt32()
	low, up := v.Select128FromPair(0, 2, w), v.Select128FromPair(1, 3, w)
	low.SaturateToUint16ConcatGrouped(up).Store((*[16]uint16)(dst))
}

// wholeToU16 need not round, and clamps where it packs.
//
//go:noinline
func wholeToU16(dst []uint16, src []float32) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 16 {
		saveWords256(loadF32(src), loadF32(src[8:]), dst)
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// wholeToI32 takes numbers that float32 holds exactly, and so does int32.
//
//go:noinline
func wholeToI32(dst []int32, src []float32) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 16 {
		saveI32(loadF32(src).ConvertToInt32(), dst)
		saveI32(loadF32(src[8:]).ConvertToInt32(), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func f32ToI16(dst []int16, src []float32) int {
	n := len(dst)
	lo, hi := archsimd.BroadcastFloat32x8(-32768), archsimd.BroadcastFloat32x8(32767)
	for len(dst) >= 16 && len(src) >= 16 {
		a, b := nearest8(src, lo, hi), nearest8(src[8:], lo, hi)
		low, up := a.Select128FromPair(0, 2, b), a.Select128FromPair(1, 3, b)
		saveI16(low.SaturateToInt16ConcatGrouped(up), dst)
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// f32ToI32 knows the numbers from 2^31 on by themselves: the largest float32 that int32 holds is less.
//
//go:noinline
func f32ToI32(dst []int32, src []float32) int {
	n := len(dst)
	lo, hi, over := archsimd.BroadcastFloat32x8(-1<<31), archsimd.BroadcastFloat32x8(1<<31-128), archsimd.BroadcastFloat32x8(1<<31)
	most := archsimd.BroadcastInt32x8(1<<31 - 1)
	for len(dst) >= 8 && len(src) >= 8 {
		saveI32(most.Merge(nearest8(src, lo, hi), loadF32(src).GreaterEqual(over)), dst)
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// The lower bytes of eight 16-bit numbers, moved to the front and to the back of a group of 16 bytes.
var (
	toFront = [32]int8{0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1}
	toBack  = [32]int8{-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14}
)

// lowBytes is the lower bytes of 32 numbers, in order.
func lowBytes(a, b archsimd.Int16x16, front, back archsimd.Int8x32) archsimd.Uint8x32 {
	low, up := a.Select128FromPair(0, 2, b), a.Select128FromPair(1, 3, b)
	return low.AsUint8x32().PermuteOrZeroGrouped(front).Or(up.AsUint8x32().PermuteOrZeroGrouped(back))
}

// saveBytes256 stores numbers that fit bytes.
func saveBytes256(a, b archsimd.Int16x16, dst []uint8) {
	lowBytes(a, b, archsimd.LoadInt8x32(&toFront), archsimd.LoadInt8x32(&toBack)).Store((*[32]uint8)(dst))
}

//go:noinline
func f32ToBytes(dst []uint8, src []float32, least, most float32) int {
	n := len(dst)
	lo, hi := archsimd.BroadcastFloat32x8(least), archsimd.BroadcastFloat32x8(most)
	front, back := archsimd.LoadInt8x32(&toFront), archsimd.LoadInt8x32(&toBack)
	for len(dst) >= 32 && len(src) >= 32 {
		a, b := nearest8(src, lo, hi), nearest8(src[8:], lo, hi)
		low := a.Select128FromPair(0, 2, b).SaturateToInt16ConcatGrouped(a.Select128FromPair(1, 3, b))
		a, b = nearest8(src[16:], lo, hi), nearest8(src[24:], lo, hi)
		up := a.Select128FromPair(0, 2, b).SaturateToInt16ConcatGrouped(a.Select128FromPair(1, 3, b))
		lowBytes(low, up, front, back).Store((*[32]uint8)(dst))
		dst, src = dst[32:], src[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func i16ToBytes(dst []uint8, src []int16, least, most int16) int {
	n := len(dst)
	lo, hi := archsimd.BroadcastInt16x16(least), archsimd.BroadcastInt16x16(most)
	front, back := archsimd.LoadInt8x32(&toFront), archsimd.LoadInt8x32(&toBack)
	for len(dst) >= 32 && len(src) >= 32 {
		a, b := loadI16(src).Max(lo).Min(hi), loadI16(src[16:]).Max(lo).Min(hi)
		lowBytes(a, b, front, back).Store((*[32]uint8)(dst))
		dst, src = dst[32:], src[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

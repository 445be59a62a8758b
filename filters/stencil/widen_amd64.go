//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"

	"lamella/lazy"
)

func init() {
	if !vectors {
		return
	}
	fast.widening = map[conversionKey]any{
		{lazy.U8, lazy.F32}: u8ToF32, {lazy.U8, lazy.I32}: u8ToI32, {lazy.U8, lazy.I16}: u8ToI16,
		{lazy.I8, lazy.F32}: i8ToF32, {lazy.I8, lazy.I16}: i8ToI16,
		{lazy.U16, lazy.F32}: u16ToF32, {lazy.U16, lazy.I32}: u16ToI32, {lazy.I16, lazy.F32}: i16ToF32,
		{lazy.I32, lazy.F32}: i32ToF32,
	}
}

// Each of these converts whole vectors, and says how many voxels that were. Those of bytes to 32 bits load
// sixteen bytes for eight voxels, so they stop before the end of the block.

func words256(s []uint16) archsimd.Int32x8 {
	return archsimd.LoadUint16x8((*[8]uint16)(s)).ExtendToUint32().AsInt32x8()
}

//go:noinline
func u16ToF32(dst []float32, src []uint16) int {
	n := len(dst)
	for len(dst) >= 32 && len(src) >= 32 {
		saveF32(words256(src).ConvertToFloat32(), dst)
		saveF32(words256(src[8:]).ConvertToFloat32(), dst[8:])
		saveF32(words256(src[16:]).ConvertToFloat32(), dst[16:])
		saveF32(words256(src[24:]).ConvertToFloat32(), dst[24:])
		dst, src = dst[32:], src[32:]
	}
	for len(dst) >= 8 && len(src) >= 8 {
		saveF32(words256(src).ConvertToFloat32(), dst)
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func u16ToI32(dst []int32, src []uint16) int {
	n := len(dst)
	for len(dst) >= 32 && len(src) >= 32 {
		saveI32(words256(src), dst)
		saveI32(words256(src[8:]), dst[8:])
		saveI32(words256(src[16:]), dst[16:])
		saveI32(words256(src[24:]), dst[24:])
		dst, src = dst[32:], src[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func i16ToF32(dst []float32, src []int16) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 16 {
		saveF32(archsimd.LoadInt16x8((*[8]int16)(src)).ExtendToInt32().ConvertToFloat32(), dst)
		saveF32(archsimd.LoadInt16x8((*[8]int16)(src[8:])).ExtendToInt32().ConvertToFloat32(), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func i32ToF32(dst []float32, src []int32) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 16 {
		saveF32(loadI32(src).ConvertToFloat32(), dst)
		saveF32(loadI32(src[8:]).ConvertToFloat32(), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

func ints8(s []uint8) archsimd.Int32x8 {
	return archsimd.LoadUint8x16((*[16]uint8)(s)).ExtendLo8ToUint32().AsInt32x8()
}

func signedInts8(s []int8) archsimd.Int32x8 {
	return archsimd.LoadInt8x16((*[16]int8)(s)).ExtendLo8ToInt32()
}

//go:noinline
func u8ToF32(dst []float32, src []uint8) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 24 {
		saveF32(ints8(src).ConvertToFloat32(), dst)
		saveF32(ints8(src[8:]).ConvertToFloat32(), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func i8ToF32(dst []float32, src []int8) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 24 {
		saveF32(signedInts8(src).ConvertToFloat32(), dst)
		saveF32(signedInts8(src[8:]).ConvertToFloat32(), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func u8ToI32(dst []int32, src []uint8) int {
	n := len(dst)
	for len(dst) >= 16 && len(src) >= 24 {
		saveI32(ints8(src), dst)
		saveI32(ints8(src[8:]), dst[8:])
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

func bytes256(s []uint8) archsimd.Int16x16 {
	return archsimd.LoadUint8x16((*[16]uint8)(s)).ExtendToUint16().AsInt16x16()
}

func signedBytes256(s []int8) archsimd.Int16x16 {
	return archsimd.LoadInt8x16((*[16]int8)(s)).ExtendToInt16()
}

//go:noinline
func u8ToI16(dst []int16, src []uint8) int {
	n := len(dst)
	for len(dst) >= 32 && len(src) >= 32 {
		saveI16(bytes256(src), dst)
		saveI16(bytes256(src[16:]), dst[16:])
		dst, src = dst[32:], src[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

//go:noinline
func i8ToI16(dst []int16, src []int8) int {
	n := len(dst)
	for len(dst) >= 32 && len(src) >= 32 {
		saveI16(signedBytes256(src), dst)
		saveI16(signedBytes256(src[16:]), dst[16:])
		dst, src = dst[32:], src[32:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

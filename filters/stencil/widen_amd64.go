//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"

	"lamella/lazy"
)

func widenF32AVX(dst []float32, b *lazy.Block, from int) int {
	n := len(dst) &^ 7
	switch b.DType {
	case lazy.U16:
		u16ToF32(dst[:n], lazy.View[uint16](b)[from:])
	case lazy.I16:
		i16ToF32(dst[:n], lazy.View[int16](b)[from:])
	case lazy.U8:
		n = u8ToF32(dst[:n], lazy.View[uint8](b)[from:])
	default:
		return 0
	}
	return n
}

func widenI32AVX(dst []int32, b *lazy.Block, from int) int {
	n := len(dst) &^ 7
	switch b.DType {
	case lazy.U16:
		u16ToI32(dst[:n], lazy.View[uint16](b)[from:])
	case lazy.U8:
		n = u8ToI32(dst[:n], lazy.View[uint8](b)[from:])
	default:
		return 0
	}
	return n
}

//go:noinline
func u16ToF32(dst []float32, src []uint16) {
	for len(dst) >= 8 && len(src) >= 8 {
		v := archsimd.LoadUint16x8((*[8]uint16)(src)).ExtendToUint32().AsInt32x8()
		save(v.ConvertToFloat32(), dst)
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func u16ToI32(dst []int32, src []uint16) {
	for len(dst) >= 8 && len(src) >= 8 {
		archsimd.LoadUint16x8((*[8]uint16)(src)).ExtendToUint32().AsInt32x8().Store((*[8]int32)(dst))
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func i16ToF32(dst []float32, src []int16) {
	for len(dst) >= 8 && len(src) >= 8 {
		save(archsimd.LoadInt16x8((*[8]int16)(src)).ExtendToInt32().ConvertToFloat32(), dst)
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
}

// u8ToF32 loads sixteen voxels for eight, so it stops before the end of the block.
//
//go:noinline
func u8ToF32(dst []float32, src []uint8) int {
	n := len(dst)
	for len(dst) >= 8 && len(src) >= 16 {
		v := archsimd.LoadUint8x16((*[16]uint8)(src)).ExtendLo8ToUint32().AsInt32x8()
		save(v.ConvertToFloat32(), dst)
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

// u8ToI32 loads sixteen voxels for eight, so it stops before the end of the block.
//
//go:noinline
func u8ToI32(dst []int32, src []uint8) int {
	n := len(dst)
	for len(dst) >= 8 && len(src) >= 16 {
		archsimd.LoadUint8x16((*[16]uint8)(src)).ExtendLo8ToUint32().AsInt32x8().Store((*[8]int32)(dst))
		dst, src = dst[8:], src[8:]
	}
	archsimd.ClearAVXUpperBits()
	return n - len(dst)
}

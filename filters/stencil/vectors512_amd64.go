//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "simd/archsimd"

// What the loops for AVX-512 load and save.

func loadF32x16(s []float32) archsimd.Float32x16      { return archsimd.LoadFloat32x16((*[16]float32)(s)) }
func saveF32x16(v archsimd.Float32x16, dst []float32) { v.Store((*[16]float32)(dst)) }
func loadI16x32(s []int16) archsimd.Int16x32          { return archsimd.LoadInt16x32((*[32]int16)(s)) }
func saveI16x32(v archsimd.Int16x32, dst []int16)     { v.Store((*[32]int16)(dst)) }

func bytes512(s []uint8) archsimd.Int16x32 {
	return archsimd.LoadUint8x32((*[32]uint8)(s)).ExtendToUint16().AsInt16x32()
}

func signedBytes512(s []int8) archsimd.Int16x32 {
	return archsimd.LoadInt8x32((*[32]int8)(s)).ExtendToInt16()
}

func words512(s []uint16) archsimd.Int32x16 {
	return archsimd.LoadUint16x16((*[16]uint16)(s)).ExtendToUint32().AsInt32x16()
}

// saveBytes512 stores numbers that fit bytes.
func saveBytes512(a, b archsimd.Int16x32, dst []uint8) {
	a.AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst))
	b.AsUint16x32().TruncateToUint8().Store((*[32]uint8)(dst[32:]))
}

// saveWords512 stores whole numbers, clamped.
func saveWords512(a, b archsimd.Float32x16, dst []uint16) {
	zero, most := archsimd.BroadcastFloat32x16(0), archsimd.BroadcastFloat32x16(65535)
	a.Max(zero).Min(most).ConvertToInt32().AsUint32x16().TruncateToUint16().Store((*[16]uint16)(dst))
	b.Max(zero).Min(most).ConvertToInt32().AsUint32x16().TruncateToUint16().Store((*[16]uint16)(dst[16:]))
}

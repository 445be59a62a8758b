//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"simd/archsimd"

	"lamella/lazy"
)

func narrowAVX(b *lazy.Block, at int, src []float32) int {
	n := len(src) &^ 15
	switch b.DType {
	case lazy.U8:
		f32ToU8(lazy.View[uint8](b)[at:at+n], src)
	case lazy.U16:
		f32ToU16(lazy.View[uint16](b)[at:at+n], src)
	default:
		return 0
	}
	return n
}

// nearest8 is eight voxels rounded to nearest, halves away from zero, and clamped to 0..hi. What is cut off is
// compared with a half: adding a half first would round twice. NaN becomes 0.
func nearest8(src []float32, half, one, zero, hi archsimd.Float32x8) archsimd.Int32x8 {
	v := load(src)
	v = v.Masked(v.Equal(v)).Max(zero).Min(hi)
	whole := v.Trunc()
	up := v.Sub(whole).GreaterEqual(half)
	return whole.Add(one.Masked(up)).ConvertToInt32()
}

//go:noinline
func f32ToU8(dst []uint8, src []float32) {
	half, one, zero, hi := archsimd.BroadcastFloat32x8(0.5), archsimd.BroadcastFloat32x8(1), archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(255)
	var a, b [8]int32
	for len(dst) >= 16 && len(src) >= 16 {
		nearest8(src, half, one, zero, hi).Store(&a)
		nearest8(src[8:], half, one, zero, hi).Store(&b)
		for i := range 8 {
			dst[i], dst[i+8] = uint8(a[i]), uint8(b[i])
		}
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func f32ToU16(dst []uint16, src []float32) {
	half, one, zero, hi := archsimd.BroadcastFloat32x8(0.5), archsimd.BroadcastFloat32x8(1), archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(65535)
	for len(dst) >= 16 && len(src) >= 16 {
		// The instruction packs the halves of both vectors by turns; the middle two are exchanged before.
		a, b := nearest8(src, half, one, zero, hi), nearest8(src[8:], half, one, zero, hi)
		lo, up := a.Select128FromPair(0, 2, b), a.Select128FromPair(1, 3, b)
		lo.SaturateToUint16ConcatGrouped(up).Store((*[16]uint16)(dst))
		dst, src = dst[16:], src[16:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:build goexperiment.simd && amd64 && !go1.27

package filters

import "simd/archsimd"

// Loops for processors with AVX2, eight float32 at a time. Min and Max give their second operand where one of the
// two is NaN, which is what the comparisons of the plain loops do.

func init() {
	if archsimd.X86.AVX2() {
		parabolas32 = parabolas[float32]{lowerParabolaAVX, upperParabolaAVX}
	}
}

func loadF32(s []float32) archsimd.Float32x8      { return archsimd.LoadFloat32x8((*[8]float32)(s)) }
func saveF32(v archsimd.Float32x8, dst []float32) { v.Store((*[8]float32)(dst)) }

//go:noinline
func lowerParabolaAVX(dst, a, b []float32, w float32) {
	drop := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		v := loadF32(a).Add(drop).Min(loadF32(dst))
		saveF32(loadF32(b).Add(drop).Min(v), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
	lowerParabola(dst, a, b, w)
}

//go:noinline
func upperParabolaAVX(dst, a, b []float32, w float32) {
	drop := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		v := loadF32(a).Sub(drop).Max(loadF32(dst))
		saveF32(loadF32(b).Sub(drop).Max(v), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
	upperParabola(dst, a, b, w)
}

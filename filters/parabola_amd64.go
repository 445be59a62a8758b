//go:build goexperiment.simd && amd64 && !go1.27

package filters

import "simd/archsimd"

// Loops for processors with AVX2, eight float32 at a time. What is compared is chosen by the comparison, as in the
// plain loops: the compiler takes Min and Max to be commutative, which they are not where one operand is NaN.

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
		v, x, y := loadF32(dst), loadF32(a).Add(drop), loadF32(b).Add(drop)
		v = x.Merge(v, x.Less(v))
		saveF32(y.Merge(v, y.Less(v)), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
	lowerParabola(dst, a, b, w)
}

//go:noinline
func upperParabolaAVX(dst, a, b []float32, w float32) {
	drop := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		v, x, y := loadF32(dst), loadF32(a).Sub(drop), loadF32(b).Sub(drop)
		v = x.Merge(v, x.Greater(v))
		saveF32(y.Merge(v, y.Greater(v)), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
	upperParabola(dst, a, b, w)
}

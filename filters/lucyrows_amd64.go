//go:build goexperiment.simd && amd64 && !go1.27

package filters

import (
	"math"
	"simd/archsimd"
)

func init() {
	if archsimd.X86.AVX2() {
		lucyLoops = lucyRows{quotientAVX, multiplyAVX, timesAVX}
	}
}

//go:noinline
func quotientAVX(blurred, data []float32, background, epsilon float32) {
	ground, least := archsimd.BroadcastFloat32x8(background), archsimd.BroadcastFloat32x8(epsilon)
	most, one := archsimd.BroadcastFloat32x8(math.MaxFloat32), archsimd.BroadcastFloat32x8(1)
	var zero archsimd.Float32x8
	for len(blurred) >= 8 && len(data) >= 8 {
		b, d := loadF32(blurred).Add(ground), loadF32(data)
		q := d.Div(b).Masked(d.Greater(zero))
		saveF32(q.Merge(one, b.Greater(least).And(d.LessEqual(most))), blurred)
		blurred, data = blurred[8:], data[8:]
	}
	archsimd.ClearAVXUpperBits()
	quotientRow(blurred, data, background, epsilon)
}

//go:noinline
func multiplyAVX(factor, estimate, inverse []float32) {
	least := archsimd.BroadcastFloat32x8(tiny)
	var zero archsimd.Float32x8
	for len(factor) >= 8 && len(estimate) >= 8 && len(inverse) >= 8 {
		f, u, w := loadF32(factor), loadF32(estimate), loadF32(inverse)
		f = f.Masked(f.Greater(zero))
		n := u.Mul(f).Mul(w)
		n = n.Masked(n.GreaterEqual(least))
		saveF32(n.Merge(u, w.NotEqual(zero)), factor)
		factor, estimate, inverse = factor[8:], estimate[8:], inverse[8:]
	}
	archsimd.ClearAVXUpperBits()
	multiplyRow(factor, estimate, inverse)
}

//go:noinline
func timesAVX(row, by []float32) {
	for len(row) >= 8 && len(by) >= 8 {
		saveF32(loadF32(row).Mul(loadF32(by)), row)
		row, by = row[8:], by[8:]
	}
	archsimd.ClearAVXUpperBits()
	timesRow(row, by)
}

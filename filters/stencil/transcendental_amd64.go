//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"math"
	"simd/archsimd"
)

func init() {
	if vectors {
		tableF32.exp, tableF32.log = expF32, logF32
	}
}

func spread(v float32) archsimd.Float32x8 { return archsimd.BroadcastFloat32x8(v) }

// powersOf2 is 2 to the power of each.
func powersOf2(k archsimd.Int32x8) archsimd.Float32x8 {
	return k.Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23).AsFloat32x8()
}

func expF32(dst, a []float32) {
	n := len(dst) &^ 7
	exponentials(dst[n:], a[n:])
	expLeafF32(dst[:n], a)
}

// expLeafF32 is exp32 for eight at a time, step by step.
//
//go:noinline
func expLeafF32(dst, a []float32) {
	lowest, highest, inverse, rounding := spread(expLowest), spread(expHighest), spread(math.Log2E), spread(0.5)
	high, low, one := spread(ln2High), spread(ln2Low), spread(1)
	for len(dst) >= 8 && len(a) >= 8 {
		x := loadF32(a)
		v := x.Max(lowest).Min(highest)
		k := v.Mul(inverse).Add(rounding).Floor()
		r := v.Sub(k.Mul(high)).Sub(k.Mul(low))
		p := spread(expTerms[0])
		p = p.Mul(r).Add(spread(expTerms[1]))
		p = p.Mul(r).Add(spread(expTerms[2]))
		p = p.Mul(r).Add(spread(expTerms[3]))
		p = p.Mul(r).Add(spread(expTerms[4]))
		p = p.Mul(r).Add(spread(expTerms[5]))
		p = p.Mul(r.Mul(r)).Add(r).Add(one)
		whole := k.ConvertToInt32()
		half := whole.ShiftAllRight(1)
		p = p.Mul(powersOf2(half)).Mul(powersOf2(whole.Sub(half)))
		p = spread(float32(math.Inf(1))).Merge(p, x.Greater(highest))
		p = spread(0).Merge(p, x.Less(lowest))
		saveF32(x.Merge(p, x.NotEqual(x)), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func logF32(dst, a []float32) {
	n := len(dst) &^ 7
	logarithms(dst[n:], a[n:])
	logLeafF32(dst[:n], a)
}

// logLeafF32 is log32 for eight at a time, step by step.
//
//go:noinline
func logLeafF32(dst, a []float32) {
	high, low, one, half, zero := spread(ln2High), spread(ln2Low), spread(1), spread(0.5), spread(0)
	for len(dst) >= 8 && len(a) >= 8 {
		x := loadF32(a)
		small := x.Less(spread(0x1p-126))
		b := x.Mul(spread(0x1p23)).Merge(x, small).AsInt32x8()
		e := b.ShiftAllRight(23).Sub(archsimd.BroadcastInt32x8(126)).ConvertToFloat32().Sub(spread(23).Masked(small))
		m := b.And(archsimd.BroadcastInt32x8(0x007fffff)).Or(archsimd.BroadcastInt32x8(0x3f000000)).AsFloat32x8()
		below := m.Less(spread(math.Sqrt2 / 2))
		e = e.Sub(one.Masked(below))
		m = m.Add(m.Masked(below)).Sub(one)
		z := m.Mul(m)
		p := spread(logTerms[0])
		p = p.Mul(m).Add(spread(logTerms[1]))
		p = p.Mul(m).Add(spread(logTerms[2]))
		p = p.Mul(m).Add(spread(logTerms[3]))
		p = p.Mul(m).Add(spread(logTerms[4]))
		p = p.Mul(m).Add(spread(logTerms[5]))
		p = p.Mul(m).Add(spread(logTerms[6]))
		p = p.Mul(m).Add(spread(logTerms[7]))
		p = p.Mul(m).Add(spread(logTerms[8]))
		p = p.Mul(m).Mul(z)
		p = p.Add(e.Mul(low)).Sub(half.Mul(z))
		p = m.Add(p).Add(e.Mul(high))
		p = x.Merge(p, x.Greater(spread(math.MaxFloat32)))
		p = spread(float32(math.Inf(-1))).Merge(p, x.Equal(zero))
		p = spread(float32(math.NaN())).Merge(p, x.Less(zero))
		saveF32(x.Merge(p, x.NotEqual(x)), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

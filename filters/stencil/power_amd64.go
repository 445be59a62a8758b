//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import (
	"math"
	"simd/archsimd"
)

func init() {
	if vectors {
		tableF32.power = powerF32
	}
}

func spread64(v float64) archsimd.Float64x4 { return archsimd.BroadcastFloat64x4(v) }

func powerF32(dst, a, b []float32) {
	n := len(dst) &^ 7
	powers(dst[n:], a[n:], b[n:])
	powerLeafF32(dst[:n], a, b)
}

// powerLeafF32 is pow32 for eight at a time, step by step.
//
//go:noinline
func powerLeafF32(dst, a, b []float32) {
	zero, one, half, nan := spread(0), spread(1), spread(0.5), spread(float32(math.NaN()))
	signs := archsimd.BroadcastInt32x8(math.MinInt32)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		x, y := loadF32(a), loadF32(b)
		p := archsimd.Float32x8{}.SetLo(powersOfSizes(x.GetLo(), y.GetLo())).SetHi(powersOfSizes(x.GetHi(), y.GetHi()))
		whole := y.Floor().Equal(y)
		halved := y.Mul(half)
		odd := whole.And(halved.Floor().NotEqual(halved))
		sign := x.AsInt32x8().And(signs).AsFloat32x8().Masked(odd)
		p = p.AsInt32x8().Or(sign.AsInt32x8()).AsFloat32x8()
		broken := x.Less(zero).And(x.GreaterEqual(spread(-math.MaxFloat32))).And(y.Floor().NotEqual(y))
		p = nan.Merge(p, broken.Or(x.NotEqual(x)).Or(y.NotEqual(y)))
		p = one.Merge(p, y.Equal(zero).Or(x.Equal(one)))
		saveF32(p, dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

// powersOfSizes is powerOfSize of each.
func powersOfSizes(x, y archsimd.Float32x4) archsimd.Float32x4 {
	const mantissa = 1<<52 - 1
	one, zero := spread64(1), spread64(0)
	bits := x.ConvertToFloat64().AsInt64x4().And(archsimd.BroadcastInt64x4(math.MaxInt64))
	a := bits.AsFloat64x4()
	// An integer below 2^52 in the low bits of 2^52 makes that many more of it.
	e := bits.AsUint64x4().ShiftAllRight(52).Or(archsimd.BroadcastUint64x4(0x433 << 52)).AsFloat64x4().Sub(spread64(0x1p52 + 1023))
	m := bits.And(archsimd.BroadcastInt64x4(mantissa)).Or(archsimd.BroadcastInt64x4(1023 << 52)).AsFloat64x4()
	above := m.Greater(spread64(math.Sqrt2))
	m = m.Mul(spread64(0.5)).Merge(m, above)
	e = e.Add(one.Masked(above))
	s := m.Sub(one).Div(m.Add(one))
	z := s.Mul(s)
	p := spread64(log2Terms[0])
	p = p.Mul(z).Add(spread64(log2Terms[1]))
	p = p.Mul(z).Add(spread64(log2Terms[2]))
	p = p.Mul(z).Add(spread64(log2Terms[3]))
	p = p.Mul(z).Add(spread64(log2Terms[4]))
	p = p.Mul(z).Add(spread64(log2Terms[5]))
	p = p.Mul(z).Add(spread64(log2Terms[6]))
	p = p.Mul(z).Add(spread64(log2Terms[7]))
	p = p.Mul(z).Add(spread64(log2Terms[8]))
	l := p.Mul(s).Add(e)
	l = spread64(math.Inf(-1)).Merge(l, a.Equal(zero))
	l = spread64(math.Inf(1)).Merge(l, a.Greater(spread64(math.MaxFloat32)))
	t := l.Mul(y.ConvertToFloat64())
	t = zero.Merge(t, l.Equal(zero))
	t = t.Min(spread64(powerReach)).Max(spread64(-powerReach))
	k := t.Add(spread64(0.5)).Floor()
	f := t.Sub(k)
	q := spread64(exp2Terms[0])
	q = q.Mul(f).Add(spread64(exp2Terms[1]))
	q = q.Mul(f).Add(spread64(exp2Terms[2]))
	q = q.Mul(f).Add(spread64(exp2Terms[3]))
	q = q.Mul(f).Add(spread64(exp2Terms[4]))
	q = q.Mul(f).Add(spread64(exp2Terms[5]))
	q = q.Mul(f).Add(spread64(exp2Terms[6]))
	q = q.Mul(f).Add(spread64(exp2Terms[7]))
	q = q.Mul(f).Add(spread64(exp2Terms[8]))
	q = q.Mul(f).Add(spread64(exp2Terms[9]))
	q = q.Mul(f).Add(spread64(exp2Terms[10]))
	scale := k.ConvertToInt32().ExtendToInt64().Add(archsimd.BroadcastInt64x4(1023)).ShiftAllLeft(52).AsFloat64x4()
	return q.Mul(scale).ConvertToFloat32()
}

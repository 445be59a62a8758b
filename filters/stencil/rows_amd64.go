//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "simd/archsimd"

//go:generate go run ./internal/loops

// Loops for processors with AVX2. Most are written by internal/loops; what is left over at the end of a row
// is done by the plain loops, whose arithmetic is the same.

// vectors reports whether the processor has the instructions that the loops use.
var vectors = archsimd.X86.AVX2() && archsimd.X86.FMA()

func init() {
	if vectors {
		Processor = "AVX2"
	}
}

func loadF32(s []float32) archsimd.Float32x8      { return archsimd.LoadFloat32x8((*[8]float32)(s)) }
func saveF32(v archsimd.Float32x8, dst []float32) { v.Store((*[8]float32)(dst)) }
func loadI32(s []int32) archsimd.Int32x8          { return archsimd.LoadInt32x8((*[8]int32)(s)) }
func saveI32(v archsimd.Int32x8, dst []int32)     { v.Store((*[8]int32)(dst)) }
func loadI16(s []int16) archsimd.Int16x16         { return archsimd.LoadInt16x16((*[16]int16)(s)) }
func saveI16(v archsimd.Int16x16, dst []int16)    { v.Store((*[16]int16)(dst)) }

// sloped is the square of the difference.
func sloped(a, b archsimd.Float32x8) archsimd.Float32x8 {
	d := b.Sub(a)
	return d.Mul(d)
}

// smoothed is the square of the smooth.
func smoothed(a, b, c archsimd.Float32x8) archsimd.Float32x8 {
	s := a.Add(b.Add(b)).Add(c)
	return s.Mul(s)
}

// lesser is what Go's min gives: NaN if one is, and of two zeros the negative one.
func lesser(a, b archsimd.Float32x8) archsimd.Float32x8 {
	least := a.Merge(a.Merge(b, a.Less(b)), a.NotEqual(a)) // b if that is NaN
	return least.AsInt32x8().Or(a.Masked(a.Equal(b)).AsInt32x8()).AsFloat32x8()
}

// greater is Go's max.
func greater(a, b archsimd.Float32x8) archsimd.Float32x8 {
	return turned(lesser(turned(a), turned(b)))
}

// turned has the other sign.
func turned(v archsimd.Float32x8) archsimd.Float32x8 {
	return v.AsInt32x8().Xor(archsimd.BroadcastInt32x8(-1 << 31)).AsFloat32x8()
}

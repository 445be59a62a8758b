//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "simd/archsimd"

//go:generate go run ./internal/loops

// Loops for processors with AVX2. Most are written by internal/loops; what is left over at the end of a row
// is done by the plain loops, whose arithmetic is the same.

// vectors reports whether the processor has the instructions that the loops use.
var vectors = archsimd.X86.AVX2() && archsimd.X86.FMA()

// wide reports whether it has those of AVX-512 too, whose vectors are twice as long.
var wide = vectors && archsimd.X86.AVX512()

func init() {
	if !vectors {
		return
	}
	Processor = "AVX2"
	use256()
	if wide {
		Processor = "AVX-512"
		use512()
	}
}

// directLoops are the loops over rows of narrow integers (direct.go) for one length of vectors.
type directLoops struct{ summing, floorDividing, roundDividing map[conversionKey]any }

// use256 puts the loops for AVX2 into the tables.
func use256() {
	for _, use := range []func(){
		sumsF32, weightsF32, choicesF32, rootsF32, aroundF32, sumsI32, weightsI32, choicesI32, sumsI16, weightsI16, choicesI16,
	} {
		use()
	}
	fast.summing, fast.floorDividing, fast.roundDividing = direct256.summing, direct256.floorDividing, direct256.roundDividing
}

// use512 puts loops for AVX-512 in the place of those that they are faster than: of a gaussian by a third and more.
func use512() {
	sumsF32x16()
	weightsF32x16()
	fast.summing, fast.floorDividing, fast.roundDividing = direct512.summing, direct512.floorDividing, direct512.roundDividing
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

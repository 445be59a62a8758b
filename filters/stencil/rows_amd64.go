//go:build goexperiment.simd && amd64 && !go1.27

package stencil

import "simd/archsimd"

// Loops for processors with AVX2, eight float32 at a time. Each inner loop is a leaf function over one
// row: in a nested loop the compiler keeps the counter in memory. What is left over at the end of a row
// is done by the plain loops, whose arithmetic is the same.

func init() {
	if !archsimd.X86.AVX2() {
		return
	}
	tableF32.difference = differenceAVX
	tableF32.smooth = smoothAVX
	tableF32.scale = scaleAVX
	tableF32.addScaled = addScaledAVX
	tableF32.add = addAVX
	tableF32.add2 = add2AVX
	tableF32.addPair = addPairAVX
	tableF32.addPairs = addPairsAVX
	tableF32.divide = divideAVX
	tableF32.norm2 = norm2AVX
	tableF32.norm3 = norm3AVX
	tableF32.sum3 = sum3AVX
	tableF32.add4 = add4AVX
	if archsimd.X86.FMA() {
		tableF32.floorDiv = floorDivAVX
	}
	tableI32.add2 = add2IntAVX
	narrowRow = narrowAVX
	widenF32, widenI32 = widenF32AVX, widenI32AVX
	Processor = "AVX2"
}

func load(s []float32) archsimd.Float32x8      { return archsimd.LoadFloat32x8((*[8]float32)(s)) }
func save(v archsimd.Float32x8, dst []float32) { v.Store((*[8]float32)(dst)) }

func differenceAVX(dst, a, b []float32) {
	n := len(dst) &^ 7
	difference(dst[n:], a[n:], b[n:])
	differenceLeaf(dst[:n], a, b)
}

//go:noinline
func differenceLeaf(dst, a, b []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		save(load(b).Sub(load(a)), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func smoothAVX(dst, a, b, c []float32) {
	n := len(dst) &^ 7
	smooth(dst[n:], a[n:], b[n:], c[n:])
	smoothLeaf(dst[:n], a, b, c)
}

//go:noinline
func smoothLeaf(dst, a, b, c []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 {
		m := load(b)
		save(load(a).Add(m.Add(m)).Add(load(c)), dst)
		dst, a, b, c = dst[8:], a[8:], b[8:], c[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func scaleAVX(dst, a []float32, w float32) {
	n := len(dst) &^ 7
	scale(dst[n:], a[n:], w)
	scaleLeaf(dst[:n], a, w)
}

//go:noinline
func scaleLeaf(dst, a []float32, w float32) {
	f := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 {
		save(load(a).Mul(f), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func addScaledAVX(dst, a []float32, w float32) {
	n := len(dst) &^ 7
	addScaled(dst[n:], a[n:], w)
	addScaledLeaf(dst[:n], a, w)
}

//go:noinline
func addScaledLeaf(dst, a []float32, w float32) {
	f := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 {
		save(load(dst).Add(load(a).Mul(f)), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func addAVX(dst, a []float32) {
	n := len(dst) &^ 7
	add(dst[n:], a[n:])
	addLeaf(dst[:n], a)
}

//go:noinline
func addLeaf(dst, a []float32) {
	for len(dst) >= 8 && len(a) >= 8 {
		save(load(dst).Add(load(a)), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func add2AVX(dst, a, b []float32) {
	n := len(dst) &^ 7
	add2(dst[n:], a[n:], b[n:])
	add2Leaf(dst[:n], a, b)
}

//go:noinline
func add2Leaf(dst, a, b []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		save(load(dst).Add(load(a)).Add(load(b)), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func addPairAVX(dst, a, b []float32, w float32) {
	n := len(dst) &^ 7
	addPair(dst[n:], a[n:], b[n:], w)
	addPairLeaf(dst[:n], a, b, w)
}

//go:noinline
func addPairLeaf(dst, a, b []float32, w float32) {
	f := archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		save(load(dst).Add(load(a).Add(load(b)).Mul(f)), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func addPairsAVX(dst, a, b, c, d []float32, v, w float32) {
	n := len(dst) &^ 7
	addPairs(dst[n:], a[n:], b[n:], c[n:], d[n:], v, w)
	addPairsLeaf(dst[:n], a, b, c, d, v, w)
}

//go:noinline
func addPairsLeaf(dst, a, b, c, d []float32, v, w float32) {
	f, g := archsimd.BroadcastFloat32x8(v), archsimd.BroadcastFloat32x8(w)
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 && len(d) >= 8 {
		s := load(dst).Add(load(a).Add(load(b)).Mul(f))
		save(s.Add(load(c).Add(load(d)).Mul(g)), dst)
		dst, a, b, c, d = dst[8:], a[8:], b[8:], c[8:], d[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func divideAVX(dst, a []float32, by float32) {
	n := len(dst) &^ 7
	divide(dst[n:], a[n:], by)
	divideLeaf(dst[:n], a, by)
}

//go:noinline
func divideLeaf(dst, a []float32, by float32) {
	f := archsimd.BroadcastFloat32x8(by)
	for len(dst) >= 8 && len(a) >= 8 {
		save(load(a).Div(f), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func norm2AVX(dst, a, b []float32) {
	n := len(dst) &^ 7
	norm2(dst[n:], a[n:], b[n:])
	norm2Leaf(dst[:n], a, b)
}

func norm3AVX(dst, a, b, c []float32) {
	n := len(dst) &^ 7
	norm3(dst[n:], a[n:], b[n:], c[n:])
	norm3Leaf(dst[:n], a, b, c)
}

//go:noinline
func norm2Leaf(dst, a, b []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		x, y := load(a), load(b)
		save(x.Mul(x).Add(y.Mul(y)).Sqrt(), dst)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func norm3Leaf(dst, a, b, c []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 {
		x, y, z := load(a), load(b), load(c)
		save(x.Mul(x).Add(y.Mul(y)).Add(z.Mul(z)).Sqrt(), dst)
		dst, a, b, c = dst[8:], a[8:], b[8:], c[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func add2IntAVX(dst, a, b []int32) {
	n := len(dst) &^ 7
	add2(dst[n:], a[n:], b[n:])
	add2IntLeaf(dst[:n], a, b)
}

//go:noinline
func add2IntLeaf(dst, a, b []int32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		s := archsimd.LoadInt32x8((*[8]int32)(dst)).Add(archsimd.LoadInt32x8((*[8]int32)(a)))
		s.Add(archsimd.LoadInt32x8((*[8]int32)(b))).Store((*[8]int32)(dst))
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func sum3AVX(dst, a, b, c []float32) {
	n := len(dst) &^ 7
	sum3(dst[n:], a[n:], b[n:], c[n:])
	sum3Leaf(dst[:n], a, b, c)
}

//go:noinline
func sum3Leaf(dst, a, b, c []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 {
		save(load(a).Add(load(b)).Add(load(c)), dst)
		dst, a, b, c = dst[8:], a[8:], b[8:], c[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func add4AVX(dst, a, b, c, d []float32) {
	n := len(dst) &^ 7
	add4(dst[n:], a[n:], b[n:], c[n:], d[n:])
	add4Leaf(dst[:n], a, b, c, d)
}

//go:noinline
func add4Leaf(dst, a, b, c, d []float32) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 && len(c) >= 8 && len(d) >= 8 {
		save(load(dst).Add(load(a)).Add(load(b)).Add(load(c)).Add(load(d)), dst)
		dst, a, b, c, d = dst[8:], a[8:], b[8:], c[8:], d[8:]
	}
	archsimd.ClearAVXUpperBits()
}

func floorDivAVX(dst, a []float32, by float32) {
	n := len(dst) &^ 7
	floorDivBy(dst[n:], a[n:], by)
	floorDivLeaf(dst[:n], a, by)
}

// floorDivLeaf takes 1 away where the quotient was rounded up to an integer: there the remainder, which a
// fused multiplication gives with its right sign, is negative.
//
//go:noinline
func floorDivLeaf(dst, a []float32, by float32) {
	d, zero, one := archsimd.BroadcastFloat32x8(by), archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(1)
	for len(dst) >= 8 && len(a) >= 8 {
		v := load(a)
		q := v.Div(d).Floor()
		rest := zero.Sub(q).MulAdd(d, v)
		save(q.Sub(one.Masked(rest.Less(zero))), dst)
		dst, a = dst[8:], a[8:]
	}
	archsimd.ClearAVXUpperBits()
}

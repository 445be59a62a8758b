//go:build goexperiment.simd && amd64 && !go1.27

package fft

import (
	"simd/archsimd"
	"unsafe"
)

var (
	avx2 = kernels{
		first: [6]func(*pass){1: first1, 2: first2AVX2, 3: first3AVX2, 4: first4AVX2, 5: first5AVX2},
		stage: [6]func(*pass){2: stage2AVX2, 3: stage3AVX2, 4: stage4AVX2, 5: stage5AVX2},
		split: splitAVX2, merge: mergeAVX2, times: timesAVX2, timesConj: timesConjAVX2,
		gather: gatherAVX2, scatter: scatterAVX2, lanes: 8,
	}
	avx512 = kernels{
		first: [6]func(*pass){1: first1, 2: first2AVX512, 3: first3AVX512, 4: first4AVX512, 5: first5AVX512},
		stage: [6]func(*pass){2: stage2AVX512, 3: stage3AVX512, 4: stage4AVX512, 5: stage5AVX512},
		split: splitAVX512, merge: mergeAVX512, times: timesAVX512, timesConj: timesConjAVX512,
		gather: gatherAVX2, scatter: scatterAVX2, lanes: 16,
	}
)

func init() {
	switch {
	case archsimd.X86.AVX512():
		loops = avx512
	case archsimd.X86.AVX2():
		loops = avx2
	}
}

func load8(p unsafe.Pointer, at int) archsimd.Float32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(unsafe.Add(p, at*4)))
}
func save8(p unsafe.Pointer, at int, v archsimd.Float32x8) {
	v.Store((*[8]float32)(unsafe.Add(p, at*4)))
}
func load16(p unsafe.Pointer, at int) archsimd.Float32x16 {
	return archsimd.LoadFloat32x16((*[16]float32)(unsafe.Add(p, at*4)))
}
func save16(p unsafe.Pointer, at int, v archsimd.Float32x16) {
	v.Store((*[16]float32)(unsafe.Add(p, at*4)))
}

// gatherAVX2 goes over blocks of 8 rows and 8 values.
//
//go:noinline
func gatherAVX2(even, odd []float32, step int, rows []float32, pitch, n int) {
	if n <= 0 {
		return
	}
	_, _, _ = rows[(Lanes-1)*pitch+n-1], even[(n/2-1)*step+Lanes-1], odd[(n/2-1)*step+Lanes-1]
	from, e, o := unsafe.Pointer(&rows[0]), unsafe.Pointer(&even[0]), unsafe.Pointer(&odd[0])
	for i := 0; i < Lanes; i += 8 {
		for x := 0; x < n; x += 8 {
			at := i*pitch + x
			r0, r1, r2, r3 := load8(from, at), load8(from, at+pitch), load8(from, at+2*pitch), load8(from, at+3*pitch)
			r4, r5, r6, r7 := load8(from, at+4*pitch), load8(from, at+5*pitch), load8(from, at+6*pitch), load8(from, at+7*pitch)
			r0, r1, r2, r3, r4, r5, r6, r7 = transposed(r0, r1, r2, r3, r4, r5, r6, r7)
			to := x/2*step + i
			save8(e, to, r0)
			save8(o, to, r1)
			save8(e, to+step, r2)
			save8(o, to+step, r3)
			save8(e, to+2*step, r4)
			save8(o, to+2*step, r5)
			save8(e, to+3*step, r6)
			save8(o, to+3*step, r7)
		}
	}
	archsimd.ClearAVXUpperBits()
}

//go:noinline
func scatterAVX2(rows []float32, pitch int, even, odd []float32, step, n int) {
	if n <= 0 {
		return
	}
	_, _, _ = rows[(Lanes-1)*pitch+n-1], even[(n/2-1)*step+Lanes-1], odd[(n/2-1)*step+Lanes-1]
	dst, e, o := unsafe.Pointer(&rows[0]), unsafe.Pointer(&even[0]), unsafe.Pointer(&odd[0])
	for i := 0; i < Lanes; i += 8 {
		for x := 0; x < n; x += 8 {
			from := x/2*step + i
			r0, r1, r2, r3 := load8(e, from), load8(o, from), load8(e, from+step), load8(o, from+step)
			r4, r5, r6, r7 := load8(e, from+2*step), load8(o, from+2*step), load8(e, from+3*step), load8(o, from+3*step)
			r0, r1, r2, r3, r4, r5, r6, r7 = transposed(r0, r1, r2, r3, r4, r5, r6, r7)
			at := i*pitch + x
			save8(dst, at, r0)
			save8(dst, at+pitch, r1)
			save8(dst, at+2*pitch, r2)
			save8(dst, at+3*pitch, r3)
			save8(dst, at+4*pitch, r4)
			save8(dst, at+5*pitch, r5)
			save8(dst, at+6*pitch, r6)
			save8(dst, at+7*pitch, r7)
		}
	}
	archsimd.ClearAVXUpperBits()
}

// transposed makes the columns of eight rows of eight values.
func transposed(a, b, c, d, e, f, g, h archsimd.Float32x8) (_, _, _, _, _, _, _, _ archsimd.Float32x8) {
	ab0, ab1 := pairs(a, b)
	cd0, cd1 := pairs(c, d)
	ef0, ef1 := pairs(e, f)
	gh0, gh1 := pairs(g, h)
	p0, p1 := quads(ab0, cd0)
	p2, p3 := quads(ab1, cd1)
	q0, q1 := quads(ef0, gh0)
	q2, q3 := quads(ef1, gh1)
	return p0.Select128FromPair(0, 2, q0), p1.Select128FromPair(0, 2, q1), p2.Select128FromPair(0, 2, q2), p3.Select128FromPair(0, 2, q3),
		p0.Select128FromPair(1, 3, q0), p1.Select128FromPair(1, 3, q1), p2.Select128FromPair(1, 3, q2), p3.Select128FromPair(1, 3, q3)
}

// pairs interleaves values of two rows.
func pairs(a, b archsimd.Float32x8) (_, _ archsimd.Float32x8) {
	x, y := a.AsInt32x8(), b.AsInt32x8()
	return x.InterleaveLoGrouped(y).AsFloat32x8(), x.InterleaveHiGrouped(y).AsFloat32x8()
}

// quads interleaves pairs.
func quads(a, b archsimd.Float32x8) (_, _ archsimd.Float32x8) {
	x, y := a.AsInt64x4(), b.AsInt64x4()
	return x.InterleaveLoGrouped(y).AsFloat32x8(), x.InterleaveHiGrouped(y).AsFloat32x8()
}

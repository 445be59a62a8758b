//go:build goexperiment.simd && amd64 && !go1.27

package loaders

import (
	"simd/archsimd"
	"unsafe"
)

func init() {
	if archsimd.X86.AVX2() {
		addPairs = addPairsFast
	}
}

// addPairsFast adds to four sums at a time, while i+4 pairs are in r and as many sums are there.
//
//go:noinline
func addPairsFast(sum []float64, r []float32) int {
	n := min(len(sum), len(r)/2)
	if n < 4 {
		return 0
	}
	in, out := unsafe.Pointer(&r[0]), unsafe.Pointer(&sum[0])
	i := 0
	for ; i+4 <= n; i += 4 {
		a := archsimd.LoadUint32x4((*[4]uint32)(unsafe.Add(in, 8*i)))    // 0 1 2 3
		b := archsimd.LoadUint32x4((*[4]uint32)(unsafe.Add(in, 8*i+16))) // 4 5 6 7
		a, b = a.InterleaveLo(b), a.InterleaveHi(b)                      // 0 4 1 5, 2 6 3 7
		a, b = a.InterleaveLo(b), a.InterleaveHi(b)                      // 0 2 4 6, 1 3 5 7
		at := (*[4]float64)(unsafe.Add(out, 8*i))
		pair := a.AsFloat32x4().ConvertToFloat64().Add(b.AsFloat32x4().ConvertToFloat64())
		archsimd.LoadFloat64x4(at).Add(pair).Store(at)
	}
	archsimd.ClearAVXUpperBits()
	return i
}

//go:build goexperiment.simd && amd64 && !go1.27

package codec

import (
	"simd/archsimd"
	"unsafe"
)

func init() {
	if archsimd.X86.AVX2() {
		unshuffleFast = map[int]func(dst, src []byte, n int) int{2: unshuffle2Fast, 4: unshuffle4Fast}
	}
}

func bytes16(p unsafe.Pointer, at int) archsimd.Uint8x16 {
	return archsimd.LoadUint8x16((*[16]uint8)(unsafe.Add(p, at)))
}

// pairs is sixteen values of two bytes each.
func pairs(low, high archsimd.Uint8x16) archsimd.Uint16x16 {
	return low.ExtendToUint16().Or(high.ExtendToUint16().ShiftAllLeft(8))
}

// unshuffle2Fast puts 32 values together at a time: it reads 32 bytes at i of both planes while i+32 <= n.
//
//go:noinline
func unshuffle2Fast(dst, src []byte, n int) int {
	if n < 32 {
		return 0
	}
	low, high, out := unsafe.Pointer(&src[0]), unsafe.Pointer(&src[n]), unsafe.Pointer(&dst[0])
	i := 0
	for ; i+32 <= n; i += 32 {
		pairs(bytes16(low, i), bytes16(high, i)).Store((*[16]uint16)(unsafe.Add(out, 2*i)))
		pairs(bytes16(low, i+16), bytes16(high, i+16)).Store((*[16]uint16)(unsafe.Add(out, 2*i+32)))
	}
	archsimd.ClearAVXUpperBits()
	return i
}

// unshuffle4Fast puts 16 values together at a time.
//
//go:noinline
func unshuffle4Fast(dst, src []byte, n int) int {
	if n < 16 {
		return 0
	}
	p0, p1 := unsafe.Pointer(&src[0]), unsafe.Pointer(&src[n])
	p2, p3 := unsafe.Pointer(&src[2*n]), unsafe.Pointer(&src[3*n])
	out := unsafe.Pointer(&dst[0])
	i := 0
	for ; i+16 <= n; i += 16 {
		low, high := pairs(bytes16(p0, i), bytes16(p1, i)), pairs(bytes16(p2, i), bytes16(p3, i))
		quads(low.GetLo(), high.GetLo()).Store((*[8]uint32)(unsafe.Add(out, 4*i)))
		quads(low.GetHi(), high.GetHi()).Store((*[8]uint32)(unsafe.Add(out, 4*i+32)))
	}
	archsimd.ClearAVXUpperBits()
	return i
}

// quads is eight values of four bytes each.
func quads(low, high archsimd.Uint16x8) archsimd.Uint32x8 {
	return low.ExtendToUint32().Or(high.ExtendToUint32().ShiftAllLeft(16))
}

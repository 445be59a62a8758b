//go:build goexperiment.simd && amd64 && !go1.27

package codec

import (
	"simd/archsimd"
	"unsafe"
)

func init() {
	if archsimd.X86.AVX2() {
		unshuffleFast = map[int]func(dst, src []byte, n int) int{2: unshuffle2Fast, 4: unshuffle4Fast}
		shuffleFast = map[int]func(dst, src []byte, n int) int{2: shuffle2Fast, 4: shuffle4Fast}
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

// These bring the bytes of a vector into order of their place in a value.
var (
	byPlaceOf2 = [16]int8{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}
	byPlaceOf4 = [16]int8{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}
)

// shuffle2Fast takes 16 values apart at a time.
//
//go:noinline
func shuffle2Fast(dst, src []byte, n int) int {
	if n < 16 {
		return 0
	}
	low, high, in := unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[n]), unsafe.Pointer(&src[0])
	order := archsimd.LoadInt8x16(&byPlaceOf2)
	i := 0
	for ; i+16 <= n; i += 16 {
		a := bytes16(in, 2*i).PermuteOrZero(order).AsUint64x2()
		b := bytes16(in, 2*i+16).PermuteOrZero(order).AsUint64x2()
		a.InterleaveLo(b).Store((*[2]uint64)(unsafe.Add(low, i)))
		a.InterleaveHi(b).Store((*[2]uint64)(unsafe.Add(high, i)))
	}
	archsimd.ClearAVXUpperBits()
	return i
}

// shuffle4Fast takes 16 values apart at a time: within each vector first, then vectors by quarters.
//
//go:noinline
func shuffle4Fast(dst, src []byte, n int) int {
	if n < 16 {
		return 0
	}
	p0, p1 := unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[n])
	p2, p3 := unsafe.Pointer(&dst[2*n]), unsafe.Pointer(&dst[3*n])
	in := unsafe.Pointer(&src[0])
	order := archsimd.LoadInt8x16(&byPlaceOf4)
	i := 0
	for ; i+16 <= n; i += 16 {
		a := bytes16(in, 4*i).PermuteOrZero(order).AsUint32x4()
		b := bytes16(in, 4*i+16).PermuteOrZero(order).AsUint32x4()
		c := bytes16(in, 4*i+32).PermuteOrZero(order).AsUint32x4()
		d := bytes16(in, 4*i+48).PermuteOrZero(order).AsUint32x4()
		ab, cd := a.InterleaveLo(b).AsUint64x2(), c.InterleaveLo(d).AsUint64x2()
		ab.InterleaveLo(cd).Store((*[2]uint64)(unsafe.Add(p0, i)))
		ab.InterleaveHi(cd).Store((*[2]uint64)(unsafe.Add(p1, i)))
		ab, cd = a.InterleaveHi(b).AsUint64x2(), c.InterleaveHi(d).AsUint64x2()
		ab.InterleaveLo(cd).Store((*[2]uint64)(unsafe.Add(p2, i)))
		ab.InterleaveHi(cd).Store((*[2]uint64)(unsafe.Add(p3, i)))
	}
	archsimd.ClearAVXUpperBits()
	return i
}

package codec

import (
	"encoding/binary"
	"unsafe"
)

// Unshuffle puts the bytes of each value together again: src holds the first bytes of all values,
// then the second ones, and so on. Bytes after the last whole value are copied. dst and src have the
// same length and do not overlap.
func Unshuffle(dst, src []byte, size int) {
	n := whole(dst, src, size)
	done := 0
	switch {
	case !little:
	case unshuffleFast[size] != nil:
		done = unshuffleFast[size](dst, src, n)
	case size == 2:
		done = unshuffle2(dst, src, n)
	case size == 4:
		done = unshuffle4(dst, src, n)
	case size == 8:
		done = unshuffle8(dst, src, n)
	}
	for b := range size {
		for i := done; i < n; i++ {
			dst[i*size+b] = src[b*n+i]
		}
	}
}

// unshuffleFast and shuffleFast do what the functions below do with the processor's vectors, where it has them, by the size
// of a value.
var unshuffleFast, shuffleFast map[int]func(dst, src []byte, n int) int

// Shuffle is the inverse of Unshuffle.
func Shuffle(dst, src []byte, size int) {
	n := whole(dst, src, size)
	done := 0
	switch {
	case !little:
	case shuffleFast[size] != nil:
		done = shuffleFast[size](dst, src, n)
	case size == 2:
		done = shuffle2(dst, src, n)
	case size == 4:
		done = shuffle4(dst, src, n)
	case size == 8:
		done = shuffle8(dst, src, n)
	}
	for b := range size {
		plane := dst[b*n : (b+1)*n]
		for i := done; i < n; i++ {
			plane[i] = src[i*size+b]
		}
	}
}

// whole copies what lies behind the last whole value and gives the number of values.
func whole(dst, src []byte, size int) int {
	if size < 1 || len(dst) != len(src) {
		panic("codec: shuffling between buffers of different lengths, or values without a size")
	}
	n := len(src) / size
	copy(dst[n*size:], src[n*size:])
	return n
}

// The functions below transpose eight values at a time within machine words. Their bounds are checked
// once: each loop reads 8 bytes at i of every plane while i+8 <= n, and writes 8*size bytes at i*size.
// They give how many values they did.

func unshuffle2(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	low, high, out := unsafe.Pointer(&src[0]), unsafe.Pointer(&src[n]), unsafe.Pointer(&dst[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b := load(low, i), load(high, i)
		store(out, 2*i, spread(a&0xffffffff)|spread(b&0xffffffff)<<8)
		store(out, 2*i+8, spread(a>>32)|spread(b>>32)<<8)
	}
	return i
}

// spread moves the four low bytes of w apart: one zero byte after each.
func spread(w uint64) uint64 {
	w = (w | w<<16) & 0x0000ffff0000ffff
	return (w | w<<8) & 0x00ff00ff00ff00ff
}

// shuffle2 is the inverse of unshuffle2.
func shuffle2(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	low, high, in := unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[n]), unsafe.Pointer(&src[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b := load(in, 2*i), load(in, 2*i+8)
		store(low, i, gathered(a)|gathered(b)<<32)
		store(high, i, gathered(a>>8)|gathered(b>>8)<<32)
	}
	return i
}

// gathered is every second byte of w, from the lowest on, in its four low ones.
func gathered(w uint64) uint64 {
	w &= 0x00ff00ff00ff00ff
	w = (w | w>>8) & 0x0000ffff0000ffff
	return (w | w>>16) & 0x00000000ffffffff
}

func unshuffle4(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	p0, p1 := unsafe.Pointer(&src[0]), unsafe.Pointer(&src[n])
	p2, p3 := unsafe.Pointer(&src[2*n]), unsafe.Pointer(&src[3*n])
	out := unsafe.Pointer(&dst[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b, c, d := load(p0, i), load(p1, i), load(p2, i), load(p3, i)
		w0, w1 := transpose4(a&0xffffffff|b<<32, c&0xffffffff|d<<32)
		store(out, 4*i, w0)
		store(out, 4*i+8, w1)
		w0, w1 = transpose4(a>>32|b&^0xffffffff, c>>32|d&^0xffffffff)
		store(out, 4*i+16, w0)
		store(out, 4*i+24, w1)
	}
	return i
}

// shuffle4 is the inverse of unshuffle4: transpose4 is its own.
func shuffle4(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	p0, p1 := unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[n])
	p2, p3 := unsafe.Pointer(&dst[2*n]), unsafe.Pointer(&dst[3*n])
	in := unsafe.Pointer(&src[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		a, b := transpose4(load(in, 4*i), load(in, 4*i+8))
		c, d := transpose4(load(in, 4*i+16), load(in, 4*i+24))
		store(p0, i, a&0xffffffff|c<<32)
		store(p1, i, a>>32|c&^0xffffffff)
		store(p2, i, b&0xffffffff|d<<32)
		store(p3, i, b>>32|d&^0xffffffff)
	}
	return i
}

// transpose4 transposes a matrix of four by four bytes whose rows are the halves of a, then of b:
// first within squares of two by two bytes, then these squares.
func transpose4(a, b uint64) (uint64, uint64) {
	t := (a>>24 ^ a) & 0xff00ff00
	a ^= t ^ t<<24
	t = (b>>24 ^ b) & 0xff00ff00
	b ^= t ^ t<<24
	t = (a>>16 ^ b) & 0x0000ffff0000ffff
	return a ^ t<<16, b ^ t
}

func unshuffle8(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	var p [8]unsafe.Pointer
	for b := range p {
		p[b] = unsafe.Pointer(&src[b*n])
	}
	out := unsafe.Pointer(&dst[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		w0, w1, w2, w3, w4, w5, w6, w7 := transpose8(load(p[0], i), load(p[1], i), load(p[2], i), load(p[3], i),
			load(p[4], i), load(p[5], i), load(p[6], i), load(p[7], i))
		store(out, 8*i, w0)
		store(out, 8*i+8, w1)
		store(out, 8*i+16, w2)
		store(out, 8*i+24, w3)
		store(out, 8*i+32, w4)
		store(out, 8*i+40, w5)
		store(out, 8*i+48, w6)
		store(out, 8*i+56, w7)
	}
	return i
}

// shuffle8 is the inverse of unshuffle8.
func shuffle8(dst, src []byte, n int) int {
	if n < 8 {
		return 0
	}
	var p [8]unsafe.Pointer
	for b := range p {
		p[b] = unsafe.Pointer(&dst[b*n])
	}
	in := unsafe.Pointer(&src[0])
	i := 0
	for ; i+8 <= n; i += 8 {
		w0, w1, w2, w3, w4, w5, w6, w7 := transpose8(load(in, 8*i), load(in, 8*i+8), load(in, 8*i+16), load(in, 8*i+24),
			load(in, 8*i+32), load(in, 8*i+40), load(in, 8*i+48), load(in, 8*i+56))
		store(p[0], i, w0)
		store(p[1], i, w1)
		store(p[2], i, w2)
		store(p[3], i, w3)
		store(p[4], i, w4)
		store(p[5], i, w5)
		store(p[6], i, w6)
		store(p[7], i, w7)
	}
	return i
}

// transpose8 transposes eight by eight bytes: squares of one, two and four bytes are exchanged.
func transpose8(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	const m1, m2, m4 = 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff
	a, b = exchange(a, b, 8, m1)
	c, d = exchange(c, d, 8, m1)
	e, f = exchange(e, f, 8, m1)
	g, h = exchange(g, h, 8, m1)
	a, c = exchange(a, c, 16, m2)
	b, d = exchange(b, d, 16, m2)
	e, g = exchange(e, g, 16, m2)
	f, h = exchange(f, h, 16, m2)
	a, e = exchange(a, e, 32, m4)
	b, f = exchange(b, f, 32, m4)
	c, g = exchange(c, g, 32, m4)
	d, h = exchange(d, h, 32, m4)
	return a, b, c, d, e, f, g, h
}

// exchange swaps the parts of a that lie shift bits above mask with the parts of b that mask covers.
func exchange(a, b uint64, shift uint, mask uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}

func load(p unsafe.Pointer, at int) uint64     { return *(*uint64)(unsafe.Add(p, at)) }
func store(p unsafe.Pointer, at int, v uint64) { *(*uint64)(unsafe.Add(p, at)) = v }

// UnshuffleBits undoes the bit shuffle of Bitshuffle and Blosc: src holds the lowest bits of all
// values, eight to a byte, then the next higher ones, and so on. It needs a number of values that is
// a multiple of 8; other data are copied, as Blosc does. tmp is scratch as long as src.
func UnshuffleBits(dst, src, tmp []byte, size int) {
	n := whole(dst, src, size)
	if n%8 != 0 {
		copy(dst, src)
		return
	}
	// Each eight rows of bits make one plane of bytes; the planes are then put together.
	row := n / 8
	for b := range size {
		bits, plane := src[b*n:(b+1)*n], tmp[b*n:(b+1)*n]
		for i := range row {
			w := uint64(bits[i]) | uint64(bits[row+i])<<8 | uint64(bits[2*row+i])<<16 | uint64(bits[3*row+i])<<24 |
				uint64(bits[4*row+i])<<32 | uint64(bits[5*row+i])<<40 | uint64(bits[6*row+i])<<48 | uint64(bits[7*row+i])<<56
			binary.LittleEndian.PutUint64(plane[8*i:], transposeBits(w))
		}
	}
	copy(tmp[n*size:len(src)], src[n*size:])
	Unshuffle(dst, tmp[:len(src)], size)
}

// transposeBits transposes eight by eight bits (Warren, Hacker's Delight, section 7-3).
func transposeBits(w uint64) uint64 {
	t := (w ^ w>>7) & 0x00aa00aa00aa00aa
	w ^= t ^ t<<7
	t = (w ^ w>>14) & 0x0000cccc0000cccc
	w ^= t ^ t<<14
	t = (w ^ w>>28) & 0x00000000f0f0f0f0
	return w ^ t ^ t<<28
}

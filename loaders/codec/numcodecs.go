package codec

import (
	"encoding/binary"
	"fmt"
	"math"

	"lamella/lazy"
)

// Undelta undoes numcodecs' delta filter in place: each value was stored as its difference to the one
// before. Values of type d are in the machine's byte order; integers wrap, as NumPy's do.
func Undelta(p []byte, d lazy.DType) {
	switch d {
	case lazy.F32:
		total := float32(0)
		v := floats[float32, uint32](p, math.Float32frombits, math.Float32bits)
		v(func(x float32) float32 { total += x; return total })
	case lazy.F64:
		total := 0.0
		v := floats[float64, uint64](p, math.Float64frombits, math.Float64bits)
		v(func(x float64) float64 { total += x; return total })
	default:
		switch d.Size() {
		case 1:
			sums(p, 1)
		case 2:
			sums(view[uint16](p), 1)
		case 4:
			sums(view[uint32](p), 1)
		default:
			sums(view[uint64](p), 1)
		}
	}
}

// floats visits real numbers by their bits and replaces each.
func floats[F float32 | float64, W uint32 | uint64](p []byte, from func(W) F, to func(F) W) func(func(F) F) {
	return func(change func(F) F) {
		v := view[W](p)
		for i, w := range v {
			v[i] = to(change(from(w)))
		}
	}
}

// PackedBools decodes numcodecs' packbits filter: one byte with the number of bits to leave out at
// the end, then eight booleans to a byte, the first in the highest bit. dst gets 0 or 1 for each.
func PackedBools(dst, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, nil
	}
	pad := int(src[0])
	src = src[1:]
	n := 8*len(src) - pad
	if pad > 7 || n < 0 {
		return 0, fmt.Errorf("codec: packbits of booleans: %d bits to leave out of %d bytes: %w", pad, len(src), ErrCorrupt)
	}
	if n > len(dst) {
		return 0, fmt.Errorf("codec: packbits of booleans: %w", ErrLong)
	}
	for i := range n {
		dst[i] = src[i/8] >> (7 - i%8) & 1
	}
	return n, nil
}

// Unscale undoes numcodecs' fixedscaleoffset filter: each value of src, of type from, is divided by
// scale, offset is added, and the result is cut to type to as NumPy's astype cuts it. The arithmetic
// runs in float32 for values of float32 and in float64 for all others. dst holds as many values as
// src; both are in the machine's byte order.
func Unscale(dst []byte, to lazy.DType, src []byte, from lazy.DType, scale, offset float64) error {
	return each("fixedscaleoffset", dst, to, src, from, func(in *lazy.Block) uint64 {
		v := in.Value(lazy.Index{})
		if from == lazy.F32 {
			v = float64(float32(float32(v)/float32(scale)) + float32(offset))
		} else {
			v = v/scale + offset
		}
		return bitsOf(v, to)
	})
}

// Convert makes values of type to of values of type from, as NumPy's astype does: integers keep the bits
// that there is room for, real numbers lose their fraction. dst holds as many values as src; both are in
// the machine's byte order.
func Convert(dst []byte, to lazy.DType, src []byte, from lazy.DType) error {
	return each("astype", dst, to, src, from, func(in *lazy.Block) uint64 {
		if from.Float() || to.Float() {
			return bitsOf(in.Value(lazy.Index{}), to)
		}
		return integer(in.Bytes(), from)
	})
}

// each makes the values of dst, by their bits, of those of src.
func each(name string, dst []byte, to lazy.DType, src []byte, from lazy.DType, change func(*lazy.Block) uint64) error {
	n := len(src) / from.Size()
	if len(src)%from.Size() != 0 || len(dst) != n*to.Size() {
		return fmt.Errorf("codec: %s: %d bytes of %v for %d bytes of %v: %w", name, len(src), from, len(dst), to, ErrCorrupt)
	}
	in := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, 1}}, from)
	for i := range n {
		copy(in.Bytes(), src[i*from.Size():])
		putBits(dst, i, to.Size(), change(in))
	}
	return nil
}

// putBits writes value number i of size bytes.
func putBits(dst []byte, i, size int, v uint64) {
	switch size {
	case 1:
		dst[i] = byte(v)
	case 2:
		binary.NativeEndian.PutUint16(dst[2*i:], uint16(v))
	case 4:
		binary.NativeEndian.PutUint32(dst[4*i:], uint32(v))
	default:
		binary.NativeEndian.PutUint64(dst[8*i:], v)
	}
}

// integer is one integer with its sign in all 64 bits.
func integer(p []byte, d lazy.DType) uint64 {
	switch d {
	case lazy.U8:
		return uint64(p[0])
	case lazy.I8:
		return uint64(int8(p[0]))
	case lazy.U16:
		return uint64(binary.NativeEndian.Uint16(p))
	case lazy.I16:
		return uint64(int16(binary.NativeEndian.Uint16(p)))
	case lazy.U32:
		return uint64(binary.NativeEndian.Uint32(p))
	case lazy.I32:
		return uint64(int32(binary.NativeEndian.Uint32(p)))
	}
	return binary.NativeEndian.Uint64(p)
}

// bitsOf is a real number as the bits of a value of type d. What an integer type has no place for wraps, as it
// does in NumPy; what is not a number becomes 0.
func bitsOf(v float64, d lazy.DType) uint64 {
	switch {
	case d == lazy.F32:
		return uint64(math.Float32bits(float32(v)))
	case d == lazy.F64:
		return math.Float64bits(v)
	case v >= 1<<63 && v < 1<<64:
		return uint64(v)
	case v >= -1<<63 && v < 1<<63:
		return uint64(int64(v))
	}
	return 0
}

// PackedBits decodes the codec packbits of Zarr v3: values of k bits one behind another, the lowest bit of a value
// and of a byte coming before the others, which become values of size bytes in the machine's byte order, shifted
// up by shift bits, and extended by their sign where signed is set.
func PackedBits(dst, src []byte, size, k, shift int, signed bool) error {
	n := len(dst) / size
	if k < 1 || k > 64 || shift < 0 || len(src) < (n*k+7)/8 {
		return fmt.Errorf("codec: packbits: %d bytes for %d values of %d bits: %w", len(src), n, k, ErrCorrupt)
	}
	for i := range n {
		var v uint64
		for got := 0; got < k; {
			at := i*k + got
			take := min(8-at%8, k-got)
			v |= uint64(src[at/8]>>(at%8)&(1<<take-1)) << got
			got += take
		}
		v <<= shift
		if used := k + shift; signed && used < 64 {
			v = uint64(int64(v<<(64-used)) >> (64 - used))
		}
		putBits(dst, i, size, v)
	}
	return nil
}

// Half turns float16 values (IEEE 754 binary16) in the machine's byte order into float32. dst holds
// four bytes for each two of src.
func Half(dst, src []byte) {
	out := view[uint32](dst)
	for i, h := range view[uint16](src) {
		out[i] = halfBits(h)
	}
}

// halfBits is the float32 of a float16, both as bits. Every float16 has one, NaN payloads included.
func halfBits(h uint16) uint32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 31:
		return sign | 255<<23 | frac<<13
	case 0:
		return sign | math.Float32bits(float32(frac)*(1.0/(1<<24)))
	}
	return sign | (exp+112)<<23 | frac<<13
}

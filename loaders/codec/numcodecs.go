package codec

import (
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
	n := len(src) / from.Size()
	if len(src)%from.Size() != 0 || len(dst) != n*to.Size() {
		return fmt.Errorf("codec: fixedscaleoffset: %d bytes of %v for %d bytes of %v: %w", len(src), from, len(dst), to, ErrCorrupt)
	}
	line := lazy.Region{Max: lazy.Index{1, 1, 1, 1, 1}}
	in, out := lazy.NewBlock(line, from), lazy.NewBlock(line, to)
	for i := range n {
		copy(in.Bytes(), src[i*from.Size():])
		v := in.Value(lazy.Index{})
		if from == lazy.F32 {
			v = float64(float32(float32(v)/float32(scale)) + float32(offset))
		} else {
			v = v/scale + offset
		}
		if !to.Float() {
			v = math.Trunc(v)
		}
		lazy.Fill(out, v)
		copy(dst[i*to.Size():], out.Bytes())
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

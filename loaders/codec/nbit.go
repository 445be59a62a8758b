package codec

import (
	"errors"
	"fmt"
	"io"
)

// A bitReader gives bits from the highest of each byte on.
type bitReader struct {
	p    []byte
	acc  uint64
	have uint
}

// bits is the next n as a number, n at most 64; ok is false when they end early.
func (r *bitReader) bits(n uint) (v uint64, ok bool) {
	if n > 32 {
		high, ok := r.bits(n - 32)
		low, ok2 := r.bits(32)
		return high<<32 | low, ok && ok2
	}
	for r.have < n {
		if len(r.p) == 0 {
			return 0, false
		}
		r.acc = r.acc<<8 | uint64(r.p[0])
		r.p = r.p[1:]
		r.have += 8
	}
	r.have -= n
	return r.acc >> r.have & (1<<n - 1), true
}

// NBit undoes HDF5's filter of that name for numbers: of each value only the bits that count are
// stored, one value after the other, high bits first.
type NBit struct {
	plain             bool // nothing was left out
	count             int
	size              int
	big               bool
	precision, offset uint
}

// ParseNBit reads the filter's parameters (HDF5 library, H5Znbit.c): their number, whether nothing is
// left out, number of values, class, and of a number its bytes, order, bits and first bit. Records and
// arrays are refused.
func ParseNBit(values []uint32) (NBit, error) {
	if len(values) < 5 {
		return NBit{}, errors.New("its parameters are missing")
	}
	n := NBit{plain: values[1] != 0, count: int(values[2]), size: int(min(values[4], 1<<16))}
	if n.plain {
		return n, nil
	}
	if values[3] != 1 || len(values) < 8 {
		return n, errors.New("it was used on records or arrays")
	}
	n.big, n.precision, n.offset = values[5] == 1, uint(values[6]), uint(values[7])
	if n.size < 1 || n.size > 8 || n.precision < 1 || n.precision > 64 || n.offset > 64 || n.precision+n.offset > 8*uint(n.size) {
		return n, fmt.Errorf("%d bits of values of %d bytes", n.precision, n.size)
	}
	return n, nil
}

// Unpack decodes a chunk. Bits that were left out are 0.
func (n NBit) Unpack(dst, src []byte) (int, error) {
	if n.plain {
		if len(src) > len(dst) {
			return 0, fmt.Errorf("codec: nbit: %w", ErrLong)
		}
		return copy(dst, src), nil
	}
	if n.count > len(dst)/n.size {
		return 0, fmt.Errorf("codec: nbit: states %d values: %w", n.count, ErrLong)
	}
	r := bitReader{p: src}
	for i := range n.count {
		v, ok := r.bits(n.precision)
		if !ok {
			return i * n.size, fmt.Errorf("codec: nbit: after %d values: %w", i, io.ErrUnexpectedEOF)
		}
		putWord(dst[i*n.size:][:n.size], v<<n.offset, n.big)
	}
	return n.count * n.size, nil
}

// putWord writes a number into all bytes of p, the lowest first unless big is set.
func putWord(p []byte, w uint64, big bool) {
	for i := range p {
		k := i
		if big {
			k = len(p) - 1 - i
		}
		p[k] = byte(w)
		w >>= 8
	}
}

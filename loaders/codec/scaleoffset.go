package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ScaleOffset undoes HDF5's filter of that name: values are stored as their distance to the least of the
// chunk, in as few bits as the largest distance takes. Floating-point numbers were first multiplied by
// a power of ten and rounded.
type ScaleOffset struct {
	count   int
	size    int
	big     bool
	float   bool
	decimal int // digits behind the point

	filled bool // the largest distance stands for the fill value
	fill   uint64
}

// ParseScaleOffset reads the filter's parameters (HDF5 library, H5Zscaleoffset.c): the kind of scale,
// its factor, number of values, class, bytes, sign, order, whether there is a fill value, and this.
func ParseScaleOffset(values []uint32) (ScaleOffset, error) {
	if len(values) < 8 {
		return ScaleOffset{}, errors.New("its parameters are missing")
	}
	s := ScaleOffset{
		count: int(values[2]), size: int(min(values[4], 1<<16)), float: values[3] == 1, big: values[6] == 1,
		decimal: int(int32(values[1])), filled: values[7] == 1,
	}
	ok := s.size == 1 || s.size == 2 || s.size == 4 || s.size == 8
	if s.float {
		ok = (s.size == 4 || s.size == 8) && values[0] == 0 && s.decimal > -400 && s.decimal < 400
	} else if values[3] != 0 || values[0] != 2 {
		ok = false
	}
	if !ok {
		return s, fmt.Errorf("scale of kind %d for values of class %d and %d bytes", values[0], values[3], s.size)
	}
	for i, v := range values[8:] {
		if i < 2 {
			s.fill |= uint64(v) << (32 * i)
		}
	}
	if s.size < 8 {
		s.fill &= 1<<(8*s.size) - 1
	}
	return s, nil
}

// scaleOffsetFront is the bytes in front of the values: how many bits each takes (4), the size of the
// least value, this, and room.
const scaleOffsetFront = 21

// Unpack decodes a chunk into values of the order that they are stored in.
func (s ScaleOffset) Unpack(dst, src []byte) (int, error) {
	if s.count > len(dst)/s.size {
		return 0, fmt.Errorf("codec: scaleoffset: states %d values: %w", s.count, ErrLong)
	}
	if len(src) < scaleOffsetFront {
		return 0, fmt.Errorf("codec: scaleoffset: %w", io.ErrUnexpectedEOF)
	}
	bits := uint(binary.LittleEndian.Uint32(src))
	var least uint64
	for i := range min(8, int(src[4])) {
		least |= uint64(src[5+i]) << (8 * i)
	}
	n := s.count * s.size
	src = src[scaleOffsetFront:]
	full := 8 * uint(s.size)
	switch {
	case bits > full:
		return 0, fmt.Errorf("codec: scaleoffset: %d bits for values of %d bytes: %w", bits, s.size, ErrCorrupt)
	case bits == full: // stored as they are, low bytes first
		if len(src) < n {
			return 0, fmt.Errorf("codec: scaleoffset: %w", io.ErrUnexpectedEOF)
		}
		for i := range s.count {
			var w uint64
			for k, b := range src[i*s.size:][:s.size] {
				w |= uint64(b) << (8 * k)
			}
			putWord(dst[i*s.size:][:s.size], w, s.big)
		}
		return n, nil
	}
	if need := (uint64(s.count)*uint64(bits) + 7) / 8; uint64(len(src)) < need {
		return 0, fmt.Errorf("codec: scaleoffset: %d bytes of %d: %w", len(src), need, io.ErrUnexpectedEOF)
	}
	r := bitReader{p: src}
	top := uint64(1)<<bits - 1
	scale := math.Pow(10, float64(s.decimal))
	for i := range s.count {
		v, _ := r.bits(bits)
		switch {
		case s.filled && bits > 0 && v == top:
			v = s.fill
		case s.float && s.size == 4:
			v = uint64(math.Float32bits(float32(float64(int32(v))/scale) + math.Float32frombits(uint32(least))))
		case s.float:
			v = math.Float64bits(float64(int64(v))/scale + math.Float64frombits(least))
		default:
			v += least
		}
		putWord(dst[i*s.size:][:s.size], v, s.big)
	}
	return n, nil
}

package tiff

import (
	"encoding/binary"
	"math"
	"unsafe"

	"lamella/lazy"
)

// order is the byte order of the samples.
func (l *layout) order() binary.ByteOrder {
	if l.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// widen turns rows of samples of odd size, or of half-precision numbers, into values of the layout's
// type. Rows begin at whole bytes. Integers of other than 8, 16, 32 or 64 bits are packed from the
// high bit on, whatever the byte order. Floats of 24 bits are in the file's order; those of 16 bits,
// and what came out of predictor 3, in the machine's.
func widen(dst, src []byte, l *layout, rows int) {
	n := l.segW * l.segSamples()
	for y := range rows {
		from := src[y*l.rowBytes():][:l.rowBytes()]
		switch to := dst[y*n*l.dtype().Size():]; {
		case l.format == floatSample && l.bits == 16:
			halves(words[float32](to, n), from)
		case l.format == floatSample:
			threeQuarters(words[float32](to, n), from, l)
		case l.dtype() == lazy.U8:
			unpack(words[uint8](to, n), from, l)
		case l.dtype() == lazy.I8:
			unpackSigned(words[int8](to, n), from, l)
		case l.dtype() == lazy.U16:
			unpack(words[uint16](to, n), from, l)
		case l.dtype() == lazy.I16:
			unpackSigned(words[int16](to, n), from, l)
		case l.dtype() == lazy.U32:
			unpack(words[uint32](to, n), from, l)
		case l.dtype() == lazy.I32:
			unpackSigned(words[int32](to, n), from, l)
		case l.dtype() == lazy.U64:
			unpack(words[uint64](to, n), from, l)
		default:
			unpackSigned(words[int64](to, n), from, l)
		}
	}
}

// words is the first n values of p, which is aligned to them.
func words[E lazy.Number](p []byte, n int) []E {
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(p))), n)
}

func unpack[E uint8 | uint16 | uint32 | uint64](dst []E, src []byte, l *layout) {
	switch {
	case l.bits == 1:
		for i := range dst {
			dst[i] = E(src[i>>3] >> (7 - i&7) & 1)
		}
	default:
		acc, have := uint64(0), uint8(0)
		for i := range dst {
			v, need := uint64(0), l.bits
			for need > 0 {
				if have == 0 {
					acc, have, src = uint64(src[0]), 8, src[1:]
				}
				take := min(need, have)
				have -= take
				v = v<<take | acc>>have&(1<<take-1)
				need -= take
			}
			dst[i] = E(v)
		}
	}
}

func unpackSigned[E int8 | int16 | int32 | int64](dst []E, src []byte, l *layout) {
	wide := make([]uint64, len(dst))
	unpack(wide, src, l)
	shift := 64 - l.bits
	for i, v := range wide {
		dst[i] = E(int64(v<<shift) >> shift)
	}
}

// halves turns IEEE 754 binary16 numbers in the machine's byte order into float32, exactly.
func halves(dst []float32, src []byte) {
	for i, h := range words[uint16](src, len(dst)) {
		sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
		switch exponent {
		case 0:
			f := float32(fraction) / (1 << 24)
			dst[i] = math.Float32frombits(math.Float32bits(f) | sign)
		case 31:
			dst[i] = math.Float32frombits(sign | 255<<23 | fraction<<13)
		default:
			dst[i] = math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
		}
	}
}

// threeQuarters turns 24-bit numbers (1 bit sign, 7 exponent, 16 fraction; Adobe Photoshop TIFF
// Technical Note 3) into float32, exactly.
func threeQuarters(dst []float32, src []byte, l *layout) {
	big := l.big
	if l.predictor == 3 {
		big = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	}
	for i := range dst {
		b := src[3*i:][:3]
		v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
		if big {
			v = uint32(b[2]) | uint32(b[1])<<8 | uint32(b[0])<<16
		}
		sign, exponent, fraction := v>>23<<31, v>>16&127, v&0xFFFF
		switch exponent {
		case 0:
			f := float32(math.Ldexp(float64(fraction), -62-16))
			dst[i] = math.Float32frombits(math.Float32bits(f) | sign)
		case 127:
			dst[i] = math.Float32frombits(sign | 255<<23 | fraction<<7)
		default:
			dst[i] = math.Float32frombits(sign | (exponent+64)<<23 | fraction<<7)
		}
	}
}

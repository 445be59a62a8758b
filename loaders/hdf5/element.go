package hdf5

import (
	"encoding/binary"
	"math"

	"lamella/lazy"
	"lamella/loaders/codec"
)

// An element says how a voxel is stored and what it becomes in memory: the smallest type that holds all
// its values. Numbers of odd sizes are taken apart bit by bit; the others are at most turned round.
type element struct {
	dtype lazy.DType
	size  int // bytes in the file
	plain bool

	common codec.Element // what the type is, unless odd is set
	odd    *datatype
}

// element is how values of a type are read as voxels.
func (t *datatype) element() (element, error) {
	kind := t
	if t.class == classEnum {
		kind = t.base
		if t.bool {
			return element{dtype: lazy.U8, size: 1, plain: true, common: codec.Element{DType: lazy.U8, Size: 1, Order: little}}, nil
		}
	}
	e := element{size: kind.size}
	bits := 8 * kind.size
	switch {
	case kind.class == classInteger || kind.class == classBits:
		if kind.size > 8 || kind.precision < 1 || kind.precision > 64 || kind.offset+kind.precision > bits {
			return e, unsupported("integers of %d bits in %d bytes", kind.precision, kind.size)
		}
		e.dtype = integers[width(kind.precision)][kind.signed]
		if kind.precision != bits || e.dtype.Size() != kind.size {
			e.odd = kind
		}
	case kind.class == classFloat:
		if kind.size > 8 || kind.vax || !kind.fits() {
			return e, unsupported("floating-point numbers of %d bytes in an order or a size that no language uses here", kind.size)
		}
		e.dtype = lazy.F64
		if kind.exponentBits <= 8 && kind.mantissaBits <= 23 {
			e.dtype = lazy.F32
		}
		if !kind.ieee() {
			e.odd = kind
		}
	default:
		return e, unsupported("it holds %s", t.name())
	}
	if e.odd != nil {
		return e, nil
	}
	e.common = codec.Element{DType: e.dtype, Size: kind.size, Order: little, Half: kind.class == classFloat && kind.size == 2}
	if kind.big {
		e.common.Order = binary.BigEndian
	}
	e.plain = e.common.Plain()
	return e, nil
}

// width is how many bytes the smallest type of at least so many bits has.
func width(bits int) int {
	for _, n := range []int{1, 2, 4} {
		if bits <= 8*n {
			return n
		}
	}
	return 8
}

var integers = map[int]map[bool]lazy.DType{
	1: {false: lazy.U8, true: lazy.I8}, 2: {false: lazy.U16, true: lazy.I16},
	4: {false: lazy.U32, true: lazy.I32}, 8: {false: lazy.U64, true: lazy.I64},
}

// ieee reports whether a floating-point number is one of IEEE 754 that machines know.
func (t *datatype) ieee() bool {
	is := func(size, exponent, mantissa int, bias uint32) bool {
		return t.size == size && t.precision == 8*size && t.offset == 0 && t.sign == 8*size-1 && t.exponent == mantissa &&
			t.exponentBits == exponent && t.mantissa == 0 && t.mantissaBits == mantissa && t.bias == bias && t.implied
	}
	return is(2, 5, 10, 15) || is(4, 8, 23, 127) || is(8, 11, 52, 1023)
}

// fits reports whether the parts of a floating-point number lie within its bytes.
func (t *datatype) fits() bool {
	bits := 8 * t.size
	return t.sign < bits && t.exponentBits >= 1 && t.exponentBits <= 11 && t.exponent+t.exponentBits <= bits &&
		t.mantissaBits <= 52 && t.mantissa+t.mantissaBits <= bits
}

// decode turns stored voxels into those in memory, in the machine's order. dst and src may be the same
// bytes when both are as long; src may be changed.
func (e element) decode(dst, src []byte) {
	if e.odd == nil {
		e.common.Decode(dst, src)
		return
	}
	n, size := e.dtype.Size(), e.size
	for i := range len(src) / size {
		w := e.odd.word(src[i*size:][:size])
		if e.odd.class == classFloat {
			v := e.odd.float(w)
			if n == 4 {
				w = uint64(math.Float32bits(float32(v)))
			} else {
				w = math.Float64bits(v)
			}
		} else {
			w = e.odd.integer(w)
		}
		to := dst[i*n:][:n]
		switch n {
		case 1:
			to[0] = byte(w)
		case 2:
			binary.NativeEndian.PutUint16(to, uint16(w))
		case 4:
			binary.NativeEndian.PutUint32(to, uint32(w))
		default:
			binary.NativeEndian.PutUint64(to, w)
		}
	}
}

// word is the bytes of a value as one number.
func (t *datatype) word(p []byte) uint64 {
	var w uint64
	for i := range p {
		if t.big {
			w = w<<8 | uint64(p[i])
		} else {
			w |= uint64(p[i]) << (8 * i)
		}
	}
	return w
}

func (t *datatype) integer(w uint64) uint64 {
	w >>= t.offset
	if t.precision == 64 {
		return w
	}
	w &= 1<<t.precision - 1
	if t.signed && w>>(t.precision-1) != 0 {
		w |= ^uint64(0) << t.precision
	}
	return w
}

// float puts the parts of a floating-point number together.
func (t *datatype) float(w uint64) float64 {
	exponent := int(w >> t.exponent & (1<<t.exponentBits - 1))
	mantissa := float64(w>>t.mantissa&(1<<t.mantissaBits-1)) / float64(uint64(1)<<t.mantissaBits)
	var v float64
	switch {
	case exponent == 1<<t.exponentBits-1 && t.implied && mantissa == 0:
		v = math.Inf(1)
	case exponent == 1<<t.exponentBits-1 && t.implied:
		return math.NaN()
	case exponent == 0 && t.implied:
		v = math.Ldexp(mantissa, 1-int(int32(t.bias)))
	case t.implied:
		v = math.Ldexp(1+mantissa, exponent-int(int32(t.bias)))
	default:
		v = math.Ldexp(mantissa, exponent-int(int32(t.bias)))
	}
	if w>>t.sign&1 != 0 {
		v = -v
	}
	return v
}

// floats are stored values as numbers.
func (e element) floats(p []byte) []float64 {
	n := len(p) / e.size
	b := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, 1, n}}, e.dtype)
	e.decode(b.Bytes(), append([]byte(nil), p[:n*e.size]...))
	out := make([]float64, n)
	for i := range out {
		out[i] = b.Value(lazy.Index{0, 0, 0, 0, i})
	}
	return out
}

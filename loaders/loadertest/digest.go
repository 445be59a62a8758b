package loadertest

import (
	"encoding/binary"
	"math"

	"lamella/lazy"
)

// littleEndian is the voxels of a row as little-endian bytes of the type that the manifest names. A
// driver may give a wider type, as long as every value fits the named one.
func littleEndian(row *lazy.Block, name string) ([]byte, error) {
	size := row.DType.Size()
	if row.DType.String() == name {
		if size == 1 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
			return row.Bytes(), nil
		}
		out := make([]byte, 0, len(row.Bytes()))
		for p := row.Bytes(); len(p) > 0; p = p[size:] {
			out = appendInt(out, nativeInt(p[:size]), size)
		}
		return out, nil
	}
	var put func(out []byte, v float64) []byte
	switch d, err := lazy.ParseDType(name); {
	case name == "bool":
		put = func(out []byte, v float64) []byte {
			if v != 0 {
				return append(out, 1)
			}
			return append(out, 0)
		}
	case name == "float16":
		put = func(out []byte, v float64) []byte { return binary.LittleEndian.AppendUint16(out, half(v)) }
	case err != nil:
		return nil, wrong("type %v, expected %s", row.DType, name)
	case d.Size() > size:
		return nil, wrong("type %v, expected %v", row.DType, d)
	case d == lazy.F32:
		put = func(out []byte, v float64) []byte { return appendInt(out, uint64(math.Float32bits(float32(v))), 4) }
	default:
		put = func(out []byte, v float64) []byte { return appendInt(out, uint64(int64(v)), d.Size()) }
	}
	var out []byte
	for i := range row.Len() {
		out = put(out, row.Value(lazy.Index{0, 0, 0, 0, i}))
	}
	return out, nil
}

func nativeInt(p []byte) uint64 {
	switch len(p) {
	case 1:
		return uint64(p[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(p))
	case 4:
		return uint64(binary.NativeEndian.Uint32(p))
	}
	return binary.NativeEndian.Uint64(p)
}

func appendInt(out []byte, v uint64, size int) []byte {
	for range size {
		out = append(out, byte(v))
		v >>= 8
	}
	return out
}

// half is the bits of a float16 that holds v exactly.
func half(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign = 1 << 15
	}
	v = math.Abs(v)
	switch {
	case math.IsNaN(v):
		return sign | 0x7e00
	case v > 65504:
		return sign | 0x7c00
	case v < 1.0/(1<<14): // subnormal: units of 2^-24
		return sign | uint16(v*(1<<24))
	}
	frac, exp := math.Frexp(v) // v = frac * 2^exp, frac in [0.5, 1)
	return sign | uint16(exp+14)<<10 | uint16((frac*2-1)*1024)
}

package loaders

import (
	"encoding/binary"
	"math"

	"lamella/lazy"
)

// Scale gives slope·v + inter in float64 for each value v of type d in src, both in the machine's byte order. dst
// takes 8 bytes for each value, and may be src when the values of that have 8 bytes too.
func Scale(dst, src []byte, d lazy.DType, slope, inter float64) {
	size := d.Size()
	for i := range len(src) / size {
		dst8 := dst[8*i : 8*i+8]
		binary.NativeEndian.PutUint64(dst8, math.Float64bits(float64(slope*number(src[i*size:], d))+inter))
	}
}

func number(p []byte, d lazy.DType) float64 {
	switch d {
	case lazy.U8:
		return float64(p[0])
	case lazy.I8:
		return float64(int8(p[0]))
	case lazy.U16:
		return float64(binary.NativeEndian.Uint16(p))
	case lazy.I16:
		return float64(int16(binary.NativeEndian.Uint16(p)))
	case lazy.U32:
		return float64(binary.NativeEndian.Uint32(p))
	case lazy.I32:
		return float64(int32(binary.NativeEndian.Uint32(p)))
	case lazy.U64:
		return float64(binary.NativeEndian.Uint64(p))
	case lazy.I64:
		return float64(int64(binary.NativeEndian.Uint64(p)))
	case lazy.F32:
		return float64(math.Float32frombits(binary.NativeEndian.Uint32(p)))
	}
	return math.Float64frombits(binary.NativeEndian.Uint64(p))
}

package viewer

import "lamella/lazy"

// valueAt is value number i of a block in storage order; 64-bit integers beyond 2^53 are rounded.
func valueAt(b *lazy.Block, i int) float64 {
	switch b.DType {
	case lazy.U8:
		return float64(lazy.View[uint8](b)[i])
	case lazy.I8:
		return float64(lazy.View[int8](b)[i])
	case lazy.U16:
		return float64(lazy.View[uint16](b)[i])
	case lazy.I16:
		return float64(lazy.View[int16](b)[i])
	case lazy.U32:
		return float64(lazy.View[uint32](b)[i])
	case lazy.I32:
		return float64(lazy.View[int32](b)[i])
	case lazy.U64:
		return float64(lazy.View[uint64](b)[i])
	case lazy.I64:
		return float64(lazy.View[int64](b)[i])
	case lazy.F32:
		return float64(lazy.View[float32](b)[i])
	}
	return lazy.View[float64](b)[i]
}

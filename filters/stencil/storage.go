package stencil

import (
	"math"

	"lamella/lazy"
)

// loadRow is n voxels of a block from an offset on, in type E: the block's own memory where the type is
// the same, else converted into *own, which is made at the first use.
func loadRow[E scalar](own *[]E, b *lazy.Block, from, n int) []E {
	if b.DType == lazy.TypeOf[E]() {
		return lazy.View[E](b)[from : from+n]
	}
	if *own == nil {
		*own = make([]E, n)
	}
	done := 0
	switch d := any(own).(type) {
	case *[]float32:
		done = widenF32(*d, b, from)
	case *[]int32:
		done = widenI32(*d, b, from)
	}
	rest, from, end := (*own)[done:], from+done, from+n
	switch b.DType {
	case lazy.U8:
		convertRow(rest, lazy.View[uint8](b)[from:end])
	case lazy.I8:
		convertRow(rest, lazy.View[int8](b)[from:end])
	case lazy.U16:
		convertRow(rest, lazy.View[uint16](b)[from:end])
	case lazy.I16:
		convertRow(rest, lazy.View[int16](b)[from:end])
	case lazy.U32:
		convertRow(rest, lazy.View[uint32](b)[from:end])
	case lazy.I32:
		convertRow(rest, lazy.View[int32](b)[from:end])
	case lazy.U64:
		convertRow(rest, lazy.View[uint64](b)[from:end])
	case lazy.I64:
		convertRow(rest, lazy.View[int64](b)[from:end])
	case lazy.F32:
		convertRow(rest, lazy.View[float32](b)[from:end])
	case lazy.F64:
		convertRow(rest, lazy.View[float64](b)[from:end])
	}
	return *own
}

// storeRow writes a row to a block from an offset on, in the block's type: real numbers are rounded to
// nearest, halves away from zero, and everything is clamped to the range of an integer type.
func storeRow[E scalar](b *lazy.Block, at int, src []E) {
	switch b.DType {
	case lazy.U8:
		storeAs(lazy.View[uint8](b)[at:at+len(src)], src)
	case lazy.I8:
		storeAs(lazy.View[int8](b)[at:at+len(src)], src)
	case lazy.U16:
		storeAs(lazy.View[uint16](b)[at:at+len(src)], src)
	case lazy.I16:
		storeAs(lazy.View[int16](b)[at:at+len(src)], src)
	case lazy.U32:
		storeAs(lazy.View[uint32](b)[at:at+len(src)], src)
	case lazy.I32:
		storeAs(lazy.View[int32](b)[at:at+len(src)], src)
	case lazy.U64:
		storeWide(lazy.View[uint64](b)[at:at+len(src)], src)
	case lazy.I64:
		storeWide(lazy.View[int64](b)[at:at+len(src)], src)
	case lazy.F32:
		convertRow(lazy.View[float32](b)[at:at+len(src)], src)
	default:
		convertRow(lazy.View[float64](b)[at:at+len(src)], src)
	}
}

// storeAs is for integer types that a float64 holds exactly.
func storeAs[D uint8 | int8 | uint16 | int16 | uint32 | int32, E scalar](dst []D, src []E) {
	if same, ok := any(src).([]D); ok {
		copy(dst, same)
		return
	}
	lo, hi := lazy.TypeOf[D]().Range()
	switch s := any(src).(type) {
	case []int32:
		clampRow(dst, s, int64(lo), int64(hi))
	case []int64:
		clampRow(dst, s, int64(lo), int64(hi))
	case []float32:
		for i, v := range s {
			dst[i] = D(int64(round32(v, lo, hi)))
		}
	case []float64:
		for i, v := range s {
			dst[i] = D(int64(min(max(math.Round(zeroIfNaN(v)), lo), hi)))
		}
	}
}

func clampRow[D lazy.Number, E int32 | int64](dst []D, src []E, lo, hi int64) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = D(min(max(int64(src[i]), lo), hi))
	}
}

// round32 rounds a float32, for which adding a half in float64 is exact.
func round32(v float32, lo, hi float64) float64 {
	x := float64(v)
	switch {
	case x != x:
		return 0
	case x >= 0:
		return min(x+0.5, hi)
	}
	return max(x-0.5, lo)
}

func zeroIfNaN(v float64) float64 {
	if v != v {
		return 0
	}
	return v
}

func storeWide[D uint64 | int64, E scalar](dst []D, src []E) {
	for i, v := range src {
		dst[i] = lazy.Convert[D](float64(v))
	}
}

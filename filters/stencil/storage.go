package stencil

import (
	"math"

	"lamella/lazy"
)

// loadRow is n voxels of a block, from an offset on with a stride, in type E: the block's own memory where
// they lie side by side and have that type, else converted into *own, which is made at the first use.
func loadRow[E scalar](own *[]E, b *lazy.Block, from, stride, n int) []E {
	if stride == 1 && b.DType == lazy.TypeOf[E]() {
		return lazy.View[E](b)[from : from+n]
	}
	if *own == nil {
		*own = make([]E, n)
	}
	dst := *own
	if stride == 1 {
		done := 0
		switch d := any(own).(type) {
		case *[]float32:
			done = widenF32(*d, b, from)
		case *[]int32:
			done = widenI32(*d, b, from)
		}
		dst, from = dst[done:], from+done
	}
	switch b.DType {
	case lazy.U8:
		pick(dst, lazy.View[uint8](b)[from:], stride)
	case lazy.I8:
		pick(dst, lazy.View[int8](b)[from:], stride)
	case lazy.U16:
		pick(dst, lazy.View[uint16](b)[from:], stride)
	case lazy.I16:
		pick(dst, lazy.View[int16](b)[from:], stride)
	case lazy.U32:
		pick(dst, lazy.View[uint32](b)[from:], stride)
	case lazy.I32:
		pick(dst, lazy.View[int32](b)[from:], stride)
	case lazy.U64:
		pick(dst, lazy.View[uint64](b)[from:], stride)
	case lazy.I64:
		pick(dst, lazy.View[int64](b)[from:], stride)
	case lazy.F32:
		pick(dst, lazy.View[float32](b)[from:], stride)
	case lazy.F64:
		pick(dst, lazy.View[float64](b)[from:], stride)
	}
	return *own
}

// pick converts every stride-th voxel.
func pick[D, S lazy.Number](dst []D, src []S, stride int) {
	if stride == 1 {
		convertRow(dst, src)
		return
	}
	at := 0
	for i := range dst {
		dst[i] = D(src[at])
		at += stride
	}
}

// storeRow writes a row to a block, from an offset on with a stride, in the block's type: real numbers are
// rounded to nearest, halves away from zero, and everything is clamped to the range of an integer type.
func storeRow[E scalar](b *lazy.Block, at, stride int, src []E) {
	if f, ok := any(&src).(*[]float32); ok && stride == 1 {
		n := narrowRow(b, at, *f)
		at, src = at+n, src[n:]
	}
	switch b.DType {
	case lazy.U8:
		storeAs(lazy.View[uint8](b)[at:], stride, src)
	case lazy.I8:
		storeAs(lazy.View[int8](b)[at:], stride, src)
	case lazy.U16:
		storeAs(lazy.View[uint16](b)[at:], stride, src)
	case lazy.I16:
		storeAs(lazy.View[int16](b)[at:], stride, src)
	case lazy.U32:
		storeAs(lazy.View[uint32](b)[at:], stride, src)
	case lazy.I32:
		storeAs(lazy.View[int32](b)[at:], stride, src)
	case lazy.U64:
		storeWide(lazy.View[uint64](b)[at:], stride, src)
	case lazy.I64:
		storeWide(lazy.View[int64](b)[at:], stride, src)
	case lazy.F32:
		storeReal(lazy.View[float32](b)[at:], stride, src)
	default:
		storeReal(lazy.View[float64](b)[at:], stride, src)
	}
}

func storeReal[D float32 | float64, E scalar](dst []D, stride int, src []E) {
	for i, v := range src {
		dst[i*stride] = D(v)
	}
}

// storeAs is for integer types that a float64 holds exactly.
func storeAs[D uint8 | int8 | uint16 | int16 | uint32 | int32, E scalar](dst []D, stride int, src []E) {
	lo, hi := lazy.TypeOf[D]().Range()
	switch s := any(src).(type) {
	case []int32:
		clampRow(dst, stride, s, int64(lo), int64(hi))
	case []int64:
		clampRow(dst, stride, s, int64(lo), int64(hi))
	case []float32:
		for i, v := range s {
			dst[i*stride] = D(int64(round32(v, lo, hi)))
		}
	case []float64:
		for i, v := range s {
			dst[i*stride] = D(int64(min(max(math.Round(zeroIfNaN(v)), lo), hi)))
		}
	}
}

func clampRow[D lazy.Number, E int32 | int64](dst []D, stride int, src []E, lo, hi int64) {
	for i, v := range src {
		dst[i*stride] = D(min(max(int64(v), lo), hi))
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

func storeWide[D uint64 | int64, E scalar](dst []D, stride int, src []E) {
	for i, v := range src {
		dst[i*stride] = lazy.Convert[D](float64(v))
	}
}

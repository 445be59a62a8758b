package stencil

import (
	"math"

	"lamella/lazy"
)

// An input is a block that a program reads.
type input struct {
	block       *lazy.Block
	origin      int // offset of the voxel at the first column of the output, in row 0 of this plane
	z, row, col int // strides
}

func (in *input) at(dz, y, dx int) int { return in.origin + dz*in.z + y*in.row + dx*in.col }

// inPlace reports whether rows of type d are rows of the input as they lie in memory.
func (in *input) inPlace(d lazy.DType) bool { return in.col == 1 && in.block.DType == d }

// An output is the block that a program writes.
type output struct {
	block    *lazy.Block
	origin   int  // offset of the first voxel of this plane
	row, col int  // strides
	whole    bool // what is written are whole numbers
}

// loader converts rows of an input of type S.
type loader[E scalar, S lazy.Number] struct {
	in     *input
	voxels []S
	dz, dx int
	widen  func([]E, []S)
}

// loaderOf makes rows of type E of an input.
func loaderOf[E scalar](in *input, dz, dx int) maker[E] {
	switch in.block.DType {
	case lazy.U8:
		return newLoader[E, uint8](in, dz, dx)
	case lazy.I8:
		return newLoader[E, int8](in, dz, dx)
	case lazy.U16:
		return newLoader[E, uint16](in, dz, dx)
	case lazy.I16:
		return newLoader[E, int16](in, dz, dx)
	case lazy.U32:
		return newLoader[E, uint32](in, dz, dx)
	case lazy.I32:
		return newLoader[E, int32](in, dz, dx)
	case lazy.U64:
		return newLoader[E, uint64](in, dz, dx)
	case lazy.I64:
		return newLoader[E, int64](in, dz, dx)
	case lazy.F32:
		return newLoader[E, float32](in, dz, dx)
	default:
		return newLoader[E, float64](in, dz, dx)
	}
}

func newLoader[E scalar, S lazy.Number](in *input, dz, dx int) maker[E] {
	return &loader[E, S]{in, lazy.View[S](in.block), dz, dx, widening[E, S]()}
}

func (l *loader[E, S]) row(own []E, y int) {
	at, step := l.in.at(l.dz, y, l.dx), l.in.col
	if step == 1 {
		l.widen(own, l.voxels[at:at+len(own)])
		return
	}
	for i := range own {
		own[i] = E(l.voxels[at])
		at += step
	}
}

// storer writes the rows that another makes to the output: real numbers are rounded to nearest, halves
// away from zero, and everything is clamped to the range of an integer type.
type storer[E scalar, D lazy.Number] struct {
	maker[E]
	out    *output
	voxels []D
	narrow func(dst []D, src []E) // where rows lie side by side
	store  func(dst []D, stride int, src []E)
}

// storerOf stores what from makes. Rows of the output's own type are made in place.
func storerOf[E scalar](out *output, from maker[E]) maker[E] {
	if out.col == 1 && out.block.DType == lazy.TypeOf[E]() {
		return &placer[E]{from, out, lazy.View[E](out.block)}
	}
	switch out.block.DType {
	case lazy.U8:
		return newStorer(out, from, storeAs[uint8, E])
	case lazy.I8:
		return newStorer(out, from, storeAs[int8, E])
	case lazy.U16:
		return newStorer(out, from, storeAs[uint16, E])
	case lazy.I16:
		return newStorer(out, from, storeAs[int16, E])
	case lazy.U32:
		return newStorer(out, from, storeAs[uint32, E])
	case lazy.I32:
		return newStorer(out, from, storeAs[int32, E])
	case lazy.U64:
		return newStorer(out, from, storeWide[uint64, E])
	case lazy.I64:
		return newStorer(out, from, storeWide[int64, E])
	case lazy.F32:
		return newStorer(out, from, storeReal[float32, E])
	default:
		return newStorer(out, from, storeReal[float64, E])
	}
}

func newStorer[E scalar, D lazy.Number](out *output, from maker[E], store func([]D, int, []E)) maker[E] {
	loops := fast.narrowing
	if out.whole {
		loops = fast.narrowingWhole
	}
	s := &storer[E, D]{from, out, lazy.View[D](out.block), narrowing(loops, store), store}
	if divide := dividing[D](from); divide != nil && out.col == 1 && out.whole {
		return &divider[E, D]{s, from.(*step[E]), divide}
	}
	return s
}

func (s *storer[E, D]) row(own []E, y int) {
	s.maker.row(own, y)
	at := s.out.origin + y*s.out.row
	if s.out.col == 1 {
		s.narrow(s.voxels[at:at+len(own)], own)
		return
	}
	s.store(s.voxels[at:], s.out.col, own)
}

// placer makes rows where the output wants them.
type placer[E scalar] struct {
	maker[E]
	out    *output
	voxels []E
}

func (p *placer[E]) row(own []E, y int) {
	at := p.out.origin + y*p.out.row
	p.maker.row(p.voxels[at:at+len(own):at+len(own)], y)
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
	case []int16:
		clampRow(dst, stride, s, int64(lo), int64(hi))
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

func clampRow[D lazy.Number, E int16 | int32 | int64](dst []D, stride int, src []E, lo, hi int64) {
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

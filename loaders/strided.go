package loaders

import (
	"fmt"
	"iter"
	"unsafe"

	"lamella/lazy"
)

// A Strided says where voxels lie in a buffer: the voxel at Origin comes first, and neighbours along
// axis a are Stride[a] voxels apart. It is how chunks of any order of axes become blocks.
type Strided struct {
	Origin lazy.Index
	Stride lazy.Index
}

// Load copies the voxels of r from buffer to b, which must hold r. Both are in the machine's byte
// order. It panics when the buffer is too short for r, which callers check before they decode.
func (s Strided) Load(b *lazy.Block, r lazy.Region, buffer []byte) {
	s.move(b, r, buffer, true)
}

// Save copies the voxels of r from b to buffer.
func (s Strided) Save(buffer []byte, b *lazy.Block, r lazy.Region) {
	s.move(b, r, buffer, false)
}

// Dense reports whether the voxels of r lie in the buffer as they lie in a block of region r.
func (s Strided) Dense(r lazy.Region) bool {
	n := 1
	for a := lazy.Rank - 1; a >= 0; a-- {
		if r.Len(lazy.Axis(a)) == 1 {
			continue
		}
		if s.Stride[a] != n {
			return false
		}
		n *= r.Len(lazy.Axis(a))
	}
	return true
}

// Run is the shape of the largest pieces of r that lie in one piece in the buffer and in a block of
// region r: whole axes from the fastest on.
func (s Strided) Run(r lazy.Region) lazy.Shape {
	run, n := lazy.Shape{1, 1, 1, 1, 1}, 1
	for a := lazy.Rank - 1; a >= 0; a-- {
		length := r.Len(lazy.Axis(a))
		if length > 1 && s.Stride[a] != n {
			break
		}
		run[a] = length
		n *= length
	}
	return run
}

// Pieces visits the boxes of shape n that r is made of, in storage order, counted from its own corner
// and cut to it.
func Pieces(r lazy.Region, n lazy.Shape) iter.Seq[lazy.Region] {
	return func(yield func(lazy.Region) bool) {
		for c := range (lazy.Region{Max: lazy.Index(r.Shape())}).Tiles(n) {
			for a := range lazy.Rank {
				c.Min[a] += r.Min[a]
				c.Max[a] += r.Min[a]
			}
			if !yield(c.Intersect(r)) {
				return
			}
		}
	}
}

func (s Strided) move(b *lazy.Block, r lazy.Region, buffer []byte, load bool) {
	if r.Empty() {
		return
	}
	if !b.Region.Contains(r) {
		panic(fmt.Sprintf("loaders: moving %v to or from a block of %v", r, b.Region))
	}
	there, end := 0, 0
	for a := range lazy.Rank {
		there += (r.Min[a] - s.Origin[a]) * s.Stride[a]
		end += (r.Max[a] - 1 - s.Origin[a]) * s.Stride[a]
	}
	size := b.DType.Size()
	if there < 0 || (end+1)*size > len(buffer) {
		panic(fmt.Sprintf("loaders: %v lies at voxels %d to %d of a buffer of %d bytes", r, there, end, len(buffer)))
	}
	here := b.Offset(r.Min)
	switch size {
	case 1:
		move(b.Bytes()[here:], b.Strides(), buffer[there:], s.Stride, r.Shape(), load)
	case 2:
		move(values[uint16](b.Bytes())[here:], b.Strides(), values[uint16](buffer)[there:], s.Stride, r.Shape(), load)
	case 4:
		move(values[uint32](b.Bytes())[here:], b.Strides(), values[uint32](buffer)[there:], s.Stride, r.Shape(), load)
	default:
		move(values[uint64](b.Bytes())[here:], b.Strides(), values[uint64](buffer)[there:], s.Stride, r.Shape(), load)
	}
}

// values is p as values of W; an odd rest of bytes is left out.
func values[W uint8 | uint16 | uint32 | uint64](p []byte) []W {
	var w W
	n := len(p) / int(unsafe.Sizeof(w))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(p))), n)
}

// move copies a box between two arrays that begin at its first voxel: to a from b, or the other way.
func move[W uint8 | uint16 | uint32 | uint64](a []W, as lazy.Index, b []W, bs lazy.Index, n lazy.Shape, toA bool) {
	for t := range n[lazy.T] {
		for z := range n[lazy.Z] {
			for c := range n[lazy.C] {
				from := t*bs[lazy.T] + z*bs[lazy.Z] + c*bs[lazy.C]
				to := t*as[lazy.T] + z*as[lazy.Z] + c*as[lazy.C]
				movePlane(a[to:], as, b[from:], bs, n[lazy.Y], n[lazy.X], toA)
			}
		}
	}
}

func movePlane[W uint8 | uint16 | uint32 | uint64](a []W, as lazy.Index, b []W, bs lazy.Index, rows, columns int, toA bool) {
	ay, by, bx := as[lazy.Y], bs[lazy.Y], bs[lazy.X]
	if columns == 1 {
		bx = 1
	}
	if bx == 1 {
		if ay == columns && by == columns {
			rows, columns = 1, rows*columns
		}
		for y := range rows {
			if toA {
				copy(a[y*ay:][:columns], b[y*by:])
			} else {
				copy(b[y*by:][:columns], a[y*ay:])
			}
		}
		return
	}
	// Columns are taken 64 at a time, so that what one row brought into the cache serves the next.
	for x0 := 0; x0 < columns; x0 += 64 {
		x1 := min(x0+64, columns)
		for y := range rows {
			row, other := a[y*ay+x0:y*ay+x1], b[y*by+x0*bx:]
			if toA {
				for x := range row {
					row[x] = other[x*bx]
				}
			} else {
				for x := range row {
					other[x*bx] = row[x]
				}
			}
		}
	}
}

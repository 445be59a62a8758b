package lazy

import (
	"fmt"
	"unsafe"
)

// A Block is the voxels of one region in memory, dense and in storage order (X fastest).
// Whoever makes a block fills it; once it has been handed on nobody writes to it again, so
// it may be read from many goroutines and shared by every view of it.
type Block struct {
	Region Region
	DType  DType
	data   []uint64 // backing store: eight-byte aligned for every DType
	voxels int
}

// NewBlock makes a block of zeros; of an empty region it holds none, which is what an op gets of an input
// that it needs nothing of. It panics when the type is invalid, since that is a mistake of the caller, not of
// the data.
func NewBlock(r Region, d DType) *Block {
	if !d.Valid() {
		panic(fmt.Sprintf("lazy: NewBlock(%v, %v)", r, d))
	}
	return &Block{Region: r, DType: d, data: make([]uint64, Words(r, d)), voxels: r.Voxels()}
}

// Words is how many words of memory a block takes.
func Words(r Region, d DType) int { return (r.Voxels()*d.Size() + 7) / 8 }

// NewBlockIn makes a block in memory that has Words(r, d) words and may hold anything: whoever fills the
// block writes every voxel.
func NewBlockIn(memory []uint64, r Region, d DType) *Block {
	if !d.Valid() || len(memory) != Words(r, d) {
		panic(fmt.Sprintf("lazy: NewBlockIn(%d words, %v, %v)", len(memory), r, d))
	}
	return &Block{Region: r, DType: d, data: memory, voxels: r.Voxels()}
}

// Memory is the words that the block lies in.
func (b *Block) Memory() []uint64 { return b.data }

// Len is the number of voxels.
func (b *Block) Len() int { return b.voxels }

// Bytes is the memory of the voxels in the machine's byte order, without a copy.
func (b *Block) Bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.data))), b.Len()*b.DType.Size())
}

// View is the voxels as a slice of their Go type, without a copy. It panics when E is not the
// block's type.
func View[E Number](b *Block) []E {
	if TypeOf[E]() != b.DType {
		panic(fmt.Sprintf("lazy: View[%v] of a block of %v", TypeOf[E](), b.DType))
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b.data))), b.Len())
}

// BlockOf makes a block that holds a copy of values, which must be as many as r has voxels.
func BlockOf[E Number](r Region, values []E) *Block {
	b := NewBlock(r, TypeOf[E]())
	if len(values) != b.Len() {
		panic(fmt.Sprintf("lazy: BlockOf: %d values for %d voxels", len(values), b.Len()))
	}
	copy(View[E](b), values)
	return b
}

// Offset is the position in storage order of the voxel at i, which must lie in the region.
func (b *Block) Offset(i Index) int {
	n := 0
	for a := range Rank {
		n = n*(b.Region.Max[a]-b.Region.Min[a]) + i[a] - b.Region.Min[a]
	}
	return n
}

// Strides is the distance in voxels between neighbours along each axis.
func (b *Block) Strides() Index {
	var s Index
	n := 1
	for a := Rank - 1; a >= 0; a-- {
		s[a] = n
		n *= b.Region.Max[a] - b.Region.Min[a]
	}
	return s
}

// Value is the voxel at i as a float64; 64-bit integers beyond 2^53 are rounded.
func (b *Block) Value(i Index) float64 {
	o := b.Offset(i)
	switch b.DType {
	case U8:
		return float64(View[uint8](b)[o])
	case I8:
		return float64(View[int8](b)[o])
	case U16:
		return float64(View[uint16](b)[o])
	case I16:
		return float64(View[int16](b)[o])
	case U32:
		return float64(View[uint32](b)[o])
	case I32:
		return float64(View[int32](b)[o])
	case U64:
		return float64(View[uint64](b)[o])
	case I64:
		return float64(View[int64](b)[o])
	case F32:
		return float64(View[float32](b)[o])
	}
	return View[float64](b)[o]
}

// CopyRegion copies the voxels of r, which both blocks must hold, from src to dst. The types
// must be the same.
func CopyRegion(dst, src *Block, r Region) {
	if dst.DType != src.DType || !dst.Region.Contains(r) || !src.Region.Contains(r) {
		panic(fmt.Sprintf("lazy: CopyRegion of %v from %v (%v) to %v (%v)", r, src.Region, src.DType, dst.Region, dst.DType))
	}
	if r.Empty() {
		return
	}
	size := src.DType.Size()
	s := r.Shape()
	// Rows that follow each other without a gap in both blocks are one copy.
	run, inner := 1, Rank
	for a := Rank - 1; a >= 0; a-- {
		run *= s[a]
		inner = a
		if s[a] != src.Region.Len(Axis(a)) || s[a] != dst.Region.Len(Axis(a)) {
			break
		}
	}
	from, to := src.Bytes(), dst.Bytes()
	at := r.Min
	for {
		f, t := src.Offset(at)*size, dst.Offset(at)*size
		copy(to[t:t+run*size], from[f:])
		a := inner - 1
		for ; a >= 0; a-- {
			if at[a]++; at[a] < r.Max[a] {
				break
			}
			at[a] = r.Min[a]
		}
		if a < 0 {
			return
		}
	}
}

// ClearRegion sets the voxels of r that b holds to 0.
func ClearRegion(b *Block, r Region) {
	if r = r.Intersect(b.Region); r.Empty() {
		return
	}
	bytes, size := b.Bytes(), b.DType.Size()
	for t := r.Min[T]; t < r.Max[T]; t++ {
		for z := r.Min[Z]; z < r.Max[Z]; z++ {
			for c := r.Min[C]; c < r.Max[C]; c++ {
				for y := r.Min[Y]; y < r.Max[Y]; y++ {
					at := b.Offset(Index{t, z, c, y, r.Min[X]}) * size
					clear(bytes[at : at+r.Len(X)*size])
				}
			}
		}
	}
}

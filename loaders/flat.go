package loaders

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"lamella/lazy"
	"lamella/loaders/store"
)

// Flat describes voxels that lie in a file in one piece, uncompressed.
type Flat struct {
	File   store.File
	Offset int64     // of the first voxel
	Axes   Axes      // order in the file, slowest first
	Meta   lazy.Meta // of the array; Chunk is chosen by NewFlat
	Size   int       // bytes of one stored voxel

	// Decode turns stored voxels into those of Meta.DType in the machine's byte order; nil if they are
	// that already. When Size is the type's, dst and src are the same bytes.
	Decode func(dst, src []byte)

	Part string // which array of the file this is, "" if it is the only one
}

// Sizes of the chunks of a flat file, in bytes. Of a file in storage order any rows can be read, so a
// chunk is a plane, or several when planes are small. In another order a chunk is what is contiguous.
const (
	flatLeast  = 64 << 10
	flatMost   = 64 << 20
	flatOrder  = 1 << 20
	flatColumn = 1 << 22 // most voxels of a row in one chunk
)

// NewFlat is the source that Flat describes. It refuses with ErrDamaged what reaches beyond the end
// of the file. Any rows of a plane can be read alone when x, then y are the fastest axes of the file.
func NewFlat(f Flat) (lazy.Source, error) {
	voxels := uint64(f.Meta.Shape.Voxels())
	over, need := bits.Mul64(voxels, uint64(f.Size))
	if have := f.File.Size() - f.Offset; f.Offset < 0 || over > 0 || have < 0 || need > uint64(have) {
		return nil, fmt.Errorf("%d voxels of %d bytes from byte %d on need more than the file's %d bytes: %w",
			voxels, f.Size, f.Offset, f.File.Size(), ErrDamaged)
	}
	s := &flat{of: f, stride: f.Axes.Strides(f.Meta.Shape), plain: slices.IsSorted(f.Axes) || f.Axes.planes()}
	s.of.Meta.Chunk = s.chunk()
	return s, nil
}

type flat struct {
	of     Flat
	stride lazy.Index
	plain  bool // planes are in storage order, so a run of the file is one of the block
}

// planes reports whether rows follow each other in the file as they do in a plane.
func (a Axes) planes() bool { return len(a) >= 2 && slices.Equal(a[len(a)-2:], Axes{lazy.Y, lazy.X}) }

// chunk chooses the cells: whole axes from the fastest on, until there are bytes enough, then a part
// of the next axis.
func (f *flat) chunk() lazy.Shape {
	least, most := flatLeast, flatMost
	if !f.plain {
		least, most = flatOrder, flatOrder
	}
	c := lazy.Shape{1, 1, 1, 1, 1}
	size := f.of.Size
	for i := len(f.of.Axes) - 1; i >= 0; i-- {
		a := f.of.Axes[i]
		n := f.of.Meta.Shape[a]
		limit := most / size
		if f.plain && a == lazy.X {
			limit = flatColumn
		} else if f.plain && a != lazy.Y {
			limit = least / size
		}
		c[a] = max(1, min(n, limit))
		size *= c[a]
		if c[a] < n {
			break
		}
	}
	return c
}

func (f *flat) Meta() lazy.Meta { return f.of.Meta }

func (f *flat) ID() string {
	m := f.of.Meta
	return fmt.Sprintf("%s|flat %s at %d %v %v %v size %d", f.of.File.ID(), f.of.Part, f.of.Offset, f.of.Axes, m.Shape, m.DType, f.of.Size)
}

// Grain is the rows of r, whole.
func (f *flat) Grain(r lazy.Region) lazy.Region {
	cell := lazy.Cell(r.Min, f.of.Meta.Chunk).Intersect(f.of.Meta.Shape.Whole())
	if !f.plain {
		return cell
	}
	return r.With(lazy.X, cell.Min[lazy.X], cell.Max[lazy.X])
}

// Stored is exact, since nothing is compressed.
func (f *flat) Stored(r lazy.Region) int64 { return int64(r.Voxels()) * int64(f.of.Size) }

func (f *flat) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	var err error
	if f.plain {
		err = f.readRuns(ctx, dst)
	} else {
		err = f.readPiece(ctx, dst)
	}
	if err != nil {
		return 0, err
	}
	return f.Stored(dst.Region), nil
}

// readRuns reads what is contiguous in the file, which is contiguous in the block as well.
func (f *flat) readRuns(ctx context.Context, dst *lazy.Block) error {
	r := dst.Region
	run := Strided{Stride: f.stride}.Run(r)
	size := dst.DType.Size()
	for piece := range Pieces(r, run) {
		at := dst.Offset(piece.Min) * size
		if err := f.fetch(ctx, dst.Bytes()[at:at+piece.Voxels()*size], f.place(piece.Min)); err != nil {
			return err
		}
	}
	return nil
}

// readPiece reads a chunk, which is one piece of the file, and puts its axes in order.
func (f *flat) readPiece(ctx context.Context, dst *lazy.Block) error {
	r := dst.Region
	size := dst.DType.Size()
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	n := r.Voxels() * size
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	p := (*buffer)[:n]
	if err := f.fetch(ctx, p, f.place(r.Min)); err != nil {
		return err
	}
	Strided{Origin: r.Min, Stride: f.of.Axes.Strides(r.Shape())}.Load(dst, r, p)
	return nil
}

// place is the position in the file of a voxel.
func (f *flat) place(i lazy.Index) int64 {
	n := 0
	for a := range lazy.Rank {
		n += i[a] * f.stride[a]
	}
	return f.of.Offset + int64(n)*int64(f.of.Size)
}

// fetch fills p with decoded voxels from one place of the file on.
func (f *flat) fetch(ctx context.Context, p []byte, off int64) error {
	size := f.of.Meta.DType.Size()
	if f.of.Size == size {
		if err := f.of.File.ReadAt(ctx, p, off); err != nil {
			return err
		}
		if f.of.Decode != nil {
			f.of.Decode(p, p)
		}
		return nil
	}
	stored := make([]byte, len(p)/size*f.of.Size)
	if err := f.of.File.ReadAt(ctx, stored, off); err != nil {
		return err
	}
	f.of.Decode(p, stored)
	return nil
}

// scratch recycles the buffers of pieces that have to be put in order.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

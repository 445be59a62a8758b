package hdf5

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A source is an array made of one dataset, or of several that are its timepoints and channels.
type source struct {
	f    *file
	also string // ID of another file that the voxels lie in, "" if they lie in f
	name string // of the array, for messages and the ID
	axes loaders.Axes
	meta lazy.Meta

	// pick is the dataset of a timepoint and a channel, and nil where it is known to be left out. part
	// is its path.
	pick func(ctx context.Context, t, c int) (d *dataset, part string, err error)
	rows bool // rows can be read alone
}

func (s *source) Meta() lazy.Meta { return s.meta }

func (s *source) ID() string {
	return fmt.Sprintf("%s%s|hdf5 %s|%v|%v %v", s.f.ID(), s.also, s.name, s.axes, s.meta.Shape, s.meta.DType)
}

// Read gathers dst from the chunks that it touches, which is one unless datasets differ in theirs.
func (s *source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	d, part, err := s.pick(ctx, dst.Region.Min[lazy.T], dst.Region.Min[lazy.C])
	if err != nil {
		return 0, s.fault(part, err)
	}
	if d == nil {
		clear(dst.Bytes())
		return 0, nil
	}
	n, err := d.read(ctx, dst, s.axes)
	if err != nil {
		return 0, s.fault(part, err)
	}
	return n, nil
}

// fault names the file and the dataset that an error is about.
func (s *source) fault(part string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("hdf5: %s: %s: %w", s.f.Name(), part, err)
}

// byRows is a source of which any rows of a chunk can be read alone, since nothing is packed.
type byRows struct{ *source }

// Grain is the rows of r, whole.
func (s byRows) Grain(r lazy.Region) lazy.Region {
	cell := lazy.Cell(r.Min, s.meta.Chunk).Intersect(s.meta.Shape.Whole())
	return r.With(lazy.X, cell.Min[lazy.X], cell.Max[lazy.X])
}

// array is the array of a source.
func (s *source) array() lazy.Array {
	if s.rows {
		return lazy.FromSource(byRows{s})
	}
	return lazy.FromSource(s)
}

// cells is the shape of the chunks of a dataset over the axes, and how its voxels lie in one: neighbours
// along an axis are stride apart.
func (d *dataset) cells(axes loaders.Axes) (chunk lazy.Shape, stride lazy.Index) {
	chunk = lazy.Shape{1, 1, 1, 1, 1}
	n := 1
	for i := len(axes) - 1; i >= 0; i-- {
		length := 0
		if d.class == chunked {
			length = d.chunk[i]
		} else {
			length = int(d.dims[i])
		}
		chunk[axes[i]], stride[axes[i]] = length, n
		n *= length
	}
	return chunk, stride
}

// raw reports whether voxels lie in the file as they do in memory, in rows along X.
func (d *dataset) raw(axes loaders.Axes) bool {
	if d.class == compact || len(d.filters) > 0 || !d.element.plain || len(axes) == 0 {
		return false
	}
	for i := 1; i < len(axes); i++ {
		if axes[i] < axes[i-1] {
			return false
		}
	}
	return true
}

// read fills dst. Axes that are none of the dataset's are ignored: dst has one voxel along them.
func (d *dataset) read(ctx context.Context, dst *lazy.Block, axes loaders.Axes) (int64, error) {
	chunk, stride := d.cells(axes)
	total := int64(0)
	for cell := range dst.Region.Tiles(chunk) {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		// The tiles are cut to the region; what they are cut from is the chunk.
		whole := lazy.Cell(cell.Min, chunk)
		n, err := d.readCell(ctx, dst, cell.Intersect(dst.Region), whole, stride, axes)
		if total += n; err != nil {
			index := make([]string, len(axes))
			for i, a := range axes {
				index[i] = fmt.Sprint(whole.Min[a] / chunk[a])
			}
			if len(index) > 0 && ctx.Err() == nil {
				err = fmt.Errorf("chunk %s: %w", strings.Join(index, "/"), err)
			}
			return total, err
		}
	}
	return total, nil
}

// readCell fills the part of dst that lies in one chunk.
func (d *dataset) readCell(ctx context.Context, dst *lazy.Block, part, whole lazy.Region, stride lazy.Index, axes loaders.Axes) (int64, error) {
	at := loaders.Strided{Origin: whole.Min, Stride: stride}
	s, err := d.locate(ctx, whole, axes)
	switch {
	case err != nil:
		return 0, err
	case d.class == compact:
		d.loadDecoded(dst, part, at, append([]byte(nil), d.data...))
		return 0, nil
	case s.at == undefined:
		fillPart(dst, part, d.fill)
		return 0, nil
	case d.raw(axes):
		return d.readRows(ctx, dst, part, at, s)
	}
	n := d.size()
	mask := s.mask
	if d.rawEdges && d.edge(whole, axes) {
		mask = ^uint32(0)
	}
	if s.n > uint64(roomFor(n)) {
		return 0, damaged("%d bytes, its voxels take %d", s.n, n)
	}
	off, err := d.f.place(s.at, s.n)
	if err != nil {
		return 0, err
	}
	packed := buffers.Get().(*[]byte)
	defer buffers.Put(packed)
	src := sized(packed, int(s.n))
	if err := d.f.ReadAt(ctx, src, off); err != nil {
		return 0, err
	}
	e := d.element
	if dst.Region == whole && part == whole && at.Dense(whole) && e.size == dst.DType.Size() {
		p := dst.Bytes()
		if err := d.unpack(p, src, mask); err != nil {
			return 0, fmt.Errorf("%w: %w", err, loaders.ErrDamaged)
		}
		if !e.plain {
			e.decode(p, p)
		}
		return int64(s.n), nil
	}
	room := buffers.Get().(*[]byte)
	defer buffers.Put(room)
	p := sized(room, n)
	if err := d.unpack(p, src, mask); err != nil {
		return 0, fmt.Errorf("%w: %w", err, loaders.ErrDamaged)
	}
	d.loadDecoded(dst, part, at, p)
	return int64(s.n), nil
}

// loadDecoded puts the stored voxels of a chunk into their places. p may be changed.
func (d *dataset) loadDecoded(dst *lazy.Block, part lazy.Region, at loaders.Strided, p []byte) {
	e := d.element
	if !e.plain {
		to := p
		if e.size != dst.DType.Size() {
			wide := buffers.Get().(*[]byte)
			defer buffers.Put(wide)
			to = sized(wide, len(p)/e.size*dst.DType.Size())
		}
		e.decode(to, p[:len(p)/e.size*e.size])
		p = to
	}
	at.Load(dst, part, p)
}

// locate finds a chunk in the file; a contiguous dataset is one chunk.
func (d *dataset) locate(ctx context.Context, whole lazy.Region, axes loaders.Axes) (stored, error) {
	if d.class != chunked {
		if !d.raw(axes) && whole.Voxels() > maxChunk/max(8, d.element.size) {
			return absent, unsupported("more than 2 GiB in one piece")
		}
		return stored{at: d.place, n: uint64(d.size())}, nil
	}
	cell := make([]uint64, len(axes))
	for i, a := range axes {
		cell[i] = uint64(whole.Min[a] / d.chunk[i])
	}
	return d.index.find(ctx, cell)
}

// edge reports whether a chunk reaches beyond the dataset.
func (d *dataset) edge(whole lazy.Region, axes loaders.Axes) bool {
	for i, a := range axes {
		if int64(whole.Max[a]) > d.dims[i] {
			return true
		}
	}
	return false
}

// readRows reads runs of voxels that lie in one piece in the file, and nothing between them.
func (d *dataset) readRows(ctx context.Context, dst *lazy.Block, part lazy.Region, at loaders.Strided, s stored) (int64, error) {
	size := d.element.size
	if d.class == chunked && s.n != uint64(d.size()) {
		return 0, damaged("%d bytes, its voxels take %d", s.n, d.size())
	}
	total := int64(0)
	for piece := range loaders.Pieces(part, at.Run(part)) {
		from := 0
		for a := range lazy.Rank {
			from += (piece.Min[a] - at.Origin[a]) * at.Stride[a]
		}
		n := piece.Voxels() * size
		off, err := d.f.place(s.at, uint64(from)*uint64(size)+uint64(n))
		if err != nil {
			return total, err
		}
		off += int64(from) * int64(size)
		if dst.Region == part {
			to := dst.Offset(piece.Min) * size
			err = d.f.ReadAt(ctx, dst.Bytes()[to:to+n], off)
		} else {
			room := buffers.Get().(*[]byte)
			p := sized(room, n)
			if err = d.f.ReadAt(ctx, p, off); err == nil {
				loaders.Strided{Origin: piece.Min, Stride: at.Stride}.Load(dst, piece, p)
			}
			buffers.Put(room)
		}
		if err != nil {
			return total, err
		}
		total += int64(n)
	}
	return total, nil
}

// fillPart writes the fill value to a part of a block.
func fillPart(dst *lazy.Block, part lazy.Region, fill []byte) {
	for row := range loaders.Pieces(part, lazy.Shape{1, 1, 1, 1, part.Len(lazy.X)}) {
		at := dst.Offset(row.Min) * len(fill)
		p := dst.Bytes()[at : at+row.Voxels()*len(fill)]
		for n := copy(p, fill); n < len(p); n *= 2 {
			copy(p[n:], p[:n])
		}
	}
}

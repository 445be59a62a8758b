package zarr

import (
	"context"
	"fmt"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// slabs is a source of chunks that Blosc packed in blocks, each for itself. A chunk is read in slabs along the axis that
// is slowest in it: of each object only the blocks that hold the slab.
type slabs struct {
	*source
	slow lazy.Axis
	n    int // slabs of a chunk
}

// leastSlab is the least that is worth a read of its own, in bytes.
const leastSlab = 64 << 10

// slabs divides the chunks of a source by the blocks of a chunk that is stored. It gives false where they cannot be
// divided, no chunk is found that says how large its blocks are, or a read costs a request: then whole chunks are read.
func (o *opening) slabs(ctx context.Context, s *source) (slabs, bool) {
	size := s.element.Size
	if len(s.steps.steps) != 1 || !s.steps.steps[0].blocks || !s.element.Plain() || size != s.meta.DType.Size() ||
		s.voxels*size < 2*leastSlab || store.Far(o.store) {
		return slabs{}, false
	}
	p := slabs{source: s}
	for a := range lazy.Rank {
		if s.meta.Chunk[a] > 1 && (s.meta.Chunk[p.slow] == 1 || s.stride[a] > s.stride[p.slow]) {
			p.slow = lazy.Axis(a)
		}
	}
	block := max(leastSlab, s.blockBytes(ctx))
	for whole, layers := s.meta.Chunk[p.slow], 1; layers < whole; layers++ {
		if whole%layers == 0 && layers*s.stride[p.slow]*size >= block {
			p.n = whole / layers
			return p, true
		}
	}
	return slabs{}, false
}

// blockBytes is how much is packed at a time in the chunk in the middle of the array or the one at its corner, whichever
// is stored; all of a chunk if neither is. Other chunks may have other blocks: they are read just as well, if not as fast.
func (s *source) blockBytes(ctx context.Context) int {
	var middle lazy.Index
	for a, n := range s.meta.Shape {
		middle[a] = n / 2
	}
	for _, at := range []lazy.Index{middle, {}} {
		f, span, ok, err := s.locate(ctx, at)
		if err != nil || !ok {
			continue
		}
		head := make([]byte, min(span.size, codec.BloscHead))
		err = f.ReadAt(ctx, head, span.at)
		f.Close()
		if h, bad := codec.ParseBloscHead(head, int(span.size)); err == nil && bad == nil {
			return h.Block
		}
	}
	return s.voxels * s.element.Size // so that the chunk stays whole
}

// Parts implements lazy.Divider.
func (p slabs) Parts() (lazy.Axis, int) { return p.slow, p.n }

// Read decodes the slabs of one chunk that dst spans.
func (p slabs) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	r := dst.Region
	f, at, ok, err := p.locate(ctx, r.Min)
	if err != nil {
		return 0, err
	}
	if !ok {
		fillWith(dst.Bytes(), p.fill)
		return 0, nil
	}
	defer f.Close()
	total := p.voxels * p.element.Size
	if at.size > int64(roomFor(total)) {
		return 0, p.fault(r.Min, fmt.Errorf("%d bytes, its voxels take %d: %w", at.size, total, loaders.ErrDamaged))
	}
	cell := lazy.Cell(r.Min, p.meta.Chunk)
	slab := cell.With(p.slow, r.Min[p.slow], r.Max[p.slow]) // beyond the shape as far as the chunk
	layer := p.stride[p.slow] * p.element.Size
	off, n := (slab.Min[p.slow]-cell.Min[p.slow])*layer, slab.Len(p.slow)*layer

	packed := buffers.Get().(*[]byte)
	defer buffers.Put(packed)
	src := sized(packed, int(at.size))
	head := src[:min(len(src), codec.BloscHead)]
	if err := f.ReadAt(ctx, head, at.at); err != nil {
		return 0, p.fault(r.Min, err)
	}
	from, to, err := codec.BloscSpan(head, len(src), off, n, total)
	if err != nil {
		return 0, p.damaged(r.Min, err)
	}
	read := len(head)
	if begin := max(from, len(head)); begin < to {
		if err := f.ReadAt(ctx, src[begin:to], at.at+int64(begin)); err != nil {
			return 0, p.fault(r.Min, err)
		}
		read += to - begin
	}
	if err := p.unpack(dst, slab, src[:max(to, len(head))], int(at.size), off); err != nil {
		return 0, p.damaged(r.Min, err)
	}
	return int64(read), nil
}

// unpack decodes a slab of a chunk, which begins off bytes into it, and puts into dst what of it lies within the shape.
func (p slabs) unpack(dst *lazy.Block, slab lazy.Region, src []byte, size, off int) error {
	place := loaders.Strided{Origin: slab.Min, Stride: p.stride}
	total := p.voxels * p.element.Size
	if dst.Region == slab && place.Dense(slab) {
		return codec.BloscRange(dst.Bytes(), src, size, off, total)
	}
	stored := buffers.Get().(*[]byte)
	defer buffers.Put(stored)
	b := sized(stored, slab.Voxels()*p.element.Size)
	if err := codec.BloscRange(b, src, size, off, total); err != nil {
		return err
	}
	place.Load(dst, dst.Region, b)
	return nil
}

func (p slabs) damaged(i lazy.Index, err error) error {
	return p.fault(i, fmt.Errorf("%w: %w", err, loaders.ErrDamaged))
}

package tiff

import (
	"context"
	"errors"
	"fmt"

	"lamella/lazy"
	"lamella/loaders/store"
)

// A source is the voxels of one stack. Its chunks are strips or tiles, several of them where they
// are small; its grain is one strip or tile, or some rows if the file is not compressed.
type source struct {
	stack *stack
	meta  lazy.Meta
	id    string
	unit  int // rows of a grain
}

const (
	// chunkBytes is the size that chunks of small strips or tiles, or of rows, are brought to: large
	// enough to be worth a task, small enough that a plane gives work to several cores.
	chunkBytes = 1 << 20

	// pageBytes is the least that storage and the system's cache read at a time.
	pageBytes = 4 << 10
)

// newSource is the source of s; scale, unit and origin are those of meta.
func newSource(s *stack, meta lazy.Meta, id string) *source {
	l := s.layout
	meta.DType = l.dtype()
	meta.Shape = lazy.Shape{s.t, s.z, s.c * l.samples, l.height, l.width}
	meta.Chunk = lazy.Shape{1, 1, l.segSamples(), 1, l.segW}
	row := max(1, l.segW*l.segSamples()*meta.DType.Size())
	unit := l.segH
	if l.compression == rawData {
		unit = min(l.segH, max(1, pageBytes/row))
		if !l.tiled {
			unit = min(l.height, max(1, pageBytes/row))
		}
	}
	step := unit
	if l.tiled {
		step = l.segH
		n := max(1, min(l.across(), 512/l.segW))
		meta.Chunk[lazy.X] *= n
		row *= n
	}
	meta.Chunk[lazy.Y] = step * max(1, chunkBytes/(row*step))
	meta.Chunk[lazy.Y] = min(meta.Chunk[lazy.Y], l.height)
	meta.Chunk[lazy.X] = min(meta.Chunk[lazy.X], l.width)
	return &source{stack: s, meta: meta, id: id, unit: unit}
}

func (s *source) Meta() lazy.Meta { return s.meta }
func (s *source) ID() string      { return s.id }

// Files are the names of the files that the voxels lie in: several for an OME-TIFF set.
func (s *source) Files() []string { return s.stack.set.names() }

// Grain widens r to whole strips or tiles, or rows of uncompressed pixels, within its chunk.
func (s *source) Grain(r lazy.Region) lazy.Region {
	cell := lazy.Cell(r.Min, s.meta.Chunk).Intersect(s.meta.Shape.Whole())
	g := cell
	g.Min[lazy.T], g.Max[lazy.T] = r.Min[lazy.T], r.Max[lazy.T]
	g.Min[lazy.Z], g.Max[lazy.Z] = r.Min[lazy.Z], r.Max[lazy.Z]
	g.Min[lazy.Y] = r.Min[lazy.Y] / s.unit * s.unit
	g.Max[lazy.Y] = (r.Max[lazy.Y] + s.unit - 1) / s.unit * s.unit
	if l := s.stack.layout; l.tiled {
		g.Min[lazy.X] = r.Min[lazy.X] / l.segW * l.segW
		g.Max[lazy.X] = (r.Max[lazy.X] + l.segW - 1) / l.segW * l.segW
	}
	return g.Intersect(cell)
}

// Stored is the length of the strips or tiles of r in the file, or of its rows if they are not
// compressed; -1 if their index has not been read yet.
func (s *source) Stored(r lazy.Region) int64 {
	sum := int64(0)
	for c := r.Min[lazy.C] / s.stack.layout.samples; c*s.stack.layout.samples < r.Max[lazy.C]; c++ {
		for t := r.Min[lazy.T]; t < r.Max[lazy.T]; t++ {
			for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
				n := s.storedPlane(t, z, c, r)
				if n < 0 {
					return -1
				}
				sum += n
			}
		}
	}
	return sum
}

func (s *source) storedPlane(t, z, c int, r lazy.Region) int64 {
	n := t*s.stack.step[0] + z*s.stack.step[1] + c*s.stack.step[2]
	if s.stack.stride != 0 {
		n = 0
	}
	p := s.stack.planes[n]
	if p.file == absent {
		return 0
	}
	f := s.stack.set.members[p.file].read.Load()
	if f == nil || p.page == nil {
		return -1
	}
	sum := int64(0)
	for b := range bands(p.page.layout, c*p.page.layout.samples, r) {
		n := int64(b.rows()) * int64(b.layout.rowBytes())
		if b.layout.compression != rawData {
			if p.page.index.Load() == nil && !p.page.offsets.inline {
				return -1
			}
			at, err := f.find(context.Background(), p.page, b.seg, 0)
			if err != nil {
				return -1
			}
			n = at.len
		}
		sum += n
	}
	return sum
}

// Read fills dst plane by plane. Planes that are missing stay zero.
func (s *source) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	r, stored := dst.Region, int64(0)
	samples := s.stack.layout.samples
	for t := r.Min[lazy.T]; t < r.Max[lazy.T]; t++ {
		for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
			for c := r.Min[lazy.C] / samples; c*samples < r.Max[lazy.C]; c++ {
				f, p, skip, err := s.stack.at(ctx, t, z, c)
				if err == nil && p == nil {
					lazy.ClearRegion(dst, lazy.At(lazy.Index{t, z, c * samples, r.Min[lazy.Y], r.Min[lazy.X]},
						lazy.Shape{1, 1, samples, r.Len(lazy.Y), r.Len(lazy.X)}))
				}
				if err == nil && p != nil {
					var n int64
					n, err = f.readPlane(ctx, p, skip, dst, t, z, c*samples)
					stored += n
				}
				if err != nil {
					if ctx.Err() != nil {
						return stored, ctx.Err()
					}
					if errors.Is(err, store.ErrClosed) {
						return stored, fmt.Errorf("tiff: reading t %d, z %d, c %d: the file was closed: %w", t, z, c, err)
					}
					name := s.stack.set.members[0].file.Name()
					return stored, fmt.Errorf("tiff: %s: t %d, z %d, c %d: %w", name, t, z, c*samples, err)
				}
			}
		}
	}
	return stored, nil
}

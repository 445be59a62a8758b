package tiff

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/loaders"
)

// assemble makes the dataset: axes in their places, a source for every level, channels as shown.
func assemble(ctx context.Context, in loaders.Input, s *set, t *file, r *reader, found []*series) (lazy.Dataset, error) {
	d := lazy.Dataset{Source: in.Path, Format: "tiff", Close: s.close}
	id := s.id()
	for i, one := range found {
		image, err := one.image(in.Axes, s, fmt.Sprintf("%s|series %d", id, i))
		if err != nil {
			return d, fmt.Errorf("image %d: %w", i, err)
		}
		one.colours(ctx, t, r, &image)
		image.Metadata = t.said.List()
		d.Images = append(d.Images, image)
	}
	if len(s.members) > 1 {
		d.Files = s.names()
	}
	d.Lazy.By, d.Lazy.Note = found[0].layout(0).lazyBy()
	d.Warnings = t.warnings
	return d, nil
}

// id names the voxels of all files of the set.
func (s *set) id() string {
	if len(s.members) == 1 {
		return s.members[0].file.ID()
	}
	h := sha256.New()
	for _, m := range s.members {
		fmt.Fprintf(h, "%q", m.file.ID())
	}
	return fmt.Sprintf("%s|set %x", s.members[0].file.ID(), h.Sum(nil)[:16])
}

// image settles the axes of a series.
func (s *series) image(order string, files *set, id string) (lazy.Image, error) {
	a, err := arrange(s.dims, order)
	if err != nil {
		return lazy.Image{}, err
	}
	image := lazy.Image{Name: s.name, Order: a.order(), Assumed: a.assumed, Recipe: s.recipe, RGB: s.layout(0).colour() && !s.separate}
	top := s.layout(0)
	for n, planes := range s.levels {
		l := s.layout(n)
		if l == nil {
			break
		}
		st := &stack{set: files, layout: l, t: a.n[0], z: a.n[1], c: a.n[2], step: a.step, planes: planes, stride: s.stride}
		if err := st.plausible(); err != nil {
			if n > 0 {
				break
			}
			return lazy.Image{}, err
		}
		src := newSource(st, s.metaAt(top, l), fmt.Sprintf("%s|level %d|%v", id, n, a.step))
		image.Levels = append(image.Levels, lazy.Level{Array: lazy.FromSource(src), Codec: compressionName(l.compression)})
	}
	return image, nil
}

// metaAt is the geometry of a level: its voxels are larger, and the centre of the first one lies
// half the difference further in.
func (s *series) metaAt(top, l *layout) lazy.Meta {
	m := s.meta
	for a, n := range map[lazy.Axis][2]int{lazy.Y: {top.height, l.height}, lazy.X: {top.width, l.width}} {
		f := float64(n[0]) / float64(n[1])
		if k := math.Round(f); k >= 1 && math.Abs(float64(n[0])/k-float64(n[1])) < 1 {
			f = k // 75 pixels of 150 or 149: by two, the last one cut or filled up
		}
		m.Origin[a] += (f - 1) / 2 * m.Scale[a]
		m.Scale[a] *= f
	}
	return m
}

// plausible says why the first strip or tile of the stack cannot hold what the directory claims. It
// keeps a small file from asking for much memory.
func (s *stack) plausible() error {
	p := s.planes[0]
	if p.page == nil {
		return nil
	}
	f := s.set.members[p.file].read.Load()
	l := p.page.layout
	if f == nil || l.compression != rawData && p.page.index.Load() == nil && !p.page.offsets.inline {
		return nil
	}
	if l.compression == rawData {
		// Of a file that was cut short, what is left can be shown: one row at the least.
		if row := int64(l.rowBytes()); row > f.Size() {
			return fmt.Errorf("rows of %d bytes in a file of %d: %w", row, f.Size(), loaders.ErrDamaged)
		}
		return nil
	}
	at, err := f.find(context.Background(), p.page, 0, 0)
	if err != nil || at.len == 0 {
		return nil // the read will say so
	}
	if n := int64(l.rowsIn(0)) * int64(l.rowBytes()); n > at.len*mostly(l.compression)+1<<16 {
		return fmt.Errorf("a %s of %d bytes cannot hold %d bytes in %s: %w", l.segment(), at.len, n, compressionName(l.compression), loaders.ErrDamaged)
	}
	return nil
}

// mostly is more than a compression can shrink anything by.
func mostly(compression uint16) int64 {
	switch compression {
	case deflate, oldDeflate:
		return 1040
	case lzw:
		return 3000
	case packBits:
		return 65
	}
	return 1 << 20
}

// lazyBy says how little can be read at a time.
func (l *layout) lazyBy() (by, note string) {
	switch {
	case l.tiled:
		return "chunk", ""
	case l.compression == rawData:
		return "strip", "not compressed: any rows of a plane can be read"
	case l.down() == 1:
		return "plane", "each plane is one compressed strip"
	}
	return "strip", ""
}

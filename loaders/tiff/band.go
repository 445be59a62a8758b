package tiff

import (
	"context"
	"fmt"
	"iter"
	"unsafe"

	"lamella/lazy"
)

// A band is the part of one strip or tile that a region wants: some rows and columns of some
// samples. All numbers count from the first pixel of the plane.
type band struct {
	layout         *layout
	seg            int // number of the strip or tile in its page
	top, left      int // of the strip or tile
	y0, y1, x0, x1 int // wanted
	c0, c1         int // wanted channels of the image
	s0             int // sample of the strip or tile that channel c0 is
}

func (b band) rows() int { return b.y1 - b.y0 }

// bands cuts region r of a plane, whose first sample is channel first of the image, into bands.
func bands(l *layout, first int, r lazy.Region) iter.Seq[band] {
	c0, c1 := max(r.Min[lazy.C], first), min(r.Max[lazy.C], first+l.samples)
	per := l.across() * l.down()
	return func(yield func(band) bool) {
		cut := func(b band, plane int) bool {
			for row := r.Min[lazy.Y] / l.segH; row*l.segH < r.Max[lazy.Y]; row++ {
				for col := r.Min[lazy.X] / l.segW; col*l.segW < r.Max[lazy.X]; col++ {
					b.seg = plane*per + row*l.across() + col
					b.top, b.left = row*l.segH, col*l.segW
					b.y0, b.y1 = max(r.Min[lazy.Y], b.top), min(r.Max[lazy.Y], b.top+l.segH)
					b.x0, b.x1 = max(r.Min[lazy.X], b.left), min(r.Max[lazy.X], b.left+l.segW)
					if !yield(b) {
						return false
					}
				}
			}
			return true
		}
		if !l.planar {
			cut(band{layout: l, c0: c0, c1: c1, s0: c0 - first}, 0)
			return
		}
		for c := c0; c < c1; c++ {
			if !cut(band{layout: l, c0: c, c1: c + 1}, c-first) {
				return
			}
		}
	}
}

// readPlane fills the part of dst at one time point (frame) and z, and the channels from first on. It
// gives the number of bytes that it fetched.
func (t *file) readPlane(ctx context.Context, p *page, skip int64, dst *lazy.Block, frame, z, first int) (int64, error) {
	tables, err := t.readTables(ctx, p)
	if err != nil {
		return 0, err
	}
	w := benches.Get().(*bench)
	defer benches.Put(w)
	direct := run{size: dst.DType.Size(), order: p.layout.order()}
	stored := int64(0)
	for b := range bands(p.layout, first, dst.Region) {
		at, err := t.find(ctx, p, b.seg, skip)
		switch {
		case err != nil:
		case at.len == 0: // sparse: nothing is stored for zeros
			lazy.ClearRegion(dst, lazy.Region{Min: lazy.Index{frame, z, b.c0, b.y0, b.x0}, Max: lazy.Index{frame + 1, z + 1, b.c1, b.y1, b.x1}})
		default:
			if b.straight(dst) {
				var to []byte
				if at, to, err = b.part(at, dst, frame, z); err == nil {
					err = direct.add(ctx, t.File, at, to)
				}
			} else {
				at, err = t.readBand(ctx, w, b, at, tables, dst, frame, z)
			}
		}
		if err != nil {
			return stored, fmt.Errorf("%s %d: %w", p.layout.segment(), b.seg, err)
		}
		stored += at.len
	}
	return stored, direct.flush(ctx, t.File)
}

// readTables gives what JPEG streams of the page share.
func (t *file) readTables(ctx context.Context, p *page) ([]byte, error) {
	if p.layout.compression != newJPEG || p.tables.len == 0 {
		return nil, nil
	}
	at, err := t.within(place(p.tables))
	if err != nil || at.len > 1<<20 {
		return nil, fmt.Errorf("JPEG tables: %w", err)
	}
	tables := make([]byte, at.len)
	return tables, t.ReadAt(ctx, tables, at.off)
}

// readBand decodes one strip or tile, or only the rows wanted if it is not compressed.
func (t *file) readBand(ctx context.Context, w *bench, b band, at place, tables []byte, dst *lazy.Block, frame, z int) (place, error) {
	l, rows := b.layout, b.layout.rowsIn(b.seg%(b.layout.across()*b.layout.down()))
	top := b.top
	if l.compression == rawData {
		var err error
		if at, err = b.rawRows(at); err != nil {
			return at, err
		}
		top, rows = b.y0, b.rows()
	}
	stored := room(&w.stored, int(at.len))
	if err := t.ReadAt(ctx, stored, at.off); err != nil {
		return at, err
	}
	values, err := w.samples(l, stored, rows, tables)
	if err != nil {
		return at, err
	}
	to := lazy.Index{frame, z, b.c0, b.y0, b.x0}
	from := ((b.y0-top)*l.segW+b.x0-b.left)*l.segSamples() + b.s0
	switch dst.DType.Size() {
	case 1:
		scatter[uint8](dst, to, b, values, from)
	case 2:
		scatter[uint16](dst, to, b, values, from)
	case 4:
		scatter[uint32](dst, to, b, values, from)
	case 8:
		scatter[uint64](dst, to, b, values, from)
	}
	return at, nil
}

// scatter copies the band's samples from their place in a strip or tile to their channels.
func scatter[E uint8 | uint16 | uint32 | uint64](dst *lazy.Block, to lazy.Index, b band, values []byte, from int) {
	all := unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(dst.Bytes()))), dst.Len())
	size := int(unsafe.Sizeof(all[0]))
	src := unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(values))), len(values)/size)
	n, step := b.x1-b.x0, b.layout.segSamples()
	for y := b.y0; y < b.y1; y++ {
		to[lazy.Y] = y
		for c := b.c0; c < b.c1; c++ {
			to[lazy.C] = c
			out := all[dst.Offset(to):][:n]
			in := src[from+(y-b.y0)*b.layout.segW*step+c-b.c0:]
			if step == 1 {
				copy(out, in)
				continue
			}
			for x := range out {
				out[x] = in[x*step]
			}
		}
	}
}

package tiff

import (
	"context"
	"fmt"
	"math"

	"lamella/loaders"
)

// An index is where the strips or tiles of one page lie. It is read with the first voxel of the
// page, not with the directory, since a stack of 10,000 pages may have a million strips.
type index struct {
	offsets, counts []uint64
}

// maxSegments bounds an index: a million by a million pixels in tiles of 64.
const maxSegments = 1 << 28

// index reads the index of p, once. Two goroutines may both read it; either result is kept.
func (t *file) index(ctx context.Context, p *page) (*index, error) {
	if x := p.index.Load(); x != nil {
		return x, nil
	}
	n := p.layout.segments()
	if n > maxSegments {
		return nil, fmt.Errorf("%d %ss in one page: %w", n, p.layout.segment(), loaders.ErrUnsupported)
	}
	x := &index{}
	var err error
	if x.offsets, err = t.table(ctx, p.offsets, n); err != nil {
		return nil, err
	}
	if p.counts.count > 0 {
		if x.counts, err = t.table(ctx, p.counts, n); err != nil {
			return nil, err
		}
	}
	p.index.Store(x)
	return x, nil
}

// table reads n integers of a tag.
func (t *file) table(ctx context.Context, e entry, n int) ([]uint64, error) {
	raw := e.field[:]
	if !e.inline {
		size := int64(n) * int64(e.valueSize())
		if e.where < 0 || e.where > t.Size() || size > t.Size()-e.where {
			return nil, fmt.Errorf("tag %d: %d bytes at %d lie beyond the end at %d: %w", e.tag, size, e.where, t.Size(), loaders.ErrDamaged)
		}
		raw = make([]byte, size)
		if err := t.ReadAt(ctx, raw, e.where); err != nil {
			return nil, err
		}
	}
	v := make([]uint64, n)
	for i := range v {
		v[i] = integerAt(t.order, raw[i*e.valueSize():], e.kind)
	}
	return v, nil
}

// preload keeps the index of p when the buffers of r hold it already, or if it is short.
func (r *reader) preload(ctx context.Context, p *page, patient bool) {
	if p.bad != nil || p.offsets.inline && (p.counts.inline || p.counts.count == 0) {
		return
	}
	n := p.layout.segments()
	x := &index{}
	for _, t := range []struct {
		e  entry
		to *[]uint64
	}{{p.offsets, &x.offsets}, {p.counts, &x.counts}} {
		if t.e.count == 0 {
			continue
		}
		held := t.e.inline || r.near.holds(t.e.where, n*t.e.valueSize()) || r.far.holds(t.e.where, n*t.e.valueSize())
		if !held && (!patient || n > 1<<16) {
			return
		}
		v, err := r.integers(ctx, t.e, n)
		if err != nil || len(v) < n {
			return // the first read of a voxel will say so
		}
		*t.to = v
	}
	p.index.Store(x)
}

// A place is where the bytes of one strip or tile lie; length 0 stands for zeros that were not stored.
type place struct {
	off, len int64
}

// find is the place of strip or tile number seg of p, moved on by skip bytes.
func (t *file) find(ctx context.Context, p *page, seg int, skip int64) (place, error) {
	l := p.layout
	if l.compression == oldJPEG {
		return t.within(place(p.tables))
	}
	var off, n uint64
	known := p.counts.count > 0
	if p.offsets.inline && (p.counts.inline || !known) {
		off = integerAt(t.order, p.offsets.field[seg*p.offsets.valueSize():], p.offsets.kind)
		if known {
			n = integerAt(t.order, p.counts.field[seg*p.counts.valueSize():], p.counts.kind)
		}
	} else {
		x, err := t.index(ctx, p)
		if err != nil {
			return place{}, err
		}
		off = x.offsets[seg]
		if known {
			n = x.counts[seg]
		}
	}
	need := int64(l.rowsIn(seg%(l.across()*l.down()))) * int64(l.rowBytes())
	switch {
	case off == 0 || known && n == 0 && l.compression != rawData:
		return place{}, nil
	case off > math.MaxInt64/2 || n > math.MaxInt64/2:
		return place{}, fmt.Errorf("%s %d at %d: %w", l.segment(), seg, off, loaders.ErrDamaged)
	case l.compression == rawData && (n == 0 || n > uint64(need)):
		n = uint64(need) // some writers leave the length out or count the padding
	case n == 0:
		// Nothing says where it ends: no codec makes data twice as long as they were.
		n = uint64(min(t.Size()-int64(off)-skip, 2*need+1<<16))
	}
	return t.within(place{int64(off) + skip, int64(n)})
}

func (t *file) within(at place) (place, error) {
	if at.off < 8 || at.len < 0 || at.off > t.Size() || at.len > t.Size()-at.off {
		return place{}, fmt.Errorf("%d bytes at %d lie beyond the end at %d, the file is cut short: %w", at.len, at.off, t.Size(), loaders.ErrDamaged)
	}
	return at, nil
}

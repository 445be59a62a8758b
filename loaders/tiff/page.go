package tiff

import (
	"context"
	"fmt"
	"sync/atomic"

	"lamella/loaders"
)

// A page is one directory: where the pixels are and how they are stored.
type page struct {
	layout  *layout // shared by all pages that are stored alike
	bad     error   // why the page cannot be read; nil if it can
	at      int64   // of its directory
	kind    uint32  // NewSubfileType: bit 0 a reduced image, bit 2 a mask
	offsets entry   // of strips or tiles
	counts  entry   // lengths of them; count 0 if the file does not say
	tables  extent  // JPEG tables, or all of an old-style JPEG
	subs    []int64 // directories of its SubIFDs
	index   atomic.Pointer[index]
}

// reduced reports whether the page is a smaller version of another one.
func (p *page) reduced() bool { return p.kind&1 != 0 }

// page makes a page of a directory's entries. What is wrong with it is kept in it, since the other
// pages of the file may be sound.
func (r *reader) page(ctx context.Context, at int64, entries []entry) *page {
	p := &page{at: at}
	l := layout{samples: 1, bits: 1, compression: rawData, photometric: minIsBlack, predictor: 1,
		subX: 1, subY: 1, big: r.order.Uint16([]byte{0, 1}) == 1}
	err := r.fill(ctx, p, &l, entries)
	if err == nil {
		err = l.check()
	}
	if err == nil {
		err = p.checkTables(&l, r.file.Size())
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		p.bad = err
		return p
	}
	if p.layout = r.known[l]; p.layout == nil {
		p.layout = &l
		r.known[l] = &l
	}
	return p
}

// fill reads the tags that say where and how the pixels are stored.
func (r *reader) fill(ctx context.Context, p *page, l *layout, entries []entry) error {
	var subsampled bool
	var old [2]uint64
	for _, e := range entries {
		var v uint64
		var err error
		switch e.tag {
		case tagSubfileType, tagWidth, tagHeight, tagCompression, tagPhotometric, tagFillOrder, tagSamples, tagRowsPerStrip,
			tagPlanar, tagFaxOptions, tagPredictor, tagTileWidth, tagTileHeight, tagDepth, tagJPEGInterchange, tagJPEGLength:
			if v, err = r.integer(ctx, e); err != nil {
				return err
			}
			if v > 1<<32 {
				return fmt.Errorf("tag %d is %d: %w", e.tag, v, loaders.ErrDamaged)
			}
		}
		switch e.tag {
		case tagSubfileType:
			p.kind = uint32(v)
		case tagWidth:
			l.width = int(v)
		case tagHeight:
			l.height = int(v)
		case tagBits:
			v, err = r.same(ctx, e)
			l.bits = uint8(min(v, 255))
		case tagCompression:
			l.compression = uint16(v)
		case tagPhotometric:
			l.photometric = uint16(v)
		case tagFillOrder:
			l.reversed = v == 2
		case tagSamples:
			l.samples = int(v)
		case tagRowsPerStrip:
			if !l.tiled {
				l.segH = int(v)
			}
		case tagPlanar:
			l.planar = v == 2
		case tagFaxOptions:
			l.faxOptions = uint32(v)
		case tagPredictor:
			l.predictor = uint16(v)
		case tagTileWidth:
			l.tiled, l.segW = true, int(v)
		case tagTileHeight:
			l.tiled, l.segH = true, int(v)
		case tagStripOffsets, tagTileOffsets:
			p.offsets = e
		case tagStripCounts, tagTileCounts:
			p.counts = e
		case tagExtraSamples:
			var kinds []uint64
			kinds, err = r.integers(ctx, e, 64)
			for _, k := range kinds {
				l.extra += string(rune('0' + min(k, 9)))
			}
		case tagSampleFormat:
			v, err = r.same(ctx, e)
			l.format = uint16(v)
		case tagSubsampling:
			var sub []uint64
			if sub, err = r.integers(ctx, e, 2); err == nil && len(sub) == 2 {
				l.subX, l.subY, subsampled = uint8(min(sub[0], 255)), uint8(min(sub[1], 255)), true
			}
		case tagDepth:
			if v > 1 {
				return fmt.Errorf("pages of %d planes (ImageDepth): %w", v, loaders.ErrUnsupported)
			}
		case tagJPEGTables:
			p.tables = e.extent()
		case tagJPEGInterchange:
			old[0] = v
		case tagJPEGLength:
			old[1] = v
		case tagSubIFDs:
			var subs []uint64
			subs, err = r.integers(ctx, e, maxSubIFDs)
			for _, s := range subs {
				p.subs = append(p.subs, int64(s))
			}
		}
		if err != nil {
			return err
		}
	}
	if l.compression == oldJPEG {
		p.tables = extent{int64(old[0]), int64(old[1])}
		if left := r.file.Size() - p.tables.off; p.tables.off > 0 && (p.tables.len == 0 || p.tables.len > left) {
			p.tables.len = max(0, left) // the stream says itself where it ends
		}
	}
	l.settle(subsampled)
	return nil
}

// maxSubIFDs is more than any pyramid has levels.
const maxSubIFDs = 64

// settle gives what was left out its default, and ignores what does not apply.
func (l *layout) settle(subsampled bool) {
	if !l.tiled {
		l.segW = l.width
		if l.segH == 0 || l.segH > l.height {
			l.segH = l.height // RowsPerStrip is often 2^32 - 1
		}
	}
	if l.compression == oldJPEG { // one stream for the whole page, whatever the strips say
		l.tiled, l.planar, l.segW, l.segH = false, false, l.width, l.height
	}
	if l.samples == 1 {
		l.planar = false
	}
	if l.photometric == yCbCr && !subsampled {
		l.subX, l.subY = 2, 2
	} else if l.photometric != yCbCr {
		l.subX, l.subY = 1, 1
	}
	if l.compression == rawData && l.unitX() > 0 {
		l.compression = rawUnits
	}
	if l.predictor == 0 || !predicts(l.compression) {
		l.predictor = 1
	}
	if !isFax(l.compression) {
		l.faxOptions = 0
	}
}

// same is the one value that all samples must share.
func (r *reader) same(ctx context.Context, e entry) (uint64, error) {
	v, err := r.integers(ctx, e, 1<<15)
	if err != nil {
		return 0, err
	}
	if len(v) == 0 {
		return 0, fmt.Errorf("tag %d is empty: %w", e.tag, loaders.ErrDamaged)
	}
	for _, other := range v[1:] {
		if other != v[0] {
			return 0, fmt.Errorf("samples that differ in size or type (tag %d is %v): %w", e.tag, v[:min(len(v), 8)], loaders.ErrUnsupported)
		}
	}
	return v[0], nil
}

// checkTables says why the strips or tiles cannot all be found.
func (p *page) checkTables(l *layout, size int64) error {
	if l.compression == oldJPEG {
		if p.tables.len == 0 {
			return fmt.Errorf("old-style JPEG without a stream in one piece: %w; convert it, for example with tiffcp -c zip", loaders.ErrUnsupported)
		}
		return nil
	}
	n := uint64(l.segments())
	if p.offsets.count < n {
		return fmt.Errorf("offsets of %d %ss, but there are %d: %w", p.offsets.count, l.segment(), n, loaders.ErrDamaged)
	}
	if p.counts.count > 0 && p.counts.count < n {
		return fmt.Errorf("lengths of %d %ss, but there are %d: %w", p.counts.count, l.segment(), n, loaders.ErrDamaged)
	}
	for _, e := range []entry{p.offsets, p.counts} {
		if x := e.extent(); !e.inline && e.count > 0 && (x.off < 8 || x.off > size || x.len > size-x.off) {
			return fmt.Errorf("tag %d claims %d values at %d, but the file ends at %d: %w", e.tag, e.count, x.off, size, loaders.ErrDamaged)
		}
	}
	if !isInteger(p.offsets.kind) || p.counts.count > 0 && !isInteger(p.counts.kind) {
		return fmt.Errorf("offsets of type %d, lengths of type %d: %w", p.offsets.kind, p.counts.kind, loaders.ErrDamaged)
	}
	return nil
}

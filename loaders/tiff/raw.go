package tiff

import (
	"context"
	"encoding/binary"
	"fmt"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// straight reports whether the rows of the band stand in the file as they do in dst, but for the
// order of bytes.
func (b band) straight(dst *lazy.Block) bool {
	l := b.layout
	return l.compression == rawData && !l.reversed && l.segSamples() == 1 && int(l.bits) == 8*dst.DType.Size() &&
		b.x1-b.x0 == l.segW && dst.Region.Len(lazy.X) == l.segW && dst.Region.Len(lazy.T) == 1 && dst.Region.Len(lazy.Z) == 1
}

// rawRows is where the rows of the band lie in its uncompressed strip or tile.
func (b band) rawRows(at place) (place, error) {
	row := int64(b.layout.rowBytes())
	from, to := int64(b.y0-b.top)*row, int64(b.y1-b.top)*row
	if at.len < to {
		return at, fmt.Errorf("%d bytes instead of %d: %w", at.len, to, loaders.ErrDamaged)
	}
	return place{at.off + from, to - from}, nil
}

// part is where the rows of the band lie in the file and in dst.
func (b band) part(at place, dst *lazy.Block, frame, z int) (place, []byte, error) {
	at, err := b.rawRows(at)
	from := dst.Offset(lazy.Index{frame, z, b.c0, b.y0, b.x0}) * dst.DType.Size()
	return at, dst.Bytes()[from:][:b.rows()*b.layout.rowBytes()], err
}

// A run gathers reads that follow each other, both in the file and in memory, into one: strips are
// often a single row.
type run struct {
	at    place
	to    []byte
	size  int // of one value, which is turned from order into the machine's
	order binary.ByteOrder
}

func (r *run) add(ctx context.Context, f store.File, at place, to []byte) error {
	n := len(r.to)
	if n > 0 && at.off == r.at.off+r.at.len && n+len(to) <= cap(r.to) && &r.to[:n+1][n] == &to[0] {
		r.at.len += at.len
		r.to = r.to[:n+len(to)]
		return nil
	}
	err := r.flush(ctx, f)
	r.at, r.to = at, to
	return err
}

func (r *run) flush(ctx context.Context, f store.File) error {
	if len(r.to) == 0 {
		return nil
	}
	to := r.to
	r.to = nil
	if err := f.ReadAt(ctx, to, r.at.off); err != nil {
		return err
	}
	codec.Native(to, r.size, r.order)
	return nil
}

package mrc

import (
	"context"
	"fmt"
	"io"

	"lamella/loaders"
	"lamella/loaders/store"
)

// halves is a file of mode 101 as one of a byte a voxel. Each byte holds two voxels, the first in its lower four
// bits; every row begins with a byte of its own (IMOD, "MRC file format").
func halves(f store.File, offset, columns, rows int64) (store.File, error) {
	stored := (columns + 1) / 2
	if have := f.Size() - offset; have < 0 || have/stored < rows {
		return nil, fmt.Errorf("%d rows of %d voxels from byte %d on need more than the file's %d bytes: %w", rows, columns, offset, f.Size(), loaders.ErrDamaged)
	}
	return &halved{File: f, offset: offset, columns: columns, stored: stored, size: columns * rows}, nil
}

type halved struct {
	store.File
	offset, columns, stored, size int64
}

func (h *halved) Size() int64 { return h.size }
func (h *halved) ID() string  { return h.File.ID() + "|halves" }

// most is how much is read at a time.
const most = 1 << 20

func (h *halved) ReadAt(ctx context.Context, p []byte, off int64) error {
	if off < 0 || off > h.size || int64(len(p)) > h.size-off {
		return fmt.Errorf("mrc: %s: voxels %d to %d of %d: %w", h.Name(), off, off+int64(len(p)), h.size, io.ErrUnexpectedEOF)
	}
	buf := make([]byte, 0, min(most, int64(len(p))/2+2))
	for len(p) > 0 {
		// One row at a time, or as much of one as fits.
		row, x := off/h.columns, off%h.columns
		n := min(int64(len(p)), h.columns-x, 2*(int64(cap(buf))-1))
		from, to := x/2, (x+n-1)/2+1
		if err := h.File.ReadAt(ctx, buf[:to-from], h.offset+row*h.stored+from); err != nil {
			return err
		}
		for i := range n {
			b := buf[:to-from][(x+i)/2-from]
			if (x+i)%2 == 1 {
				b >>= 4
			}
			p[i] = b & 15
		}
		p, off = p[n:], off+n
	}
	return ctx.Err()
}

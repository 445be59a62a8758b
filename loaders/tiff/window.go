package tiff

import (
	"context"
	"fmt"
	"io"

	"lamella/loaders/store"
)

// A window reads the small things that lie scattered through a file by way of one buffer. Directories
// that follow each other are then had with a few large reads, and those with pixels between them
// with one small read each.
type window struct {
	file  store.File
	at    int64 // position of buf in the file
	buf   []byte
	ahead int // how much the next read fetches at least
}

const (
	leastAhead = 4 << 10
	mostAhead  = 256 << 10

	// maxValue bounds what a single tag may hold: the largest OME-XML seen is some tens of megabytes.
	maxValue = 256 << 20
)

// holds reports whether the next n bytes from off are in the buffer already.
func (w *window) holds(off int64, n int) bool {
	return off >= w.at && off-w.at <= int64(len(w.buf)-n)
}

// read gives n bytes from off on. They stay valid until the next read.
func (w *window) read(ctx context.Context, off int64, n int) ([]byte, error) {
	if w.holds(off, n) {
		return w.buf[off-w.at:][:n], nil
	}
	size := w.file.Size()
	if off < 0 || n < 0 || off > size || int64(n) > size-off {
		return nil, fmt.Errorf("%d bytes at %d lie beyond the end at %d: %w", n, off, size, io.ErrUnexpectedEOF)
	}
	if n > maxValue {
		return nil, fmt.Errorf("%d bytes at %d are more than a tag may hold", n, off)
	}
	follows := off >= w.at && off <= w.at+int64(len(w.buf))
	if w.ahead = min(2*w.ahead, mostAhead); !follows || w.ahead == 0 {
		w.ahead = leastAhead
	}
	want := int(min(int64(max(n, w.ahead)), size-off))
	if cap(w.buf) < want {
		w.buf = make([]byte, want)
	}
	w.buf, w.at = w.buf[:want], off
	if err := w.file.ReadAt(ctx, w.buf, off); err != nil {
		w.buf = w.buf[:0]
		return nil, err
	}
	return w.buf[:n], nil
}

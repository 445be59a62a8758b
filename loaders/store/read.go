package store

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// step is how much is read between two looks at the context.
const step = 1 << 20

// ReadFull fills p from off on, a megabyte at a time, and looks at ctx before each. A source that
// ends early gives io.ErrUnexpectedEOF.
func ReadFull(ctx context.Context, r io.ReaderAt, p []byte, off int64) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(p), step)
		got, err := r.ReadAt(p[:n], off)
		if got < n {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if p = p[n:]; len(p) == 0 {
			return nil
		}
		off += int64(n)
	}
}

// inside is an error unless n bytes from off on lie in what has size bytes.
func inside(name string, off int64, n int, size int64) error {
	if off >= 0 && off <= size && int64(n) <= size-off {
		return nil
	}
	return fmt.Errorf("store: %s: ends after %d bytes, and bytes %d to %d are needed: %w", name, size, off, off+int64(n), io.ErrUnexpectedEOF)
}

// ReaderAt lets libraries that know nothing of contexts read a File: archive/zip, io.SectionReader.
func ReaderAt(ctx context.Context, f File) io.ReaderAt { return readerAt{ctx, f} }

type readerAt struct {
	ctx  context.Context
	file File
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= r.file.Size() {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), r.file.Size()-off))
	if err := r.file.ReadAt(r.ctx, p[:n], off); err != nil {
		return 0, err
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// within runs what cannot be cancelled, such as a library that reads over the network, and leaves it behind
// when ctx ends: it comes to its end by itself, or when its file is closed.
func within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

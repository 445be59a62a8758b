package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// A Decoder opens the stream of what is packed in r.
type Decoder func(r io.Reader) (io.Reader, error)

// Unpacked is random access to the first size bytes of what is packed in f as one stream, which it closes
// with itself. A stream can be read only from its beginning, so it is unpacked once, as far as somebody
// reads, and what was unpacked is kept: small ones in memory, large ones in a file without a name in the
// system's folder for caches (see spools for the bounds). Whoever waits for it may be cancelled; the
// next reader goes on where the last one stopped. When the end is reached, the stream is read a little
// further, so that its checksum is looked at.
//
// size is a claim that the caller has held against what f can hold.
func Unpacked(f File, size int64, how string, open Decoder) File {
	return &stream{of: f, size: size, how: how, open: open, turn: make(chan struct{}, 1)}
}

type stream struct {
	of   File
	size int64
	how  string // names the packing, in messages and in the ID
	open Decoder

	turn chan struct{} // holds an element while someone unpacks

	// The rest belongs to the lock of spools.
	spool  *spool
	closed bool
}

const (
	// unpackStep is how much is unpacked between two looks at the context.
	unpackStep = 256 << 10

	// maxAfter is how far behind what was asked for the end of a stream is looked for.
	maxAfter = 16 << 20
)

func (s *stream) Name() string { return s.of.Name() }
func (s *stream) Size() int64  { return s.size }
func (s *stream) ID() string   { return fmt.Sprintf("%s|%s %d", s.of.ID(), s.how, s.size) }

func (s *stream) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := inside(s.Name(), off, len(p), s.size); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	kept, err := spools.acquire(s)
	if err == nil {
		ready := make(chan error, 1)
		go func() { ready <- s.unpack(ctx, kept, off+int64(len(p))) }()
		select {
		case err = <-ready:
		case <-ctx.Done(): // what is packed may lie far away; the step that waits for it ends by itself
			go func() {
				<-ready
				spools.release(s, kept)
			}()
			return ctx.Err()
		}
		if err == nil {
			err = kept.read(ctx, p, off)
		}
		if err != nil && spools.ended(s) {
			err = ErrClosed
		}
		spools.release(s, kept)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("store: %s: unpacking %s: %w", s.Name(), s.how, err)
	}
	return err
}

// Close may be called at any time; reads under way end with ErrClosed.
func (s *stream) Close() error {
	spools.close(s)
	return s.of.Close()
}

// unpack goes on until there are end bytes.
func (s *stream) unpack(ctx context.Context, kept *spool, end int64) error {
	if kept.have.Load() >= end {
		return nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if kept.failed != nil {
		return kept.failed
	}
	for kept.have.Load() < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		if spools.ended(s) {
			return ErrClosed
		}
		if err := s.step(kept); err != nil {
			kept.failed, kept.in = err, nil
			return err
		}
	}
	return nil
}

// step unpacks a little more. What it adds can be read once it is sound.
func (s *stream) step(kept *spool) error {
	have := kept.have.Load()
	if kept.in == nil {
		// A decoder that has seen a cancelled read would be of no use to the next reader, so that ctx is
		// looked at between the steps alone.
		packed := io.NewSectionReader(ReaderAt(context.Background(), s.of), 0, s.of.Size())
		in, err := s.open(bufio.NewReaderSize(packed, unpackStep/2))
		if err != nil {
			return unexpected(err)
		}
		kept.in = in
	}
	p := kept.page(have, min(unpackStep, s.size-have))
	n, err := io.ReadFull(kept.in, p)
	if err != nil {
		return fmt.Errorf("after %d of %d bytes: %w", have+int64(n), s.size, unexpected(err))
	}
	if err := kept.keep(p, have); err != nil {
		return err
	}
	if have += int64(n); have == s.size {
		if _, err := io.CopyN(io.Discard, kept.in, maxAfter); err != nil && err != io.EOF {
			return fmt.Errorf("at the end of %d bytes: %w", s.size, unexpected(err))
		}
		kept.in, kept.scratch = nil, nil
	}
	kept.have.Store(have)
	return nil
}

// unexpected calls an end in the middle by its name: libraries report it as io.EOF at some places.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A spool keeps what has been unpacked of one stream.
type spool struct {
	have  atomic.Int64 // bytes that can be read
	pages [][]byte     // of unpackStep bytes each, nil if they are in a file
	file  *os.File

	// The holder of the stream's turn has these.
	in      io.Reader
	scratch []byte
	failed  error

	users  int // belongs to the lock of spools
	memory int64
}

// page is where the bytes from off on are unpacked to.
func (k *spool) page(off, n int64) []byte {
	if k.pages == nil {
		if k.scratch == nil {
			k.scratch = make([]byte, unpackStep)
		}
		return k.scratch[:n]
	}
	p := make([]byte, n)
	k.pages[off/unpackStep] = p
	return p
}

func (k *spool) keep(p []byte, off int64) error {
	if k.pages != nil {
		return nil
	}
	if _, err := k.file.WriteAt(p, off); err != nil {
		return fmt.Errorf("no room for what is unpacked in %s (unpack the file by hand and open that): %w", cacheFolder(), cause(err))
	}
	return nil
}

func (k *spool) read(ctx context.Context, p []byte, off int64) error {
	if k.pages == nil {
		return ReadFull(ctx, k.file, p, off)
	}
	for len(p) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := copy(p, k.pages[off/unpackStep][off%unpackStep:])
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// errNoFolder is about a system that has no place for a file of what is unpacked.
var errNoFolder = errors.New("there is no folder for what is unpacked; unpack the file by hand and open that")

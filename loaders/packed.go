package loaders

import (
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"lamella/loaders/store"
)

// A Packing is a way to compress a whole file as one stream, which can only be unpacked from its
// beginning. "" is a file as it is.
type Packing string

// The packings that files of voxels come in.
const (
	Plain Packing = ""
	Gzip  Packing = "gzip"  // RFC 1952, also of several members
	Zlib  Packing = "zlib"  // RFC 1950
	Bzip2 Packing = "bzip2" // also of several streams
)

// PackingOf tells a packing by the first bytes of a file. A zlib stream is known by its check bits
// (RFC 1950 section 2.2), which some other files have by chance.
func PackingOf(head []byte) Packing {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return Gzip
	case len(head) > 9 && bytes.HasPrefix(head, []byte("BZh")) && bytes.HasPrefix(head[4:], []byte("\x31\x41\x59\x26\x53\x59")):
		return Bzip2
	case len(head) > 1 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (int(head[0])<<8|int(head[1]))%31 == 0:
		return Zlib
	}
	return Plain
}

// most is how many bytes one packed byte can become: deflate writes 258 of them in 2 bits; bzip2 a block of
// 900,000, each standing for up to 52 bytes of a run, in some 40.
func (p Packing) most() int64 {
	if p == Bzip2 {
		return 1 << 21
	}
	return 1032
}

// Open is random access to the first size bytes of what is packed in f: see store.Unpacked for where they
// are kept. It refuses with ErrDamaged a size that f cannot hold, whatever is in it. The file closes f
// with itself.
func (p Packing) Open(f store.File, size int64) (store.File, error) {
	if p == Plain {
		return store.Section(f, 0, size)
	}
	if f.Size() < math.MaxInt64/p.most() && size > f.Size()*p.most() {
		return nil, fmt.Errorf("%d bytes of %s cannot become the %d that the header asks for: %w", f.Size(), p, size, ErrDamaged)
	}
	return store.Unpacked(f, size, string(p), p.reader), nil
}

// OpenTail is like Open for size bytes at the end of what is packed, wherever they begin. Only a gzip
// file says how long it is when unpacked; others wrap ErrUnsupported.
func (p Packing) OpenTail(ctx context.Context, f store.File, size int64) (store.File, error) {
	all := f.Size()
	if p == Gzip && all >= 18 {
		// RFC 1952 section 2.3.1: the last four bytes are the length modulo 2^32.
		var end [4]byte
		if err := f.ReadAt(ctx, end[:], all-4); err != nil {
			return nil, err
		}
		all = int64(end[0]) | int64(end[1])<<8 | int64(end[2])<<16 | int64(end[3])<<24
		for all < size {
			all += 1 << 32
		}
	} else if p != Plain {
		return nil, fmt.Errorf("voxels at the end of what is packed by %s: it does not say how long it is: %w", p, ErrUnsupported)
	}
	whole, err := p.Open(f, all)
	if err != nil {
		return nil, err
	}
	return store.Section(whole, all-size, size)
}

// Head is the first bytes of what is packed in a file, at most n of them, of which head is the beginning and f,
// if it is not nil, all. It is short when head holds no more.
func (p Packing) Head(ctx context.Context, f store.File, head []byte, n int) []byte {
	if p == Plain {
		return head[:min(n, len(head))]
	}
	var packed io.Reader = bytes.NewReader(head)
	if f != nil {
		packed = io.NewSectionReader(store.ReaderAt(ctx, f), 0, f.Size())
	}
	r, err := p.reader(packed)
	if err != nil {
		return nil
	}
	out := make([]byte, n)
	got, _ := io.ReadFull(r, out) // what comes before the end, or before damage, is what there is
	return out[:got]
}

func (p Packing) reader(r io.Reader) (io.Reader, error) {
	switch p {
	case Gzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		return &members{z, 0}, nil
	case Zlib:
		return zlib.NewReader(r)
	case Bzip2:
		return bzip2.NewReader(r), nil
	}
	return r, nil
}

// members reads a gzip file and takes what follows its last member, such as zeros of a tape, for its end.
type members struct {
	of  *gzip.Reader
	got int64
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.of.Read(p)
	if m.got += int64(n); m.got > 0 && errors.Is(err, gzip.ErrHeader) {
		err = io.EOF
	}
	return n, err
}

// Unpack opens the file that in names and tells its packing, with at most n of its first unpacked bytes.
func Unpack(ctx context.Context, in Input, n int) (store.File, Packing, []byte, error) {
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return nil, Plain, nil, err
	}
	p := PackingOf(in.Head)
	if p == Zlib {
		p = Plain // no file is one zlib stream: only parts of files are
	}
	if p != Plain {
		return f, p, p.Head(ctx, f, nil, n), nil
	}
	head := make([]byte, min(int64(n), f.Size()))
	if err := f.ReadAt(ctx, head, 0); err != nil {
		f.Close()
		return nil, Plain, nil, err
	}
	return f, p, head, nil
}

// Peek is the first bytes of what lies in the file that in names, unpacked if it is packed; for sniffing. Mostly
// in.Head is enough: a block of bzip2, or a long header in front of a gzip stream, is read from the file.
func Peek(ctx context.Context, in Input, n int) []byte {
	p := PackingOf(in.Head)
	if p != Gzip && p != Bzip2 {
		return in.Head[:min(n, len(in.Head))]
	}
	head := p.Head(ctx, nil, in.Head, n)
	if len(head) == n || in.Store == nil {
		return head
	}
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return head
	}
	defer f.Close()
	return p.Head(ctx, f, nil, n)
}

// PackedNote tells for lazy.Dataset what reading from a packed file costs, "" for a plain one.
func (p Packing) PackedNote() string {
	if p == Plain {
		return ""
	}
	return fmt.Sprintf("one %s stream: a plane needs all before it to be unpacked, once; what was unpacked is kept in memory up to 32 MiB, else in a file in the system's cache folder", p)
}

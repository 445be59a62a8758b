package hdf5

import (
	"bytes"
	"context"

	"lamella/loaders/store"
)

const signature = "\x89HDF\r\n\x1a\n"

// maxUserBlock is how far a superblock is looked for. User blocks hold a text of some kilobytes.
const maxUserBlock = 16 << 20

// findSignature is where the superblock begins: at 0, or behind a user block at 512, 1024, 2048 and so
// on (section II.A). It is -1 if this is no HDF5 file. head is the file's begin.
func findSignature(ctx context.Context, f store.File, head []byte) int64 {
	for at := int64(0); at+int64(len(signature)) <= f.Size() && at <= maxUserBlock; at = max(512, 2*at) {
		p := make([]byte, len(signature))
		if at+int64(len(p)) <= int64(len(head)) {
			p = head[at:]
		} else if f.ReadAt(ctx, p, at) != nil {
			return -1
		}
		if bytes.HasPrefix(p, []byte(signature)) {
			return at
		}
	}
	return -1
}

// open reads the superblock (section II.A).
func open(ctx context.Context, s store.File, at int64) (*file, error) {
	f := &file{File: s, base: at, offsets: 8, lengths: 8}
	p := make([]byte, min(f.Size()-at, 128))
	if err := s.ReadAt(ctx, p, at); err != nil {
		return nil, err
	}
	c := &cursor{p: p, at: len(signature), f: f}
	version := c.version(3, "the superblock")
	if version <= 1 {
		c.skip(4) // versions of the free space, of the root group, a reserved byte, version of shared headers
		f.offsets, f.lengths = c.u8(), c.u8()
		c.skip(1 + 2 + 2 + 4) // a reserved byte, the ranks of group nodes, flags
		if version == 1 {
			c.skip(4) // the rank of chunk indexes
		}
		if !f.widths(c) {
			return nil, c.err
		}
		c.offset() // the base address; where the signature was found is more to be trusted
		c.offset() // free space
		f.stated = c.offset()
		c.offset() // driver information
		c.offset() // the root's entry: the place of its name
		f.root = c.offset()
		return f, c.err
	}
	f.offsets, f.lengths = c.u8(), c.u8()
	c.skip(1) // flags
	if !f.widths(c) {
		return nil, c.err
	}
	c.offset() // the base address
	c.offset() // the extension
	f.stated = c.offset()
	f.root = c.offset()
	body := c.at
	sum := c.u32()
	if c.err == nil && lookup3(p[:body]) != sum {
		c.fail("the checksum of the superblock is wrong")
	}
	return f, c.err
}

// widths reports whether addresses and lengths have a size that can be read.
func (f *file) widths(c *cursor) bool {
	ok := func(n int) bool { return n == 2 || n == 4 || n == 8 }
	if c.err == nil && !(ok(f.offsets) && ok(f.lengths)) {
		c.err = unsupported("addresses of %d bytes and lengths of %d", f.offsets, f.lengths)
	}
	return c.err == nil
}

// cut says that a file is shorter than its superblock states; "" if it is not.
func (f *file) cut() string {
	if have := uint64(f.Size() - f.base); f.stated != undefined && f.stated > have {
		return "The file is cut off: what lies behind its end cannot be shown."
	}
	return ""
}

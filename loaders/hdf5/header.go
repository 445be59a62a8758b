package hdf5

import (
	"bytes"
	"context"
)

// Types of messages in an object header (section IV.A.2).
const (
	msgDataspace    = 0x01
	msgLinkInfo     = 0x02
	msgDatatype     = 0x03
	msgFillOld      = 0x04
	msgFill         = 0x05
	msgLink         = 0x06
	msgExternal     = 0x07
	msgLayout       = 0x08
	msgFilters      = 0x0b
	msgAttribute    = 0x0c
	msgContinuation = 0x10
	msgSymbols      = 0x11
	msgAttributes   = 0x15
)

// An object is a header: what a group, a dataset or a named type says of itself.
type object struct {
	f        *file
	at       uint64
	messages []message
}

type message struct {
	kind  int
	flags int
	p     []byte
}

// shared messages hold the place of the message instead of it.
func (m message) shared() bool { return m.flags&2 != 0 }

func (m message) cursor(f *file) *cursor { return &cursor{p: m.p, f: f} }

// find is the first message of a kind.
func (o *object) find(kind int) (message, bool) {
	for _, m := range o.messages {
		if m.kind == kind {
			return m, true
		}
	}
	return message{}, false
}

// Bounds of one header. A dataset's takes some hundred bytes; attributes and links may make it long.
const (
	maxHeader   = 16 << 20
	maxContinue = 4096
)

// firstRead is how much of a header is read at first: nearly all fit.
const firstRead = 1024

// A span is a piece of the file.
type span struct{ at, n uint64 }

// object reads a header of either version (section IV.A.1), with its continuations.
func (f *file) object(ctx context.Context, at uint64) (*object, error) {
	size := uint64(f.Size() - f.base)
	if at >= size || size-at < 16 {
		_, err := f.place(at, 16)
		return nil, err
	}
	head, err := f.fetch(ctx, at, int(min(firstRead, size-at)))
	if err != nil {
		return nil, err
	}
	o := &object{f: f, at: at}
	r := headerReader{object: o}
	if bytes.HasPrefix(head, []byte("OHDR")) {
		err = r.version2(ctx, head)
	} else {
		err = r.version1(ctx, head)
	}
	if err != nil {
		return nil, err
	}
	seen := map[uint64]bool{at: true}
	for total := uint64(0); len(r.next) > 0; {
		s := r.next[0]
		r.next = r.next[1:]
		if total += s.n; seen[s.at] || total > maxHeader || len(seen) > maxContinue {
			return nil, damaged("the header at %d goes round in a circle or on for more than %d bytes", at, maxHeader)
		}
		seen[s.at] = true
		if r.v2 {
			c, err := f.body(ctx, s.at, int(s.n), "OCHK", true)
			if err != nil {
				return nil, err
			}
			err = r.parse(c)
			if err != nil {
				return nil, err
			}
			continue
		}
		p, err := f.fetch(ctx, s.at, int(s.n))
		if err != nil {
			return nil, err
		}
		if err := r.parse(&cursor{p: p, f: f}); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// A headerReader collects the messages of an object.
type headerReader struct {
	*object
	v2    bool
	order bool   // messages have a number for their order
	next  []span // continuations to be read
}

// version1: version, reserved, number of messages (2), references (4), size of the messages (4), and
// padding to 8 bytes.
func (r *headerReader) version1(ctx context.Context, head []byte) error {
	c := &cursor{p: head, f: r.f}
	if v := c.u8(); v != 1 {
		return damaged("no object header at %d", r.at)
	}
	c.skip(7)
	n := uint64(c.u32())
	if c.skip(4); c.err != nil || n > maxHeader {
		return damaged("an object header of %d bytes at %d", n, r.at)
	}
	p, err := r.rest(ctx, head, 16, int(n))
	if err != nil {
		return err
	}
	return r.parse(&cursor{p: p, f: r.f})
}

// version2: OHDR, version, flags, times (16) and bounds for attributes (4) if the flags say so, size of
// the messages (1, 2, 4 or 8), the messages, checksum.
func (r *headerReader) version2(ctx context.Context, head []byte) error {
	c := &cursor{p: head, at: 4, f: r.f}
	c.version(2, "an object header")
	flags := c.u8()
	if flags&0x20 != 0 {
		c.skip(16)
	}
	if flags&0x10 != 0 {
		c.skip(4)
	}
	n := c.uint(1 << (flags & 3))
	if c.err != nil {
		return c.err
	}
	if n > maxHeader {
		return damaged("an object header of %d bytes at %d", n, r.at)
	}
	begin := c.at
	if _, err := r.rest(ctx, head, begin, int(n)+4); err != nil {
		return err
	}
	p, err := r.rest(ctx, head, 0, begin+int(n)+4)
	if err != nil {
		return err
	}
	if c, err = r.f.verified(p, r.at, "OHDR", true); err != nil {
		return err
	}
	c.at = begin
	r.v2, r.order = true, flags&4 != 0
	return r.parse(c)
}

// rest is n bytes from a place in the header on, of which head may hold only some.
func (r *headerReader) rest(ctx context.Context, head []byte, from, n int) ([]byte, error) {
	if from+n <= len(head) {
		return head[from : from+n], nil
	}
	return r.f.fetch(ctx, r.at+uint64(from), n)
}

// parse reads messages up to the end, which may be a gap too small for one.
func (r *headerReader) parse(c *cursor) error {
	prefix := 8
	if r.v2 {
		if prefix = 4; r.order {
			prefix = 6
		}
	}
	for c.err == nil && c.left() >= prefix {
		m := message{}
		var n int
		if r.v2 {
			m.kind, n, m.flags = c.u8(), c.u16(), c.u8()
			if r.order {
				c.skip(2)
			}
		} else {
			m.kind, n, m.flags = c.u16(), c.u16(), c.u8()
			c.skip(3)
		}
		m.p = c.bytes(n)
		switch {
		case c.err != nil:
		case m.kind == msgContinuation:
			k := m.cursor(r.f)
			s := span{k.offset(), k.length()}
			if k.err != nil || s.n > maxHeader {
				return damaged("a continuation of %d bytes in the header at %d", s.n, r.at)
			}
			r.next = append(r.next, s)
		case m.kind != 0:
			r.messages = append(r.messages, m)
		}
	}
	return c.err
}

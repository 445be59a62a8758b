package hdf5

import (
	"encoding/binary"
	"fmt"

	"lamella/loaders"
)

var little = binary.LittleEndian

// A cursor reads fields one after the other. HDF5 keeps metadata low byte first. After the end, or a
// fault, everything reads as 0 and err says why, so that a parser asks once.
type cursor struct {
	p   []byte
	at  int
	f   *file
	err error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrDamaged)
	}
}

// bytes are the next n, which must not be changed.
func (c *cursor) bytes(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.p)-c.at {
		c.fail("metadata end early, %d bytes at %d of %d", n, c.at, len(c.p))
		return nil
	}
	c.at += n
	return c.p[c.at-n : c.at]
}

func (c *cursor) skip(n int) { c.bytes(n) }

// left is how many bytes are left.
func (c *cursor) left() int { return len(c.p) - c.at }

// uint is a number of n bytes, at most 8.
func (c *cursor) uint(n int) uint64 {
	if n > 8 {
		c.fail("a number of %d bytes", n)
	}
	var v uint64
	for i, b := range c.bytes(n) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func (c *cursor) u8() int     { return int(c.uint(1)) }
func (c *cursor) u16() int    { return int(c.uint(2)) }
func (c *cursor) u32() uint32 { return uint32(c.uint(4)) }

// offset is an address; with all bits set it is undefined.
func (c *cursor) offset() uint64 {
	v := c.uint(c.f.offsets)
	if c.err == nil && c.f.offsets < 8 && v == 1<<(8*c.f.offsets)-1 {
		return undefined
	}
	return v
}

// length is a number of bytes or of other things in the file.
func (c *cursor) length() uint64 { return c.uint(c.f.lengths) }

// count is a length that has to be below a limit.
func (c *cursor) count(limit uint64, what string) int {
	v := c.length()
	if v >= limit {
		c.fail("%d %s", v, what)
		return 0
	}
	return int(v)
}

// text is n bytes up to the first 0.
func (c *cursor) text(n int) string { return cutAtZero(c.bytes(n)) }

// version reads a byte and refuses those above most.
func (c *cursor) version(most int, what string) int {
	v := c.u8()
	if v > most && c.err == nil {
		c.err = unsupported("version %d of %s; the newest known is %d", v, what, most)
	}
	return v
}

func cutAtZero(p []byte) string {
	for i, b := range p {
		if b == 0 {
			return string(p[:i])
		}
	}
	return string(p)
}

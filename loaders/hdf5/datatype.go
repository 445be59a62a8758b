package hdf5

import (
	"context"
	"fmt"
)

// Classes of datatypes (section IV.A.2.d).
const (
	classInteger = iota
	classFloat
	classTime
	classString
	classBits
	classOpaque
	classCompound
	classReference
	classEnum
	classVariable
	classArray
	classComplex
)

var classNames = []string{
	"integers", "floats", "times", "texts", "bit fields", "opaque bytes", "records", "references", "enumerated values",
	"lists of variable length", "arrays", "complex numbers",
}

// A datatype is how one value is stored.
type datatype struct {
	class int
	size  int // bytes
	big   bool
	vax   bool

	signed            bool
	offset, precision int // bits

	// Of floats: places of the parts in bits, and whether the leading 1 of the mantissa is left out.
	sign, exponent, exponentBits, mantissa, mantissaBits int
	bias                                                 uint32
	implied                                              bool

	text bool      // of variable length: a text
	base *datatype // of enumerated values, arrays and lists
	dims []int     // of an array
	bool bool      // an enumeration of FALSE and TRUE
}

// name says what a type is, for messages.
func (t *datatype) name() string {
	if t.class < len(classNames) {
		return fmt.Sprintf("%s of %d bytes", classNames[t.class], t.size)
	}
	return fmt.Sprintf("values of class %d", t.class)
}

// datatype reads a datatype: class and version, three bytes of flags, size (4), and what the class needs.
func (c *cursor) datatype(depth int) *datatype {
	head, flags := c.u8(), c.uint(3)
	t := &datatype{class: head & 15, size: int(c.u32())}
	version := head >> 4
	if c.err == nil && (depth > 8 || t.size == 0 && t.class != classOpaque && t.class != classString) {
		c.fail("a type of %d bytes at depth %d", t.size, depth)
	}
	if c.err != nil {
		return t
	}
	t.big = flags&1 != 0
	switch t.class {
	case classInteger, classBits:
		t.signed = t.class == classInteger && flags&8 != 0
		t.offset, t.precision = c.u16(), c.u16()
	case classFloat:
		t.vax = flags&0x40 != 0
		t.implied = flags>>4&3 == 2
		t.sign = int(flags >> 8)
		t.offset, t.precision = c.u16(), c.u16()
		t.exponent, t.exponentBits, t.mantissa, t.mantissaBits = c.u8(), c.u8(), c.u8(), c.u8()
		t.bias = c.u32()
	case classEnum:
		t.base = c.datatype(depth + 1)
		t.enumeration(c, int(flags&0xffff), version)
	case classVariable:
		t.text = flags&15 == 1
		t.base = c.datatype(depth + 1)
	case classArray:
		rank := c.u8()
		if version < 3 {
			c.skip(3)
		}
		for range rank {
			t.dims = append(t.dims, int(c.u32()))
		}
		if version < 3 {
			c.skip(4 * rank)
		}
		t.base = c.datatype(depth + 1)
		t.checkArray(c)
	}
	return t
}

// checkArray refuses an array whose parts do not fill it.
func (t *datatype) checkArray(c *cursor) {
	n := uint64(t.base.size)
	for _, d := range t.dims {
		if d == 0 || n > uint64(t.size)/uint64(d) {
			c.fail("an array of %v values of %d bytes in %d", t.dims, t.base.size, t.size)
			return
		}
		n *= uint64(d)
	}
	if n != uint64(t.size) {
		c.fail("an array of %v values of %d bytes in %d", t.dims, t.base.size, t.size)
	}
}

// enumeration reads the names, padded to 8 bytes before version 3, and then the values. It looks only
// whether they are those of a truth value.
func (t *datatype) enumeration(c *cursor, n, version int) {
	var names []string
	for range n {
		end := c.at
		for end < len(c.p) && c.p[end] != 0 {
			end++
		}
		length := end - c.at + 1
		if version < 3 {
			length = (length + 7) / 8 * 8
		}
		names = append(names, c.text(length))
		if c.err != nil {
			return
		}
	}
	values := c.bytes(n * t.base.size)
	t.bool = n == 2 && t.base.size == 1 && names[0] == "FALSE" && names[1] == "TRUE" &&
		len(values) == 2 && values[0] == 0 && values[1] == 1
}

// typeOf reads the type of an object: from its header, or from where a named type is kept.
func (o *object) typeOf(ctx context.Context, m message, depth int) (*datatype, error) {
	if !m.shared() {
		c := m.cursor(o.f)
		t := c.datatype(0)
		return t, c.err
	}
	at, err := m.sharedAt(o.f)
	if err != nil {
		return nil, err
	}
	if depth > 4 {
		return nil, damaged("named types refer to each other in a circle")
	}
	named, err := o.f.object(ctx, at)
	if err != nil {
		return nil, err
	}
	k, ok := named.find(msgDatatype)
	if !ok {
		return nil, damaged("the object at %d is no named type", at)
	}
	return named.typeOf(ctx, k, depth+1)
}

// sharedAt is the header that holds a shared message (section IV.A.2, "shared message").
func (m message) sharedAt(f *file) (uint64, error) {
	c := m.cursor(f)
	version := c.version(3, "a shared message")
	kind := c.u8()
	if version == 1 {
		c.skip(6)
	}
	if version == 3 && kind == 1 {
		return 0, unsupported("a message in the heap of shared messages")
	}
	at := c.offset()
	return at, c.err
}

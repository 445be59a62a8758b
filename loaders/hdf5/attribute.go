package hdf5

import (
	"context"
	"math"
	"strings"
)

// An attribute is a small named value of an object.
type attribute struct {
	name  string
	kind  *datatype
	space dataspace
	p     []byte
	f     *file
}

// maxAttribute is the most values of an attribute that are looked at, and maxAttributes how many
// attributes of an object.
const (
	maxAttribute  = 1 << 16
	maxAttributes = 1 << 14
)

// attributes reads those of an object by their names. One that cannot be read is left out, since the
// voxels do not depend on it.
func (o *object) attributes(ctx context.Context) (map[string]attribute, error) {
	found := map[string]attribute{}
	for _, m := range o.messages {
		if m.kind != msgAttribute || m.shared() {
			continue
		}
		if a, err := o.attribute(ctx, m.p); err == nil {
			found[a.name] = a
		}
	}
	m, ok := o.find(msgAttributes)
	if !ok {
		return found, nil
	}
	c := m.cursor(o.f)
	c.version(0, "attribute information")
	if flags := c.u8(); flags&1 != 0 {
		c.skip(2)
	}
	heapAt, index := c.offset(), c.offset()
	if c.err != nil {
		return nil, c.err
	}
	if heapAt == undefined || index == undefined {
		return found, nil
	}
	h, err := o.f.heap(ctx, heapAt)
	if err != nil {
		return nil, err
	}
	// Records of type 8 (section III.A.2): heap ID (8), flags, order (4), hash (4).
	err = o.f.records(ctx, index, 8, func(c *cursor) error {
		if len(found) > maxAttributes {
			return unsupported("more than %d attributes", maxAttributes)
		}
		id := c.bytes(8)
		if flags := c.u8(); c.err != nil || flags&2 != 0 {
			return c.err
		}
		p, err := h.object(ctx, id)
		if err != nil {
			return err
		}
		if a, err := o.attribute(ctx, p); err == nil {
			found[a.name] = a
		}
		return nil
	})
	return found, err
}

// attribute reads one message (section IV.A.2.m): version, a reserved byte or flags, the sizes of name,
// type and dataspace (2 each), in version 3 the name's encoding, the three themselves, which version 1
// pads to 8 bytes, and the value.
func (o *object) attribute(ctx context.Context, p []byte) (attribute, error) {
	c := &cursor{p: p, f: o.f}
	version := c.version(3, "an attribute")
	flags := c.u8()
	sizes := [3]int{c.u16(), c.u16(), c.u16()}
	if version == 3 {
		c.skip(1)
	}
	if version == 1 {
		flags = 0
	}
	var parts [3][]byte
	for i, n := range sizes {
		parts[i] = c.bytes(n)
		if version == 1 {
			c.skip(min(-n&7, c.left()))
		}
	}
	if c.err != nil {
		return attribute{}, c.err
	}
	a := attribute{name: cutAtZero(parts[0]), f: o.f}
	var err error
	if a.kind, err = o.typeOf(ctx, message{kind: msgDatatype, flags: flags & 1 << 1, p: parts[1]}, 0); err != nil {
		return a, err
	}
	if flags&2 != 0 {
		return a, unsupported("a shared dataspace")
	}
	space := &cursor{p: parts[2], f: o.f}
	a.space = space.dataspace()
	n, ok := a.space.count(maxAttribute)
	if space.err != nil || !ok || a.kind.size > maxPiece {
		return a, damaged("the attribute %s", a.name)
	}
	a.p = c.bytes(n * a.kind.size)
	return a, c.err
}

// text is the value as one text: a text, or single letters one after the other, as Imaris writes them.
func (a attribute) text(ctx context.Context) string {
	if a.kind.class == classString && a.kind.size == 1 {
		return strings.TrimRight(cutAtZero(a.p), " ")
	}
	all := a.texts(ctx)
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// texts are the values of an attribute of texts; those of other types give none.
func (a attribute) texts(ctx context.Context) []string {
	var out []string
	size := a.kind.size
	switch {
	case a.kind.class == classString && size > 0:
		for p := a.p; len(p) >= size; p = p[size:] {
			out = append(out, strings.TrimRight(cutAtZero(p[:size]), " "))
		}
	case a.kind.class == classInteger && size == 1: // letters as bytes
		return []string{cutAtZero(a.p)}
	case a.kind.class == classVariable && (a.kind.text || a.kind.base.size == 1):
		for p := a.p; len(p) >= size; p = p[size:] {
			c := &cursor{p: p, f: a.f}
			n := c.u32()
			text, err := a.f.global(ctx, c.offset(), c.u32())
			if err != nil || c.err != nil || uint64(n) > uint64(len(text)) {
				text, n = nil, 0
			}
			out = append(out, cutAtZero(text[:n]))
		}
	}
	return out
}

// floats are the values of an attribute of numbers, nil of one of another type.
func (a attribute) floats() []float64 {
	kind, parts := a.kind, 1
	if kind.class == classArray {
		for _, d := range kind.dims {
			parts *= d
		}
		kind = kind.base
	}
	e, err := kind.element()
	if err != nil || kind.size == 0 {
		return nil
	}
	return e.floats(a.p)
}

// number is the first value, if there is one and it is finite.
func (a attribute) number() (float64, bool) {
	v := a.floats()
	if len(v) == 0 || math.IsNaN(v[0]) || math.IsInf(v[0], 0) {
		return 0, false
	}
	return v[0], true
}

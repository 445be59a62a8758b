package hdf5

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/loaders"
)

// A dataset is what the header of one says, as far as its voxels need it. Lengths are by dimension.
type dataset struct {
	f    *file
	at   uint64 // of the header
	path string

	dims    []int64
	kind    *datatype
	element element
	fill    []byte // one voxel as it is in memory
	filters []filter

	class int
	data  []byte   // of the class compact
	place uint64   // of the class contiguous, undefined where nothing was written
	chunk []int    // shape, of the class chunked
	grid  []uint64 // chunks along each dimension, as far as it may grow
	index index

	rawEdges bool // chunks that reach beyond the dataset have no filters
}

// Classes of layouts (section IV.A.2.i).
const (
	compact = iota
	contiguous
	chunked
	virtual
)

// errNoDataset is about objects that are something else.
var errNoDataset = fmt.Errorf("it is no dataset: %w", loaders.ErrUnsupported)

// dataset reads a header as that of a dataset of numbers.
func (o *object) dataset(ctx context.Context, path string) (*dataset, error) {
	d := &dataset{f: o.f, at: o.at, path: path}
	space, isSpace := o.find(msgDataspace)
	kind, isType := o.find(msgDatatype)
	layout, isLayout := o.find(msgLayout)
	if !isSpace || !isType || !isLayout {
		return nil, errNoDataset
	}
	if space.shared() {
		return nil, unsupported("a shared dataspace")
	}
	c := space.cursor(o.f)
	s := c.dataspace()
	if c.err != nil {
		return nil, c.err
	}
	if s.null {
		return nil, unsupported("it holds nothing (a null dataspace)")
	}
	for _, n := range s.dims {
		if n > math.MaxInt64 {
			return nil, damaged("a dimension of %d", n)
		}
		d.dims = append(d.dims, int64(n))
	}
	var err error
	if d.kind, err = o.typeOf(ctx, kind, 0); err != nil {
		return nil, err
	}
	if o.external() {
		return nil, unsupported("its voxels lie in other files (external storage); copy them into one file with h5repack")
	}
	scalar, inner := d.kind, []int(nil)
	if scalar.class == classArray && scalar.base.class != classArray {
		scalar, inner = scalar.base, scalar.dims
	}
	if d.element, err = scalar.element(); err != nil {
		return nil, err
	}
	if m, ok := o.find(msgFilters); ok {
		if m.shared() {
			return nil, unsupported("a shared list of filters")
		}
		if d.filters, err = m.cursor(o.f).filters(); err != nil {
			return nil, err
		}
	}
	if err := d.layout(layout.cursor(o.f), s); err != nil {
		return nil, err
	}
	// The parts of an array are dimensions behind the others.
	for _, n := range inner {
		d.dims = append(d.dims, int64(n))
		if d.class == chunked {
			d.chunk, d.grid = append(d.chunk, n), append(d.grid, 1)
		}
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d, d.readFill(o, len(inner) == 0)
}

func (o *object) external() bool {
	_, ok := o.find(msgExternal)
	return ok
}

// layout reads where the voxels lie (section IV.A.2.i), in all its versions.
func (d *dataset) layout(c *cursor, s dataspace) error {
	version := c.version(5, "a layout")
	rank := 0
	if version < 3 {
		rank = c.u8()
		d.class = c.u8()
		c.skip(5)
	} else {
		d.class = c.u8()
	}
	switch {
	case c.err != nil:
	case d.class == virtual:
		return unsupported("it is a virtual dataset, made of parts of other files; open those, or copy them into one dataset with h5repack")
	case d.class == contiguous && version < 3:
		d.place = c.offset()
	case d.class == contiguous:
		d.place = c.offset()
		c.length()
	case d.class == compact && version < 3:
		c.skip(4 * rank)
		d.data = c.bytes(int(c.u32()))
	case d.class == compact:
		d.data = c.bytes(c.u16())
	case d.class != chunked:
		return unsupported("a layout of class %d", d.class)
	case version < 4:
		at := undefined
		if version < 3 {
			at = c.offset()
		} else {
			rank = c.u8()
			at = c.offset()
		}
		d.chunks(c, rank, 4, s)
		d.index = &oldTree{d: d, at: at}
	default:
		flags := c.u8()
		d.rawEdges = flags&1 != 0
		rank = c.u8()
		d.chunks(c, rank, c.u8(), s)
		if c.err == nil {
			d.index = d.newIndex(c, flags, s)
		}
	}
	if c.err == nil && d.index == nil && d.class == chunked {
		return unsupported("a chunk index of an unknown type")
	}
	return c.err
}

// chunks reads the shape of a chunk, whose last length is the bytes of a value.
func (d *dataset) chunks(c *cursor, rank, width int, s dataspace) {
	if rank != len(s.dims)+1 {
		c.fail("chunks of %d dimensions in a dataset of %d", rank-1, len(s.dims))
		return
	}
	for i := range rank - 1 {
		n := c.uint(width)
		if n < 1 || n > math.MaxInt32 {
			c.fail("chunks of length %d", n)
			return
		}
		d.chunk = append(d.chunk, int(n))
		most := uint64(1)
		if m := s.max[i]; m != undefined && m > 0 {
			most = (m-1)/n + 1
		}
		d.grid = append(d.grid, most)
	}
	if n := c.uint(width); c.err == nil && n != uint64(d.kind.size) {
		c.fail("chunks of values of %d bytes in a dataset of values of %d", n, d.kind.size)
	}
}

// maxChunk is the most bytes of a chunk, which is decoded whole.
const maxChunk = 1<<31 - 1

// check refuses chunks that are too large to decode whole, and large ones of which nearly all lies
// beyond the dataset: nobody writes such, and their memory would be spent on a claim.
func (d *dataset) check() error {
	size := int64(max(d.element.size, d.element.dtype.Size()))
	if d.class == compact {
		n := int64(d.element.size)
		for _, l := range d.dims {
			if l > 0 && n > int64(len(d.data))/l {
				return damaged("shape %v in %d bytes", d.dims, len(d.data))
			}
			n *= l
		}
		if n > int64(len(d.data)) {
			return damaged("shape %v in %d bytes", d.dims, len(d.data))
		}
	}
	if d.class != chunked {
		if len(d.filters) > 0 {
			return damaged("filters without chunks")
		}
		return nil
	}
	whole, inside := size, size
	for i, n := range d.chunk {
		if whole > maxChunk/int64(n) {
			return unsupported("one chunk holds more than 2 GiB (shape %v)", d.chunk)
		}
		whole *= int64(n)
		inside *= min(int64(n), max(1, d.dims[i]))
	}
	if whole > 64<<20 && inside < whole/16 {
		return unsupported("chunks of shape %v for a dataset of shape %v", d.chunk, d.dims)
	}
	return nil
}

// readFill reads the value of voxels that were never written (sections IV.A.2.e and f); it is 0 unless
// it is stated.
func (d *dataset) readFill(o *object, plain bool) error {
	d.fill = make([]byte, d.element.dtype.Size())
	m, ok := o.find(msgFill)
	old, isOld := o.find(msgFillOld)
	var value []byte
	switch {
	case ok && !m.shared():
		c := m.cursor(o.f)
		stated := true
		if c.version(3, "a fill value") == 3 {
			stated = c.u8()&0x20 != 0
		} else {
			c.skip(2) // when room is taken, and when the value is written
			stated = c.u8() != 0
		}
		if stated {
			value = c.bytes(max(0, int(int32(c.u32()))))
		}
		if c.err != nil {
			return c.err
		}
	case isOld && !old.shared():
		c := old.cursor(o.f)
		value = c.bytes(int(c.u32()))
		if c.err != nil {
			return c.err
		}
	}
	switch {
	case len(value) == 0:
	case plain && len(value) == d.element.size:
		d.element.decode(d.fill, bytes.Clone(value))
	case !plain && len(value)%d.element.size == 0:
		// Of arrays the parts may differ; one value for all of them is what is filled in practice.
		d.element.decode(d.fill, bytes.Clone(value[:d.element.size]))
	default:
		return damaged("a fill value of %d bytes for voxels of %d", len(value), d.element.size)
	}
	return nil
}

// size is the bytes of a decoded chunk; a dataset without chunks is one.
func (d *dataset) size() int {
	n := d.element.size
	if d.class != chunked {
		for _, l := range d.dims {
			n *= int(l)
		}
		return n
	}
	for _, l := range d.chunk {
		n *= l
	}
	return n
}

// shape spreads the lengths over the axes.
func (d *dataset) shape(axes loaders.Axes) (lazy.Shape, error) {
	if len(axes) == 0 && len(d.dims) == 0 {
		return lazy.Shape{1, 1, 1, 1, 1}, nil
	}
	return axes.Shape(d.dims)
}

package hdf5

import (
	"context"
)

// An index says where the chunks of a dataset lie. cell is the position of a chunk in the grid of all.
type index interface {
	find(ctx context.Context, cell []uint64) (stored, error)
}

// A stored chunk is a piece of the file. Nothing was written where the address is undefined.
type stored struct {
	at, n uint64
	mask  uint32 // bit i is set where filter i was left out
}

// absent is a chunk that was never written.
var absent = stored{at: undefined}

// Types of the chunk indexes of version 4 (section IV.A.2.i).
const (
	indexSingle = iota + 1
	indexImplicit
	indexFixed
	indexExtensible
	indexTree2
)

// newIndex reads the index of a layout of version 4: its type, parameters and the address. Lengths
// and widths that the parameters repeat are taken from the index itself.
func (d *dataset) newIndex(c *cursor, flags int, s dataspace) index {
	switch kind := c.u8(); kind {
	case indexSingle:
		x := &single{d: d, filtered: flags&2 != 0}
		if x.filtered {
			x.n, x.mask = c.length(), c.u32()
		}
		x.at = c.offset()
		return x
	case indexImplicit:
		return &implicit{d: d, at: c.offset()}
	case indexFixed:
		c.skip(1) // bits of a page
		return &fixedArray{d: d, at: c.offset()}
	case indexExtensible:
		c.skip(5)
		x := &extensibleArray{d: d, at: c.offset(), grows: -1}
		for i, m := range s.max {
			if m == undefined && x.grows < 0 {
				x.grows = i
			}
		}
		if x.grows < 0 {
			c.fail("an extensible array for a dataset that cannot grow")
		}
		return x
	case indexTree2:
		c.skip(6) // bytes of a node, two percentages
		return &newTree{d: d, at: c.offset()}
	}
	return nil
}

// single is the index of a dataset that is one chunk.
type single struct {
	d        *dataset
	filtered bool
	stored
}

func (x *single) find(context.Context, []uint64) (stored, error) {
	s := x.stored
	if !x.filtered {
		s.n = uint64(x.d.size())
	}
	return s, nil
}

// implicit is the index of chunks that lie one after the other.
type implicit struct {
	d  *dataset
	at uint64
}

func (x *implicit) find(_ context.Context, cell []uint64) (stored, error) {
	if x.at == undefined {
		return absent, nil
	}
	size := uint64(x.d.size())
	i, ok := x.d.number(cell)
	if !ok || i > 1<<62/size {
		return absent, damaged("a chunk beyond all files")
	}
	return stored{at: x.at + i*size, n: size}, nil
}

// number counts the chunks in the order of the dimensions, as far as these may grow.
func (d *dataset) number(cell []uint64) (uint64, bool) {
	var n uint64
	for i, k := range cell {
		if k >= d.grid[i] || n > 1<<60/d.grid[i] {
			return 0, false
		}
		n = n*d.grid[i] + k
	}
	return n, true
}

// oldTree is a B-tree of version 1 (section III.A.1): keys are the bytes of a chunk (4), its filter mask
// (4), and the place of its first voxel in each dimension and within a value (8 each).
type oldTree struct {
	d  *dataset
	at uint64
}

func (x *oldTree) find(ctx context.Context, cell []uint64) (stored, error) {
	if x.at == undefined {
		return absent, nil
	}
	// Arrays within a value are one dimension for the index.
	rank := x.d.outer()
	compare := func(key []byte) int {
		for i := range rank {
			at := little.Uint64(key[8+8*i:])
			switch want := cell[i] * uint64(x.d.chunk[i]); {
			case want < at:
				return -1
			case want > at:
				return 1
			}
		}
		return 0
	}
	for at, level := x.at, -1; ; {
		n, err := x.d.f.tree1(ctx, at, 1, 8+8*(rank+1))
		if err != nil {
			return absent, err
		}
		if level >= 0 && n.level != level {
			return absent, damaged("a B-tree's node of level %d below one of level %d", n.level, level+1)
		}
		low, high := 0, n.entries // the last key that is not behind the chunk
		for low < high {
			mid := (low + high) / 2
			if compare(n.keyAt(mid)) < 0 {
				high = mid
			} else {
				low = mid + 1
			}
		}
		if low == 0 {
			return absent, nil
		}
		key := n.keyAt(low - 1)
		if n.level == 0 {
			if compare(key) != 0 {
				return absent, nil
			}
			return stored{n.child(low - 1), uint64(little.Uint32(key)), little.Uint32(key[4:])}, nil
		}
		at, level = n.child(low-1), n.level-1
	}
}

// outer is the number of dimensions without those within a value.
func (d *dataset) outer() int {
	if d.kind.class == classArray {
		return len(d.chunk) - len(d.kind.dims)
	}
	return len(d.chunk)
}

// newTree is a B-tree of version 2 with a record for each chunk (section III.A.2): its address, with
// filters its bytes and mask, and its position in the grid (8 for each dimension).
type newTree struct {
	d  *dataset
	at uint64
}

func (x *newTree) find(ctx context.Context, cell []uint64) (stored, error) {
	if x.at == undefined {
		return absent, nil
	}
	f := x.d.f
	t, err := f.tree2(ctx, x.at)
	if err != nil {
		return absent, err
	}
	rank := x.d.outer()
	front := t.record - 8*rank
	if t.kind == 10 && front != f.offsets || t.kind == 11 && (front < f.offsets+5 || front > f.offsets+12) || t.kind != 10 && t.kind != 11 {
		return absent, damaged("a chunk index of type %d with records of %d bytes", t.kind, t.record)
	}
	r, err := t.search(ctx, func(record []byte) int {
		for i := range rank {
			switch at := little.Uint64(record[front+8*i:]); {
			case cell[i] < at:
				return -1
			case cell[i] > at:
				return 1
			}
		}
		return 0
	})
	if err != nil || r == nil {
		return absent, err
	}
	return f.entry(&cursor{p: r, f: f}, front, x.d)
}

// entry reads what an index keeps of a chunk in n bytes: the address, and with filters the bytes of the
// chunk in a width that is what is left, and the mask.
func (f *file) entry(c *cursor, n int, d *dataset) (stored, error) {
	s := stored{at: c.offset(), n: uint64(d.size())}
	if n > f.offsets {
		s.n, s.mask = c.uint(n-f.offsets-4), c.u32()
	}
	return s, c.err
}

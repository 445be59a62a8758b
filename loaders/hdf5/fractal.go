package hdf5

import (
	"context"
	"math/bits"
)

// A heap is a fractal heap (section III.G): the links or attributes of an object with many of them. Its
// objects lie in direct blocks, whose addresses are in a table of rows: of width blocks each, the first
// two rows of the start size, each further row of twice the size before. Rows that are too large for
// direct blocks hold tables of the same form.
type heap struct {
	f          *file
	idBytes    int
	maxManaged uint64
	hugeIndex  uint64 // B-tree of objects too large for a block
	width      int
	start      uint64 // bytes of the smallest block
	direct     uint64 // bytes of the largest direct block
	bits       int    // of the largest place in the heap
	root       uint64
	rows       int // of the root table; 0 if the root is a direct block
}

// heap reads the header FRHP.
func (f *file) heap(ctx context.Context, at uint64) (*heap, error) {
	c, err := f.body(ctx, at, 26+12*f.lengths+3*f.offsets, "FRHP", true)
	if err != nil {
		return nil, err
	}
	h := &heap{f: f}
	c.version(0, "a fractal heap")
	h.idBytes = c.u16()
	filters := c.u16()
	c.skip(1) // flags
	h.maxManaged = uint64(c.u32())
	c.length() // next ID of a huge object
	h.hugeIndex = c.offset()
	c.length() // free space
	c.offset() // and its manager
	for range 8 {
		c.length() // sizes and numbers of objects
	}
	h.width = c.u16()
	h.start, h.direct = c.length(), c.length()
	h.bits = c.u16()
	c.skip(2)
	h.root = c.offset()
	h.rows = c.u16()
	switch {
	case c.err != nil:
		return nil, c.err
	case filters != 0:
		return nil, unsupported("a fractal heap with filters")
	case h.width == 0 || h.width > 1<<12 || h.start < 32 || !power(h.start) || !power(h.direct) || h.direct < h.start || h.direct > maxPiece ||
		h.bits < 8 || h.bits > 64 || h.rows > 64 || !power(uint64(h.width)):
		return nil, damaged("the fractal heap at %d has blocks of %d to %d bytes, %d in a row", at, h.start, h.direct, h.width)
	}
	return h, nil
}

func power(n uint64) bool { return n != 0 && n&(n-1) == 0 }

// object is what an ID stands for: its first byte says whether it is in a block, by itself, or within
// the ID.
func (h *heap) object(ctx context.Context, id []byte) ([]byte, error) {
	c := &cursor{p: id, f: h.f}
	switch kind := c.u8(); kind >> 4 & 3 {
	case 0:
		at := c.uint((h.bits + 7) / 8)
		n := c.uint(max(1, (bits.Len64(min(h.direct, h.maxManaged))+7)/8))
		if c.err != nil {
			return nil, c.err
		}
		return h.managed(ctx, at, n)
	case 1:
		return h.huge(ctx, c)
	case 2:
		n := kind&15 + 1
		if h.idBytes > 18 {
			n = kind&15<<8 | c.u8() + 1
		}
		p := c.bytes(n)
		return p, c.err
	}
	return nil, damaged("an object of an unknown kind in a fractal heap")
}

// managed is an object of n bytes at a place in the heap.
func (h *heap) managed(ctx context.Context, at, n uint64) ([]byte, error) {
	block, size, begin, rows := h.root, h.start, uint64(0), h.rows
	if rows == 0 {
		size = h.start
	}
	for depth := 0; rows > 0; depth++ {
		if depth > 16 {
			return nil, damaged("tables of a fractal heap more than 16 deep")
		}
		row, column, from := h.cell(at - begin)
		if row >= rows {
			return nil, damaged("place %d of a fractal heap of %d rows", at, rows)
		}
		table, err := h.table(ctx, block, rows)
		if err != nil {
			return nil, err
		}
		// All entries are addresses of one width, direct ones first.
		table.skip((row*h.width + column) * h.f.offsets)
		if block = table.offset(); table.err != nil {
			return nil, table.err
		}
		begin += from
		if size = h.rowSize(row); size <= h.direct {
			break
		}
		rows = bits.Len64(size) - bits.Len64(h.start*uint64(h.width)) + 1
		if rows < 1 {
			return nil, damaged("a table of %d bytes in a fractal heap", size)
		}
	}
	if at < begin || at-begin > size || n > size-(at-begin) {
		return nil, damaged("an object of %d bytes at %d of a fractal heap's block of %d", n, at-begin, size)
	}
	c, err := h.f.kept(block, func() (*cursor, error) {
		return h.f.body(ctx, block, int(size), "FHDB", false)
	})
	if err != nil {
		return nil, err
	}
	c.skip(int(at - begin))
	p := c.bytes(int(n))
	return p, c.err
}

// rowSize is the bytes of each block in a row.
func (h *heap) rowSize(row int) uint64 {
	if row == 0 {
		return h.start
	}
	if row > 40 {
		return undefined
	}
	return h.start << (row - 1)
}

// cell finds the block that holds a place, and where the block begins, both from the table's own begin.
func (h *heap) cell(at uint64) (row, column int, begin uint64) {
	width := uint64(h.width)
	if first := h.start * width; at >= first {
		row = bits.Len64(at / first)
		begin = first << (row - 1)
	}
	size := h.rowSize(row)
	column = int((at - begin) / size)
	return row, column, begin + uint64(column)*size
}

// table reads an indirect block: FHIB, version, address of the header, place in the heap, the addresses,
// checksum.
func (h *heap) table(ctx context.Context, at uint64, rows int) (*cursor, error) {
	front := 5 + h.f.offsets + (h.bits+7)/8
	c, err := h.f.kept(at, func() (*cursor, error) {
		return h.f.body(ctx, at, front+rows*h.width*h.f.offsets+4, "FHIB", true)
	})
	if err == nil {
		c.skip(front)
	}
	return c, err
}

// huge is an object by itself: the ID holds its address and length, or its number in a B-tree whose
// records are address, length and number.
func (h *heap) huge(ctx context.Context, c *cursor) ([]byte, error) {
	if h.idBytes-1 >= h.f.offsets+h.f.lengths {
		at, n := c.offset(), c.count(maxPiece, "bytes in an object of a fractal heap")
		if c.err != nil {
			return nil, c.err
		}
		return h.f.fetch(ctx, at, n)
	}
	want := c.uint(min(8, h.f.lengths, h.idBytes-1))
	var found []byte
	err := h.f.records(ctx, h.hugeIndex, 1, func(c *cursor) error {
		at, n, id := c.offset(), c.count(maxPiece, "bytes in an object of a fractal heap"), c.length()
		if c.err != nil || id != want {
			return c.err
		}
		var err error
		found, err = h.f.fetch(ctx, at, n)
		return err
	})
	if err == nil && found == nil {
		err = damaged("object %d is not in its fractal heap", want)
	}
	return found, err
}

package hdf5

import (
	"context"
)

// maxLocalHeap bounds the names of one group of the old kind.
const maxLocalHeap = 64 << 20

// localHeap reads the names of a group (section III.D): HEAP, version, reserved (3), size of the data,
// the free list, address of the data.
func (f *file) localHeap(ctx context.Context, at uint64) ([]byte, error) {
	c, err := f.body(ctx, at, 8+2*f.lengths+f.offsets, "HEAP", false)
	if err != nil {
		return nil, err
	}
	c.version(0, "a local heap")
	c.skip(3)
	n := c.count(maxLocalHeap, "bytes of names")
	c.length()
	data := c.offset()
	if c.err != nil {
		return nil, c.err
	}
	return f.fetch(ctx, data, n)
}

// nameAt is the text at a place in a local heap.
func nameAt(heap []byte, at uint64) (string, error) {
	if at >= uint64(len(heap)) {
		return "", damaged("a name at %d of a heap of %d bytes", at, len(heap))
	}
	return cutAtZero(heap[at:]), nil
}

// global is an object of a global heap (section III.E), where texts of variable length are kept. Each
// collection is GCOL, version, reserved (3), size, and the objects: index (2), references (2), reserved
// (4), size, the data padded to 8 bytes.
func (f *file) global(ctx context.Context, at uint64, index uint32) ([]byte, error) {
	if index == 0 {
		return nil, nil
	}
	c, err := f.kept(at, func() (*cursor, error) {
		head, err := f.body(ctx, at, 8+f.lengths, "GCOL", false)
		if err != nil {
			return nil, err
		}
		head.version(1, "a global heap")
		head.skip(3)
		n := head.count(maxPiece, "bytes of a global heap")
		if head.err != nil {
			return nil, head.err
		}
		return f.body(ctx, at, n, "GCOL", false)
	})
	if err != nil {
		return nil, err
	}
	c.skip(8 + f.lengths)
	for c.err == nil && c.left() >= 8+f.lengths {
		id := c.u16()
		c.skip(6)
		n := c.count(maxPiece, "bytes of an object in a global heap")
		if id == 0 {
			break // the free space at the end
		}
		p := c.bytes(n)
		if uint32(id) == index && c.err == nil {
			return p, nil
		}
		c.skip(min(-n&7, c.left()))
	}
	return nil, damaged("object %d is not in the global heap at %d", index, at)
}

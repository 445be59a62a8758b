package hdf5

import "context"

// symbols reads a group of the old kind: a B-tree whose leaves are tables of symbols, and a heap of
// their names (sections III.A.1, III.C and III.D).
func (f *file) symbols(ctx context.Context, tree, heap uint64) ([]link, error) {
	names, err := f.localHeap(ctx, heap)
	if err != nil {
		return nil, err
	}
	var all []link
	left := maxLinks
	var walk func(at uint64, level int) error
	walk = func(at uint64, level int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.tree1(ctx, at, 0, f.lengths)
		if err != nil {
			return err
		}
		if level >= 0 && n.level != level {
			return damaged("a B-tree's node of level %d below one of level %d", n.level, level+1)
		}
		for i := range n.entries {
			if left--; left < 0 {
				return unsupported("a group of more than %d names", maxLinks)
			}
			if n.level > 0 {
				if err := walk(n.child(i), n.level-1); err != nil {
					return err
				}
				continue
			}
			more, err := f.symbolTable(ctx, n.child(i), names)
			if err != nil {
				return err
			}
			left -= len(more)
			all = append(all, more...)
		}
		return nil
	}
	return all, walk(tree, -1)
}

// symbolTable reads SNOD: version, reserved, number of symbols (2), and of each the place of its name,
// the address of its object, what is kept of it (4), reserved (4), and 16 bytes of that.
func (f *file) symbolTable(ctx context.Context, at uint64, names []byte) ([]link, error) {
	head, err := f.body(ctx, at, 8, "SNOD", false)
	if err != nil {
		return nil, err
	}
	head.skip(2)
	n := head.u16()
	each := 2*f.offsets + 24
	p, err := f.fetch(ctx, at+8, n*each)
	if err != nil {
		return nil, err
	}
	c := &cursor{p: p, f: f}
	var all []link
	for range n {
		name, object := c.offset(), c.offset()
		kind := c.u32()
		c.skip(4)
		scratch := c.bytes(16)
		if c.err != nil {
			return nil, c.err
		}
		l := link{at: object}
		if l.name, err = nameAt(names, name); err != nil {
			return nil, err
		}
		if kind == 2 { // a soft link, whose path is in the heap as well
			if l.soft, err = nameAt(names, uint64(little.Uint32(scratch))); err != nil {
				return nil, err
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// A node1 is a node of a B-tree of version 1.
type node1 struct {
	level, entries int
	key, address   int // bytes
	p              []byte
}

// tree1 reads a node (section III.A.1): TREE, type, level, number of entries (2), two neighbours, and
// then a key, a child, a key, a child and so on up to a last key.
func (f *file) tree1(ctx context.Context, at uint64, kind, key int) (node1, error) {
	front := 8 + 2*f.offsets
	c, err := f.kept(at, func() (*cursor, error) {
		head, err := f.body(ctx, at, 8, "TREE", false)
		if err != nil {
			return nil, err
		}
		head.skip(2)
		return f.body(ctx, at, front+head.u16()*(key+f.offsets)+key, "TREE", false)
	})
	if err != nil {
		return node1{}, err
	}
	c.skip(4)
	if got := c.u8(); got != kind {
		c.fail("a B-tree's node of type %d where %d is needed", got, kind)
	}
	n := node1{level: c.u8(), entries: c.u16(), key: key, address: f.offsets}
	c.skip(front - 8)
	n.p = c.bytes(n.entries*(key+f.offsets) + key)
	return n, c.err
}

func (n node1) keyAt(i int) []byte { return n.p[i*(n.key+n.address):][:n.key] }

func (n node1) child(i int) uint64 {
	var v uint64
	for k, b := range n.p[i*(n.key+n.address)+n.key:][:n.address] {
		v |= uint64(b) << (8 * k)
	}
	if n.address < 8 && v == 1<<(8*n.address)-1 {
		return undefined
	}
	return v
}

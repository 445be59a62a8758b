package hdf5

import (
	"context"
	"math/bits"
)

// A tree2 is a B-tree of version 2 (section III.A.2): records of one size in nodes of one size, in
// order.
type tree2 struct {
	f      *file
	kind   int
	node   int // bytes of a node
	record int // bytes of a record
	depth  int
	root   uint64
	first  int // records in the root

	counts []int // bytes of the number of all records below a node, by its depth
	number int   // bytes of the number of records in a node
	most   []int // records in a node, by its depth
}

// tree2 reads the header BTHD: version, type, node size (4), record size (2), depth (2), two
// percentages, address of the root, records in it (2), records in all.
func (f *file) tree2(ctx context.Context, at uint64) (*tree2, error) {
	c, err := f.kept(at, func() (*cursor, error) { return f.body(ctx, at, 22+f.offsets+f.lengths, "BTHD", true) })
	if err != nil {
		return nil, err
	}
	t := &tree2{f: f}
	c.skip(4)
	c.version(0, "a B-tree")
	t.kind, t.node, t.record, t.depth = c.u8(), int(c.u32()), c.u16(), c.u16()
	c.skip(2)
	t.root, t.first = c.offset(), c.u16()
	if c.err != nil {
		return nil, c.err
	}
	const overhead = 10 // signature, version, type, checksum
	if t.node < 64 || t.node > 1<<24 || t.record < 1 || t.depth > 16 || t.record > t.node-overhead {
		return nil, damaged("a B-tree at %d with nodes of %d bytes, records of %d, depth %d", at, t.node, t.record, t.depth)
	}
	// How many bytes a number of records takes follows from the largest that it may be.
	below := (t.node - overhead) / t.record
	t.number = (bits.Len(uint(below)) + 7) / 8
	t.most, t.counts = []int{below}, []int{0}
	for d := 1; d <= t.depth; d++ {
		pointer := f.offsets + t.number + t.counts[d-1]
		n := (t.node - overhead - pointer) / (t.record + pointer)
		if n < 1 || below > 1<<50 {
			return nil, damaged("a B-tree at %d of nodes too small for its records", at)
		}
		below = (n+1)*below + n
		t.most = append(t.most, n)
		t.counts = append(t.counts, (bits.Len(uint(below))+7)/8)
	}
	return t, nil
}

// A node2 is one node: its records, and in front of, between and behind them the nodes below.
type node2 struct {
	c       *cursor
	records []byte
	below   []branch
}

type branch struct {
	at uint64
	n  int
}

func (t *tree2) load(ctx context.Context, at uint64, n, depth int) (node2, error) {
	if n > t.most[depth] {
		return node2{}, damaged("a B-tree's node of %d records, %d fit", n, t.most[depth])
	}
	// A node is stored whole, but its checksum follows what is in use.
	size := 6 + n*t.record + 4
	signature := "BTLF"
	if depth > 0 {
		signature = "BTIN"
		size += (n + 1) * (t.f.offsets + t.number + t.counts[depth-1])
	}
	c, err := t.f.kept(at, func() (*cursor, error) { return t.f.body(ctx, at, size, signature, true) })
	if err != nil {
		return node2{}, err
	}
	c.skip(5)
	if kind := c.u8(); kind != t.kind {
		c.fail("a B-tree's node of type %d in one of type %d", kind, t.kind)
	}
	x := node2{c: c, records: c.bytes(n * t.record)}
	if depth > 0 {
		for range n + 1 {
			b := branch{c.offset(), int(c.uint(t.number))}
			c.skip(t.counts[depth-1])
			x.below = append(x.below, b)
		}
	}
	return x, c.err
}

// maxRecords bounds what is read of an index of links or attributes.
const maxRecords = 1 << 20

// records visits all records of a tree of the type, in order.
func (f *file) records(ctx context.Context, at uint64, kind int, visit func(*cursor) error) error {
	if at == undefined {
		return nil
	}
	t, err := f.tree2(ctx, at)
	if err != nil {
		return err
	}
	if t.kind != kind {
		return damaged("a B-tree of type %d where %d is needed", t.kind, kind)
	}
	if t.root == undefined || t.first == 0 && t.depth == 0 {
		return nil
	}
	left := maxRecords
	return t.walk(ctx, branch{t.root, t.first}, t.depth, &left, visit)
}

func (t *tree2) walk(ctx context.Context, b branch, depth int, left *int, visit func(*cursor) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if *left -= b.n + 1; *left < 0 {
		return unsupported("an index of more than %d records", maxRecords)
	}
	x, err := t.load(ctx, b.at, b.n, depth)
	if err != nil {
		return err
	}
	for i := range b.n + 1 {
		if depth > 0 {
			if err := t.walk(ctx, x.below[i], depth-1, left, visit); err != nil {
				return err
			}
		}
		if i < b.n {
			if err := visit(&cursor{p: x.records[i*t.record:][:t.record], f: t.f}); err != nil {
				return err
			}
		}
	}
	return nil
}

// search finds the record for which compare is 0; compare is below 0 where the wanted record comes
// first. It gives nil if there is none.
func (t *tree2) search(ctx context.Context, compare func(record []byte) int) ([]byte, error) {
	if t.root == undefined {
		return nil, nil
	}
	b := branch{t.root, t.first}
	for depth := t.depth; ; depth-- {
		x, err := t.load(ctx, b.at, b.n, depth)
		if err != nil {
			return nil, err
		}
		low, high := 0, b.n
		for low < high {
			mid := (low + high) / 2
			r := x.records[mid*t.record:][:t.record]
			switch k := compare(r); {
			case k == 0:
				return r, nil
			case k < 0:
				high = mid
			default:
				low = mid + 1
			}
		}
		if depth == 0 {
			return nil, nil
		}
		b = x.below[low]
	}
}

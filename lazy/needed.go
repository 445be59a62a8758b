package lazy

import "slices"

// Needed sums, over the computing nodes, the voxels that region r of a cannot do without: the least that
// any tiling computes. What several ops need of one node is counted once.
func Needed(a Array, r Region) int {
	want := map[[16]byte]*cover{a.node.Hash: {}}
	want[a.node.Hash].add(r)
	sum := 0
	for _, n := range topological(a.node) {
		if n.Source != nil {
			continue
		}
		metas := n.InMetas()
		want[n.Hash].split(n)
		for box := range want[n.Hash].boxes {
			sum += box.Voxels()
			for i, need := range n.Op.Need(box, metas) {
				in := n.In[i]
				if want[in.Hash] == nil {
					want[in.Hash] = &cover{}
				}
				for inside := range n.Op.Border().Inside(need, in.Meta.Shape) {
					want[in.Hash].add(inside)
				}
			}
		}
	}
	return sum
}

// A cover is a set of voxels in the form that needs have: on each axis some ranges, which two boxes that
// Wrap makes at both ends of an axis need not fill up to their hull.
type cover [Rank][]span

func (c *cover) add(r Region) {
	for a := range Rank {
		c[a] = merge(append(c[a], span{r.Min[a], r.Max[a]}))
	}
}

// mostBoxes bounds how many boxes a cover is split into: beyond, what lies between planes is counted with them.
const mostBoxes = 1 << 16

// split cuts ranges into single planes where a node takes only some of its input's.
func (c *cover) split(n *Node) {
	if c.empty() {
		return
	}
	for a := range Rank {
		length, boxes := 0, 1
		for _, s := range c[a] {
			length += s.max - s.min
		}
		for b := range Rank {
			if b != a {
				boxes *= len(c[b])
			}
		}
		if !n.skips(Axis(a)) || length > mostBoxes/boxes {
			continue
		}
		var single []span
		for _, s := range c[a] {
			for i := s.min; i < s.max; i++ {
				single = append(single, span{i, i + 1})
			}
		}
		c[a] = single
	}
}

// merge joins ranges that touch.
func merge(s []span) []span {
	slices.SortFunc(s, func(a, b span) int { return a.min - b.min })
	out := s[:1]
	for _, next := range s[1:] {
		if last := &out[len(out)-1]; next.min <= last.max {
			last.max = max(last.max, next.max)
		} else {
			out = append(out, next)
		}
	}
	return out
}

// empty reports whether nothing is needed, as of an array of a stack that a region lies beside.
func (c *cover) empty() bool { return c == nil || len(c[T]) == 0 }

// boxes visits the boxes that the ranges make.
func (c *cover) boxes(yield func(Region) bool) {
	if c.empty() {
		return
	}
	product(*c, yield)
}

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
		want[n.Hash].split(n.Op)
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

// split cuts ranges into single planes where an op takes only some of its input's.
func (c *cover) split(op Op) {
	v, ok := op.(view)
	for a := range Rank {
		if !ok || c == nil || !v.skips(Axis(a)) {
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

// boxes visits the boxes that the ranges make.
func (c *cover) boxes(yield func(Region) bool) {
	if c == nil || len(c[T]) == 0 {
		return
	}
	product(*c, yield)
}

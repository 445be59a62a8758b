package viewer

import "slices"

// spares is how many cuts that nobody looks at are kept for their memory.
const spares = 8

// newCut makes an empty cut in the memory of one that nobody looks at any more, so that scrubbing allocates no planes:
// memory that the system hands out anew is slow.
func (l *loop) newCut(sc *Scene, q Request, o Orientation) *Cut {
	c := newCutIn(l.memory, sc, q, o)
	l.made = append(l.made, c)
	return c
}

// memory is zeros, from a spare cut of that size if there is one.
func (l *loop) memory(words int) []uint64 {
	idle := 0
	for i := len(l.made) - 1; i >= 0; i-- {
		c := l.made[i]
		if l.looksAt(c) {
			continue
		}
		if m := c.block.Memory(); len(m) == words {
			l.made = slices.Delete(l.made, i, i+1)
			clear(m)
			return m
		}
		if idle++; idle > spares {
			l.made = slices.Delete(l.made, i, i+1)
		}
	}
	return make([]uint64, words)
}

// looksAt reports whether a cut is on view, is being filled, or is what the histogram was counted from. What still comes
// for a job that was dropped is not put into its cuts.
func (l *loop) looksAt(c *Cut) bool {
	holds := func(cuts map[int]*Cut) bool {
		for _, held := range cuts {
			if held == c {
				return true
			}
		}
		return false
	}
	if c == l.counted || holds(l.shown.cuts) {
		return true
	}
	return l.job != nil && (holds(l.job.cuts) || holds(l.job.samples) || holds(l.job.preview))
}

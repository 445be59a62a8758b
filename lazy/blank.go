package lazy

// Interior is the part of region out that op computes without looking beyond any input: all of it for
// most tiles, none of it where the halo is wider than the array.
func Interior(op Op, out Region, in []Meta) Region {
	r := out
	for a := range Rank {
		inside := func(i int) bool {
			for k, need := range op.Need(out.With(Axis(a), i, i+1), in) {
				if need.Min[a] < 0 || need.Max[a] > in[k].Shape[a] {
					return false
				}
			}
			return true
		}
		for r.Min[a] < r.Max[a] && !inside(r.Min[a]) {
			r.Min[a]++
		}
		for r.Max[a] > r.Min[a] && !inside(r.Max[a]-1) {
			r.Max[a]--
		}
	}
	return r
}

// ClearOutside sets to 0 every voxel of b that is not in keep.
func ClearOutside(b *Block, keep Region) {
	if keep.Contains(b.Region) {
		return
	}
	keep = keep.Intersect(b.Region)
	if keep.Empty() {
		clear(b.Bytes())
		return
	}
	rest := b.Region // what is left is cut off side by side, one axis after another
	for a := range Rank {
		ClearRegion(b, rest.With(Axis(a), rest.Min[a], keep.Min[a]))
		ClearRegion(b, rest.With(Axis(a), keep.Max[a], rest.Max[a]))
		rest = rest.With(Axis(a), keep.Min[a], keep.Max[a])
	}
}

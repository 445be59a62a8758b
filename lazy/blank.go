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
	bytes, size := b.Bytes(), b.DType.Size()
	width := b.Region.Len(X)
	lo, hi := (keep.Min[X]-b.Region.Min[X])*size, (keep.Max[X]-b.Region.Min[X])*size
	at := 0
	r := b.Region
	for t := r.Min[T]; t < r.Max[T]; t++ {
		for z := r.Min[Z]; z < r.Max[Z]; z++ {
			for c := r.Min[C]; c < r.Max[C]; c++ {
				for y := r.Min[Y]; y < r.Max[Y]; y++ {
					line := bytes[at : at+width*size]
					if at += width * size; keep.Has(Index{t, z, c, y, keep.Min[X]}) {
						clear(line[:lo])
						clear(line[hi:])
					} else {
						clear(line)
					}
				}
			}
		}
	}
}

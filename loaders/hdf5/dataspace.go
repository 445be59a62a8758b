package hdf5

// maxRank is the most dimensions that HDF5 allows.
const maxRank = 32

// A dataspace is the shape of a dataset or an attribute: no dimensions for a single value.
type dataspace struct {
	dims, max []uint64 // max is undefined where a dimension may grow without end
	null      bool     // holds nothing at all
}

// dataspace reads a dataspace message (section IV.A.2.b): version, rank, flags, in version 1 five
// reserved bytes and in version 2 a type, the lengths, and the greatest lengths if the flags say so.
func (c *cursor) dataspace() dataspace {
	var s dataspace
	version := c.version(2, "a dataspace")
	rank, flags := c.u8(), c.u8()
	if version == 1 {
		c.skip(5)
	} else {
		s.null = c.u8() == 2
	}
	if rank > maxRank {
		c.fail("%d dimensions", rank)
		return s
	}
	for range rank {
		s.dims = append(s.dims, c.length())
	}
	s.max = s.dims
	if flags&1 != 0 {
		s.max = nil
		for range rank {
			n := c.length()
			if c.f.lengths < 8 && n == 1<<(8*c.f.lengths)-1 {
				n = undefined
			}
			s.max = append(s.max, n)
		}
	}
	for d := range s.max {
		if s.max[d] < s.dims[d] && c.err == nil {
			c.fail("a dimension of %d that may have at most %d", s.dims[d], s.max[d])
		}
	}
	return s
}

// count is the number of values, if it is below a limit.
func (s dataspace) count(limit uint64) (int, bool) {
	if s.null {
		return 0, true
	}
	n := uint64(1)
	for _, d := range s.dims {
		if d == 0 {
			return 0, true
		}
		if n > limit/d {
			return 0, false
		}
		n *= d
	}
	return int(n), n <= limit
}

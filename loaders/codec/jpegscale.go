package codec

// enlarge writes component i to its place among the pixels of dst, enlarged to the size of the
// picture. Factors of 2 use a triangle filter with weights 3/4 and 1/4, whose centres are those of
// the samples; other factors repeat.
func (j *JPEG) enlarge(dst []byte, i int) {
	c := &j.Components[i]
	across, down := j.hMax/c.H, j.vMax/c.V
	whole := j.hMax%c.H == 0 && j.vMax%c.V == 0
	smooth := whole && c.width > 2
	n := len(j.Components)
	row := make([]byte, 2*c.width+2)
	for y := range j.Height {
		out := dst[y*j.Width*n+i:]
		switch {
		case across == 1 && down == 1 && whole:
			put(out, c.row(y), j.Width, n)
		case across == 2 && down == 1 && smooth:
			widenRow(row, c.row(y), c.width)
			put(out, row, j.Width, n)
		case across == 2 && down == 2 && smooth:
			widenRows(row, c.row(y/2), c.row(c.beside(y)), c.width)
			put(out, row, j.Width, n)
		case across == 1 && down == 2 && whole:
			near, far := c.row(y/2), c.row(c.beside(y))
			for x := range j.Width {
				out[x*n] = byte((3*int(near[x]) + int(far[x]) + 1 + y&1) >> 2)
			}
		default:
			in := c.row(y * c.V / j.vMax)
			for x := range j.Width {
				out[x*n] = in[x*c.H/j.hMax]
			}
		}
	}
}

// row is one row of samples.
func (c *JPEGComponent) row(y int) []byte { return c.data[y*c.stride:][:c.stride] }

// beside is the row that is second nearest to row y of a picture twice as high.
func (c *JPEGComponent) beside(y int) int {
	if y&1 == 0 {
		return max(0, y/2-1)
	}
	return min(c.height-1, y/2+1)
}

func put(out, row []byte, width, step int) {
	for x, v := range row[:width] {
		out[x*step] = v
	}
}

// widenRow makes 2*n samples of n. Halves are rounded down and up in turn, so that no side wins.
func widenRow(out, in []byte, n int) {
	for x := range n {
		v := 3 * int(in[x])
		left, right := int(in[max(0, x-1)]), int(in[min(n-1, x+1)])
		out[2*x], out[2*x+1] = byte((v+left+1)>>2), byte((v+right+2)>>2)
	}
}

// widenRows does the same between two rows, the first of which is three times as near.
func widenRows(out, near, far []byte, n int) {
	sum := func(x int) int { return 3*int(near[x]) + int(far[x]) }
	left, v := sum(0), sum(0)
	for x := range n {
		right := v
		if x+1 < n {
			right = sum(x + 1)
		}
		out[2*x], out[2*x+1] = byte((3*v+left+8)>>4), byte((3*v+right+7)>>4)
		left, v = v, right
	}
}

package viewer

import (
	"math"
	"strconv"

	"lamella/lazy"
)

// A Cut is one channel's voxels on the plane on view. Its block is a plane of samples: sample
// (row, column) is the level's voxel at row·Step[1], column·Step[0], both counted from index 0
// of the level. A Cut belongs to one goroutine.
type Cut struct {
	Request
	rows, cols span
	place      [2]place // of samples on the finest level, across and down
	block      *lazy.Block
	missing    int // samples that no piece has brought yet
}

// span is a half-open range of sample numbers.
type span struct{ min, max int }

// place maps sample numbers to positions: position = shift + scale·number.
type place struct{ scale, shift float64 }

// newCut makes an empty cut for a request of the scene. It allocates the samples, at most a few
// for each device pixel.
func newCut(sc *Scene, q Request, o Orientation) *Cut {
	return newCutIn(func(words int) []uint64 { return make([]uint64, words) }, sc, q, o)
}

// newCutIn is newCut with samples in memory of zeros that is given.
func newCutIn(memory func(words int) []uint64, sc *Scene, q Request, o Orientation) *Cut {
	across, down, _ := o.Axes()
	m := sc.levelMap(q.Level)
	c := &Cut{Request: q}
	for k, a := range [2]lazy.Axis{across, down} {
		s := span{(q.Region.Min[a] + q.Step[k] - 1) / q.Step[k], (q.Region.Max[a]-1)/q.Step[k] + 1}
		c.place[k] = place{m.scale[a] * float64(q.Step[k]), m.shift[a]}
		if k == 0 {
			c.cols = s
		} else {
			c.rows = s
		}
	}
	samples, d := lazy.Region{
		Min: lazy.Index{0, 0, 0, c.rows.min, c.cols.min},
		Max: lazy.Index{1, 1, 1, c.rows.max, c.cols.max},
	}, q.Array.Meta().DType
	c.block = lazy.NewBlockIn(memory(lazy.Words(samples, d)), samples, d)
	c.missing = c.block.Len()
	return c
}

// put copies the samples that lie in a piece of the region, and gives the range of samples that
// it brought. Each voxel is brought once. A cut whose rows run along the slower axis is turned on the way.
func (c *Cut) put(b *lazy.Block, o Orientation) (rows, cols span) {
	across, down, _ := o.Axes()
	within := func(s span, a lazy.Axis, step int) span {
		return span{max(s.min, (b.Region.Min[a]+step-1)/step), min(s.max, (b.Region.Max[a]-1)/step+1)}
	}
	rows, cols = within(c.rows, down, c.Step[1]), within(c.cols, across, c.Step[0])
	if rows.max <= rows.min || cols.max <= cols.min {
		return span{}, span{}
	}
	size, strides := b.DType.Size(), b.Strides()
	from, to := b.Bytes(), c.block.Bytes()
	n, next := cols.max-cols.min, c.Step[0]*strides[across]*size
	for r := rows.min; r < rows.max; r++ {
		f := ((r*c.Step[1]-b.Region.Min[down])*strides[down] + (cols.min*c.Step[0]-b.Region.Min[across])*strides[across]) * size
		t := ((r-c.rows.min)*(c.cols.max-c.cols.min) + cols.min - c.cols.min) * size
		if next == size {
			copy(to[t:t+n*size], from[f:])
			continue
		}
		for i := range n {
			copy(to[t+i*size:t+(i+1)*size], from[f+i*next:])
		}
	}
	c.missing -= n * (rows.max - rows.min)
	return rows, cols
}

// whole reports whether every sample is there.
func (c *Cut) whole() bool { return c.missing <= 0 }

// sample is where the sample nearest to a position lies in the block, and false outside the cut.
func (c *Cut) sample(across, down float64) (int, bool) {
	col := int(math.Floor((across-c.place[0].shift)/c.place[0].scale + 0.5))
	row := int(math.Floor((down-c.place[1].shift)/c.place[1].scale + 0.5))
	if col < c.cols.min || col >= c.cols.max || row < c.rows.min || row >= c.rows.max {
		return 0, false
	}
	return (row-c.rows.min)*(c.cols.max-c.cols.min) + col - c.cols.min, true
}

// Text is value number i of a block as a person writes it: whole numbers exactly, float32 with as many
// digits as it holds, float64 with the seven that are not noise, and NaN and Inf by name.
func Text(b *lazy.Block, i int) string {
	switch b.DType {
	case lazy.U64:
		return strconv.FormatUint(lazy.View[uint64](b)[i], 10)
	case lazy.I64:
		return strconv.FormatInt(lazy.View[int64](b)[i], 10)
	case lazy.F32:
		return strconv.FormatFloat(float64(lazy.View[float32](b)[i]), 'g', -1, 32)
	case lazy.F64:
		v := lazy.View[float64](b)[i]
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v, 'g', 7, 64)
	}
	return strconv.FormatFloat(valueAt(b, i), 'f', -1, 64)
}

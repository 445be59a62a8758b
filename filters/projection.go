package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
)

// A projection is the op of project. It implements lazy.Op.
type projection struct {
	axis     lazy.Axis
	how      string
	from, to int // the part of the axis that is reduced
	group    int // to one voxel for each group of so many, or if 0 to one in all
	around   int // if not 0, the slab around each voxel
	out      lazy.DType

	voxels        int     // how many a mean is of
	scale, centre float64 // of the range along the axis, for the metadata
}

// groups is how many voxels the range is reduced to.
func (o projection) groups() int {
	if o.group == 0 {
		return 1
	}
	return (o.to - o.from + o.group - 1) / o.group
}

// slab is what voxel i of the result along the axis is made of, in an axis of n voxels.
func (o projection) slab(i, n int) (from, to int) {
	switch {
	case o.around > 0:
		return max(0, i-o.around), min(n, i+o.around+1)
	case o.group > 0:
		return o.from + i*o.group, min(o.to, o.from+(i+1)*o.group)
	}
	return o.from, o.to
}

func (o projection) Name() string { return fmt.Sprintf("%s along %v", o.how, o.axis) }

func (o projection) Key() string {
	return fmt.Sprintf("project %v %s %d:%d %d %d %d %v", o.axis, o.how, o.from, o.to, o.group, o.around, o.voxels, o.out)
}

func (o projection) Border() lazy.Border { return lazy.Border{} }

func (o projection) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = o.out
	if o.around == 0 {
		m.Shape[o.axis], m.Chunk[o.axis] = o.groups(), 1
		m.Scale[o.axis], m.Origin[o.axis] = o.scale, o.centre
	}
	return m, nil
}

// Need never sticks out: at the ends of the axis a slab is thinner.
func (o projection) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	n := in[0].Shape[o.axis]
	from, _ := o.slab(out.Min[o.axis], n)
	_, to := o.slab(out.Max[o.axis]-1, n)
	return []lazy.Region{out.With(o.axis, from, to)}
}

func (o projection) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	switch src[0].DType {
	case lazy.U8:
		return projectRows[uint8, int64](ctx, o, dst, src[0])
	case lazy.I8:
		return projectRows[int8, int64](ctx, o, dst, src[0])
	case lazy.U16:
		return projectRows[uint16, int64](ctx, o, dst, src[0])
	case lazy.I16:
		return projectRows[int16, int64](ctx, o, dst, src[0])
	case lazy.U32:
		return projectRows[uint32, int64](ctx, o, dst, src[0])
	case lazy.I32:
		return projectRows[int32, int64](ctx, o, dst, src[0])
	case lazy.U64:
		return projectRows[uint64, float64](ctx, o, dst, src[0])
	case lazy.I64:
		return projectRows[int64, float64](ctx, o, dst, src[0])
	case lazy.F32:
		return projectRows[float32, float64](ctx, o, dst, src[0])
	}
	return projectRows[float64, float64](ctx, o, dst, src[0])
}

// projectRows reduces rows of voxels that run across the axis: along x, or along y if x is the axis or short.
func projectRows[V lazy.Number, S int64 | float64](ctx context.Context, o projection, dst, src *lazy.Block) error {
	r, along := dst.Region, lazy.X
	if o.axis == lazy.X || o.axis != lazy.Y && r.Len(lazy.X) < shortRow && r.Len(lazy.Y) > r.Len(lazy.X) {
		along = lazy.Y
	}
	n, voxels := r.Len(along), lazy.View[V](src)
	red := reduction[V, S]{
		stride: src.Strides()[along], step: src.Strides()[o.axis],
		extreme: make([]V, n), sum: make([]S, n), real: make([]float64, n),
	}
	for row := range r.With(along, r.Min[along], r.Min[along]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		i := row.Min
		from := i
		first, end := o.slab(i[o.axis], src.Region.Max[o.axis])
		from[o.axis], red.count = first, end-first
		if err := red.reduce(ctx, o, voxels[src.Offset(from):]); err != nil {
			return err
		}
		red.store(dst, dst.Offset(i), dst.Strides()[along], o.how)
	}
	return nil
}

// A reduction makes one row of several, each step voxels after the one before, whose voxels are stride apart.
type reduction[V lazy.Number, S int64 | float64] struct {
	stride, step, count int

	extreme []V // least or greatest so far
	sum     []S
	real    []float64 // mean, sum or standard deviation: the result if that is a real number
}

func (r *reduction[V, S]) reduce(ctx context.Context, o projection, voxels []V) error {
	how := o.how
	if how == "max" || how == "min" {
		return r.rows(ctx, voxels, func(row []V, first bool) {
			switch {
			case first:
				for i := range r.extreme {
					r.extreme[i] = row[i*r.stride]
				}
			case how == "max":
				for i, v := range r.extreme {
					r.extreme[i] = max(v, row[i*r.stride])
				}
			default:
				for i, v := range r.extreme {
					r.extreme[i] = min(v, row[i*r.stride])
				}
			}
		})
	}
	n := o.voxels
	if o.around > 0 {
		n = r.count
	}
	clear(r.sum)
	err := r.rows(ctx, voxels, func(row []V, _ bool) {
		for i := range r.sum {
			r.sum[i] += S(row[i*r.stride])
		}
	})
	for i, s := range r.sum {
		if r.real[i] = float64(s); how == "mean" && o.group == 0 {
			r.real[i] /= float64(n)
		}
	}
	if how != "sd" || err != nil {
		return err
	}
	clear(r.real)
	err = r.rows(ctx, voxels, func(row []V, _ bool) {
		for i, s := range r.sum {
			d := float64(row[i*r.stride]) - float64(s)/float64(n)
			r.real[i] += float64(d * d) // rounded before it is added, on every processor
		}
	})
	for i, s := range r.real {
		r.real[i] = math.Sqrt(s / float64(n))
	}
	return err
}

// rows visits the rows in order and looks at ctx every some of them.
func (r *reduction[V, S]) rows(ctx context.Context, voxels []V, visit func(row []V, first bool)) error {
	for k := range r.count {
		if k%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		visit(voxels[k*r.step:], k == 0)
	}
	return nil
}

// store writes the row: extremes have the type of the image, sums of a group of integers are integers, everything
// else is real.
func (r *reduction[V, S]) store(dst *lazy.Block, at, stride int, how string) {
	if how == "max" || how == "min" {
		put(lazy.View[V](dst)[at:], stride, r.extreme)
		return
	}
	switch dst.DType {
	case lazy.I64:
		put(lazy.View[int64](dst)[at:], stride, r.sum)
	case lazy.F64:
		put(lazy.View[float64](dst)[at:], stride, r.real)
	default:
		put(lazy.View[float32](dst)[at:], stride, r.real)
	}
}

func put[D, V lazy.Number](dst []D, stride int, row []V) {
	for i, v := range row {
		dst[i*stride] = D(v)
	}
}

package filters

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/lazy"
)

// project reduces an axis to one voxel, or each voxel to a slab around it along that axis. Integers up to 32 bits
// are summed exactly. The standard deviation is that of the voxels themselves (divided by their number).
var project = Spec{
	Name: "project", Title: "Projection",
	Doc:       "The maximum, minimum, mean, sum or standard deviation along an axis: of all of it, of a range, or of a slab around each plane.",
	Reference: "numpy.max, min, mean, sum and std along an axis",
	Params: []Param{
		{Name: "axis", Kind: Choice, Default: "z", Choices: []string{"z", "y", "x", "t", "c"}, Doc: "the axis to project along"},
		{Name: "how", Kind: Choice, Default: "max", Choices: projections, Doc: "what is taken of the voxels; sd is their standard deviation"},
		{Name: "range", Kind: Text, Doc: "which part of the axis, as A:B with A included and B not; empty for all of it"},
		{Name: "around", Kind: Integer, Default: "0", Max: 1000,
			Doc: "if not 0, each plane becomes the projection of itself and this many on each side, as far as they exist"},
		dtypeParam,
	},
	build: buildProject,
}

var projections = []string{"max", "min", "mean", "sum", "sd"}

func buildProject(a lazy.Array, v values) (lazy.Array, error) {
	op := projection{how: v.text["how"], around: int(v.number("around")), out: a.Meta().DType}
	op.axis = lazy.Axis(strings.Index("tzcyx", v.text["axis"]))
	if v.text["range"] != "" && op.around > 0 {
		return lazy.Array{}, fmt.Errorf("range=%s around=%d: expected one of the two", v.text["range"], op.around)
	}
	var err error
	if op.from, op.to, err = span(v.text["range"], a.Meta().Shape[op.axis]); err != nil {
		return lazy.Array{}, err
	}
	out := v.dtype(op.out)
	if op.how != "max" && op.how != "min" {
		if op.out = lazy.F32; v.dtype(lazy.F32) != lazy.F32 {
			op.out = lazy.F64 // which holds what another type is made of
		}
		out = v.dtype(lazy.F32)
	}
	if a, err = lazy.Apply(op, a); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// span reads A:B, either of which may be left out, and cuts it to an axis of n voxels.
func span(text string, n int) (from, to int, err error) {
	if text == "" {
		return 0, n, nil
	}
	a, b, ok := strings.Cut(text, ":")
	to = n
	if ok && a != "" {
		from, err = strconv.Atoi(a)
	}
	if ok && b != "" && err == nil {
		to, err = strconv.Atoi(b)
	}
	if !ok || err != nil {
		return 0, 0, fmt.Errorf("range=%s: expected A:B, such as 10:20", text)
	}
	if from, to = max(from, 0), min(to, n); from >= to {
		return 0, 0, fmt.Errorf("range=%s: holds none of the %d planes, which are 0:%d", text, n, n)
	}
	return from, to, nil
}

// A projection is the op of project. It implements lazy.Op.
type projection struct {
	axis     lazy.Axis
	how      string
	from, to int // what the axis is reduced to one voxel of
	around   int // if not 0, the slab around each voxel
	out      lazy.DType
}

func (o projection) Name() string { return fmt.Sprintf("%s along %v", o.how, o.axis) }

func (o projection) Key() string {
	return fmt.Sprintf("project %v %s %d %d %d %v", o.axis, o.how, o.from, o.to, o.around, o.out)
}

func (o projection) Border() lazy.Border { return lazy.Border{} }

func (o projection) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = o.out
	if o.around == 0 {
		m.Shape[o.axis], m.Chunk[o.axis] = 1, 1
		m.Origin[o.axis] += m.Scale[o.axis] * float64(o.from+o.to-1) / 2
	}
	return m, nil
}

// Need never sticks out: at the ends of the axis a slab is thinner.
func (o projection) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	from, to := o.from, o.to
	if o.around > 0 {
		from, to = max(0, out.Min[o.axis]-o.around), min(in[0].Shape[o.axis], out.Max[o.axis]+o.around)
	}
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
	for first := range r.With(along, r.Min[along], r.Min[along]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		i := first.Min
		from := i
		from[o.axis], red.count = src.Region.Min[o.axis], src.Region.Len(o.axis)
		if o.around > 0 {
			from[o.axis] = max(i[o.axis]-o.around, src.Region.Min[o.axis])
			red.count = min(i[o.axis]+o.around+1, src.Region.Max[o.axis]) - from[o.axis]
		}
		if err := red.reduce(ctx, o.how, voxels[src.Offset(from):]); err != nil {
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

func (r *reduction[V, S]) reduce(ctx context.Context, how string, voxels []V) error {
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
	clear(r.sum)
	err := r.rows(ctx, voxels, func(row []V, _ bool) {
		for i := range r.sum {
			r.sum[i] += S(row[i*r.stride])
		}
	})
	for i, s := range r.sum {
		if r.real[i] = float64(s); how == "mean" {
			r.real[i] /= float64(r.count)
		}
	}
	if how != "sd" || err != nil {
		return err
	}
	clear(r.real)
	n := float64(r.count)
	err = r.rows(ctx, voxels, func(row []V, _ bool) {
		for i, s := range r.sum {
			d := float64(row[i*r.stride]) - float64(s)/n
			r.real[i] += float64(d * d) // rounded before it is added, on every processor
		}
	})
	for i, s := range r.real {
		r.real[i] = math.Sqrt(s / n)
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

// store writes the row: extremes have the type of the image, everything else is real.
func (r *reduction[V, S]) store(dst *lazy.Block, at, stride int, how string) {
	if how == "max" || how == "min" {
		put(lazy.View[V](dst)[at:], stride, r.extreme)
	} else if dst.DType == lazy.F64 {
		put(lazy.View[float64](dst)[at:], stride, r.real)
	} else {
		put(lazy.View[float32](dst)[at:], stride, r.real)
	}
}

func put[D, V lazy.Number](dst []D, stride int, row []V) {
	for i, v := range row {
		dst[i*stride] = D(v)
	}
}

package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
)

// A parabolaOp moves the top of a parabola along one axis. As an erosion (least) a voxel becomes the highest
// place that the top can take there with the parabola below the image; as a dilation (greatest) it becomes the
// highest place that a parabola with its top on the image reaches. Voxels are real. It implements lazy.Op.
type parabolaOp struct {
	axis           lazy.Axis
	radius, height float64 // it falls by height/2 at radius, where it ends
	end            end
	edge           lazy.Border
}

func (o parabolaOp) Name() string { return fmt.Sprintf("parabola %v", o.axis) }

func (o parabolaOp) Key() string {
	return fmt.Sprintf("parabola %v %v %g %g %v", o.end, o.axis, o.radius, o.height, o.edge)
}

func (o parabolaOp) Infer(in []lazy.Meta) (lazy.Meta, error) {
	if !in[0].DType.Float() {
		return lazy.Meta{}, fmt.Errorf("a parabola stands on real voxels, not on %v", in[0].DType)
	}
	return unlabelled(in[0]), nil
}

func (o parabolaOp) reach() int { return int(math.Round(o.radius)) }

func (o parabolaOp) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.With(o.axis, out.Min[o.axis]-o.reach(), out.Max[o.axis]+o.reach())}
}

func (o parabolaOp) Border() lazy.Border { return o.edge }

func (o parabolaOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	if dst.DType == lazy.F32 {
		return parabolaRows(ctx, o, dst, src[0], &parabolas32)
	}
	return parabolaRows(ctx, o, dst, src[0], &parabolas64)
}

// parabolaRows goes along rows of x, or of y in a block that is thin along x. The taps of a row are other rows,
// two at a time: those as far before the voxel as after it.
func parabolaRows[E float32 | float64](ctx context.Context, o parabolaOp, dst, src *lazy.Block, run *parabolas[E]) error {
	along, across := lazy.X, lazy.Y
	r := dst.Region
	if r.Len(lazy.X) < shortRow && r.Len(lazy.Y) > r.Len(lazy.X) {
		along, across = lazy.Y, lazy.X
	}
	n, far := r.Len(along), o.reach()
	drop := make([]E, far+1)
	for d := range drop {
		drop[d] = E(o.height * float64(d*d) / (2 * o.radius * o.radius))
	}
	tap := run.lower
	if o.end == greatest {
		tap = run.upper
	}
	long := n
	if o.axis == along {
		long += 2 * far
	}
	out, in := lazy.View[E](dst), lazy.View[E](src)
	to, from := dst.Strides(), src.Strides()
	result, before, after := make([]E, n), make([]E, long), make([]E, long)
	rowAt := func(i lazy.Index, buf []E) []E {
		at := src.Offset(i)
		if from[along] == 1 {
			return in[at : at+long]
		}
		for k := range buf {
			buf[k] = in[at+k*from[along]]
		}
		return buf
	}
	lines := r.With(along, r.Min[along], r.Min[along]+1).With(across, r.Min[across], r.Min[across]+1)
	for plane := range lines.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		i := plane.Min
		for ; i[across] < r.Max[across]; i[across]++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if o.axis == along {
				start := i
				start[along] -= far
				row := rowAt(start, before)
				copy(result, row[far:])
				for d := 1; d <= far; d++ {
					tap(result, row[far-d:], row[far+d:], drop[d])
				}
			} else {
				copy(result, rowAt(i, before))
				for d := 1; d <= far; d++ {
					lo, hi := i, i
					lo[o.axis] -= d
					hi[o.axis] += d
					tap(result, rowAt(lo, before), rowAt(hi, after), drop[d])
				}
			}
			put(out[dst.Offset(i):], to[along], result)
		}
	}
	return nil
}

// parabolas are the loops over rows: lower gives each voxel the least of itself, a + w and b + w; upper the greatest of
// itself, a - w and b - w. NaN in a or b counts for nothing. A file for one processor may put faster ones in.
type parabolas[E float32 | float64] struct {
	lower, upper func(dst, a, b []E, w E)
}

var (
	parabolas32 = parabolas[float32]{lowerParabola[float32], upperParabola[float32]}
	parabolas64 = parabolas[float64]{lowerParabola[float64], upperParabola[float64]}
)

func lowerParabola[E float32 | float64](dst, a, b []E, w E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i, v := range dst {
		if x := a[i] + w; x < v {
			v = x
		}
		if x := b[i] + w; x < v {
			v = x
		}
		dst[i] = v
	}
}

func upperParabola[E float32 | float64](dst, a, b []E, w E) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i, v := range dst {
		if x := a[i] - w; x > v {
			v = x
		}
		if x := b[i] - w; x > v {
			v = x
		}
		dst[i] = v
	}
}

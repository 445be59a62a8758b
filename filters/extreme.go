package filters

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// An end is which of several values is taken.
type end uint8

const (
	least end = iota
	greatest
)

func (e end) String() string { return [...]string{"minimum", "maximum"}[e] }

// An extremeOp is the least or greatest value of a run of voxels along one axis: from before to after ahead.
// It implements lazy.Op.
type extremeOp struct {
	axis          lazy.Axis
	before, after int
	end           end
	edge          lazy.Border
}

func (o extremeOp) Name() string { return fmt.Sprintf("%v %v", o.end, o.axis) }

func (o extremeOp) Key() string {
	return fmt.Sprintf("%v %v %d %d %v", o.end, o.axis, o.before, o.after, o.edge)
}

func (o extremeOp) Infer(in []lazy.Meta) (lazy.Meta, error) { return unlabelled(in[0]), nil }

func (o extremeOp) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.With(o.axis, out.Min[o.axis]-o.before, out.Max[o.axis]+o.after)}
}

func (o extremeOp) Border() lazy.Border { return o.edge }

func (o extremeOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	return keyed(dst, func(dst *lazy.Block) error {
		switch dst.DType {
		case lazy.U8:
			return extremeRows[uint8](ctx, o, dst, src[0])
		case lazy.I8:
			return extremeRows[int8](ctx, o, dst, src[0])
		case lazy.U16:
			return extremeRows[uint16](ctx, o, dst, src[0])
		case lazy.I16:
			return extremeRows[int16](ctx, o, dst, src[0])
		case lazy.U32:
			return extremeRows[uint32](ctx, o, dst, src[0])
		case lazy.I32:
			return extremeRows[int32](ctx, o, dst, src[0])
		case lazy.U64:
			return extremeRows[uint64](ctx, o, dst, src[0])
		}
		return extremeRows[int64](ctx, o, dst, src[0])
	})
}

func extremeRows[K whole](ctx context.Context, o extremeOp, dst, src *lazy.Block) error {
	out, in := rasters[K](dst, src)
	pick := orderOf[K]().lesser
	if o.end == greatest {
		pick = orderOf[K]().greater
	}
	r, width := dst.Region, o.before+o.after+1
	n := r.Len(out.along)
	long := n
	if o.axis == out.along {
		long += width - 1
	}
	one, other, result := make([]K, long), make([]K, long), make([]K, n)
	return out.planes(func(i lazy.Index) error {
		for ; i[out.across] < r.Max[out.across]; i[out.across]++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			to := out.row(i, n, result)
			from := i
			from[o.axis] -= o.before
			first := in.row(from, long, one)
			if o.axis == out.along {
				extremeAlong(to, first, other, width, pick)
			} else {
				copy(to, first)
				for range width - 1 {
					from[o.axis]++
					pick(to, to, in.row(from, n, one))
				}
			}
			if out.strides[out.along] != 1 {
				out.put(i, to)
			}
		}
		return nil
	})
}

// extremeAlong gives each voxel the extreme of the width voxels that begin with it: runs of twice the length are
// made of two runs, until two runs that overlap make one of the full width.
func extremeAlong[K whole](dst, row, buf []K, width int, pick func(dst, a, b []K)) {
	run := 1
	for ; 2*run <= width; run *= 2 {
		n := len(row) - run
		pick(buf[:n], row[:n], row[run:])
		row = buf[:n]
	}
	pick(dst, row, row[width-run:])
}

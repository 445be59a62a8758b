package filters

import (
	"context"

	"lamella/lazy"
)

// Compute implements lazy.Op.
func (o binning) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	if o.how == "max" || o.how == "min" {
		return o.extreme(ctx, dst, src[0])
	}
	in, scale := reals(src[0]), 1.0
	if o.how == "mean" {
		scale = float64(o.size.Voxels())
	}
	sums := make([]float64, dst.Region.Len(lazy.X))
	return o.rows(ctx, dst, src[0], func(to int, from []int) {
		clear(sums)
		for _, f := range from {
			for i := range sums {
				for k := range o.size[lazy.X] {
					sums[i] += in[f+i*o.size[lazy.X]+k]
				}
			}
		}
		for i := range sums {
			sums[i] /= scale
		}
		write(dst, to, sums)
	})
}

// rows visits the rows of a block: where each begins, and where the rows of src begin that it is made of.
func (o binning) rows(ctx context.Context, dst, src *lazy.Block, visit func(to int, from []int)) error {
	r := dst.Region
	from := make([]int, 0, o.size.Voxels()/o.size[lazy.X])
	for row := range r.With(lazy.X, r.Min[lazy.X], r.Min[lazy.X]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, first := row.Min, row.Min
		for a := range first {
			first[a] *= o.size[a]
		}
		from = from[:0]
		for z := range o.size[lazy.Z] {
			for y := range o.size[lazy.Y] {
				i := first
				i[lazy.Z], i[lazy.Y] = i[lazy.Z]+z, i[lazy.Y]+y
				from = append(from, src.Offset(i))
			}
		}
		visit(dst.Offset(at), from)
	}
	return nil
}

// write puts values into a block from some voxel on, rounded and clamped to its type.
func write(b *lazy.Block, at int, values []float64) {
	switch b.DType {
	case lazy.U8:
		converted(lazy.View[uint8](b)[at:], values)
	case lazy.I8:
		converted(lazy.View[int8](b)[at:], values)
	case lazy.U16:
		converted(lazy.View[uint16](b)[at:], values)
	case lazy.I16:
		converted(lazy.View[int16](b)[at:], values)
	case lazy.U32:
		converted(lazy.View[uint32](b)[at:], values)
	case lazy.I32:
		converted(lazy.View[int32](b)[at:], values)
	case lazy.U64:
		converted(lazy.View[uint64](b)[at:], values)
	case lazy.I64:
		converted(lazy.View[int64](b)[at:], values)
	case lazy.F32:
		converted(lazy.View[float32](b)[at:], values)
	default:
		copy(lazy.View[float64](b)[at:], values)
	}
}

func converted[E lazy.Number](out []E, values []float64) {
	for i, v := range values {
		out[i] = lazy.Convert[E](v)
	}
}

// extreme is the greatest or least voxel of each box, in the type of the image and so exact.
func (o binning) extreme(ctx context.Context, dst, src *lazy.Block) error {
	if dst.DType != src.DType { // another type was asked for: real numbers, which are rounded at the end
		wide := lazy.NewBlock(dst.Region, src.DType)
		if err := o.extreme(ctx, wide, src); err != nil {
			return err
		}
		write(dst, 0, reals(wide))
		return nil
	}
	switch src.DType {
	case lazy.U8:
		return binExtreme[uint8](ctx, o, dst, src)
	case lazy.I8:
		return binExtreme[int8](ctx, o, dst, src)
	case lazy.U16:
		return binExtreme[uint16](ctx, o, dst, src)
	case lazy.I16:
		return binExtreme[int16](ctx, o, dst, src)
	case lazy.U32:
		return binExtreme[uint32](ctx, o, dst, src)
	case lazy.I32:
		return binExtreme[int32](ctx, o, dst, src)
	case lazy.U64:
		return binExtreme[uint64](ctx, o, dst, src)
	case lazy.I64:
		return binExtreme[int64](ctx, o, dst, src)
	case lazy.F32:
		return binExtreme[float32](ctx, o, dst, src)
	}
	return binExtreme[float64](ctx, o, dst, src)
}

func binExtreme[V lazy.Number](ctx context.Context, o binning, dst, src *lazy.Block) error {
	in, n, size := lazy.View[V](src), dst.Region.Len(lazy.X), o.size[lazy.X]
	return o.rows(ctx, dst, src, func(to int, from []int) {
		out := lazy.View[V](dst)[to:][:n]
		for k, f := range from {
			for i := range out {
				for j, v := range in[f+i*size:][:size] {
					switch {
					case k == 0 && j == 0:
						out[i] = v
					case o.how == "max":
						out[i] = max(out[i], v)
					default:
						out[i] = min(out[i], v)
					}
				}
			}
		}
	})
}

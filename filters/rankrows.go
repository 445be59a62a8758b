package filters

import (
	"context"
	"slices"

	"lamella/lazy"
)

// Compute implements lazy.Op.
func (o rankOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	return keyed(dst, func(dst *lazy.Block) error {
		switch dst.DType {
		case lazy.U8:
			return rankRows(ctx, o, dst, src[0], histogramRow[uint8])
		case lazy.I8:
			return rankRows(ctx, o, dst, src[0], histogramRow[int8])
		case lazy.U16:
			return rankRows(ctx, o, dst, src[0], histogramRow[uint16])
		case lazy.I16:
			return rankRows(ctx, o, dst, src[0], histogramRow[int16])
		case lazy.U32:
			return rankRows(ctx, o, dst, src[0], selectRow[uint32])
		case lazy.I32:
			return rankRows(ctx, o, dst, src[0], selectRow[int32])
		case lazy.U64:
			return rankRows(ctx, o, dst, src[0], selectRow[uint64])
		}
		return rankRows(ctx, o, dst, src[0], selectRow[int64])
	})
}

// rankRows runs the network of the box, or row by row what is made for larger ones.
func rankRows[K whole](ctx context.Context, o rankOp, dst, src *lazy.Block, row func(context.Context, *window[K], []K) error) error {
	out, in := rasters[K](dst, src)
	net := o.alongX
	if out.along == lazy.Y {
		net = o.alongY
	}
	if net != nil {
		return networkRows(ctx, net, out, in, boxHalo(o.width))
	}
	r, n := dst.Region, dst.Region.Len(out.along)
	w := window[K]{rank: o.rank, width: o.width[out.along], count: make([]int32, 1<<min(16, 8*src.DType.Size()))}
	w.rows = make([][]K, o.width[lazy.Z]*o.width[out.across])
	w.bufs = make([][]K, len(w.rows))
	for k := range w.bufs {
		if in.voxels == nil || in.strides[in.along] != 1 {
			w.bufs[k] = make([]K, n+w.width-1)
		}
	}
	result, before := make([]K, n), boxHalo(o.width).Before
	return out.planes(func(i lazy.Index) error {
		for ; i[out.across] < r.Max[out.across]; i[out.across]++ {
			at := i
			for a := range lazy.Rank {
				at[a] -= before[a]
			}
			for k := range w.rows {
				from := at
				from[lazy.Z] += k / o.width[out.across]
				from[out.across] += k % o.width[out.across]
				w.rows[k] = in.row(from, n+w.width-1, w.bufs[k])
			}
			if err := row(ctx, &w, result); err != nil {
				return err
			}
			out.put(i, result)
		}
		return nil
	})
}

// A window is a box that slides along the rows it covers.
type window[K whole] struct {
	rank, width int
	rows, bufs  [][]K

	values []K     // of one box, for selectRow
	count  []int32 // of each value, for histogramRow: all 0 between rows
	groups [256]int32
}

// voxelsBetweenLooks is about how many voxels are handled between two looks at the context.
const voxelsBetweenLooks = 1 << 18

func (w *window[K]) cancelled(ctx context.Context, x int) error {
	if x%max(1, voxelsBetweenLooks/(len(w.rows)*w.width)) == 0 {
		return ctx.Err()
	}
	return nil
}

// histogramRow counts the values of the box as it slides, each also in a group of 256 neighbours (of 1 for
// types of 8 bits), so that the rank is found in two short walks.
//
//	Huang, Yang, Tang, A fast two-dimensional median filtering algorithm, 1979.
func histogramRow[K uint8 | int8 | uint16 | int16](ctx context.Context, w *window[K], dst []K) error {
	lo, _ := lazy.TypeOf[K]().Range()
	first := int(lo)
	shift := 0
	if len(w.count) > 256 {
		shift = 8
	}
	count := func(x int, by int32) {
		for _, row := range w.rows {
			v := int(row[x]) - first
			w.count[v] += by
			w.groups[v>>shift] += by
		}
	}
	for x := range w.width - 1 {
		count(x, 1)
	}
	end := len(dst)
	var err error
	for x := range dst {
		if err = w.cancelled(ctx, x); err != nil {
			end = x
			break
		}
		count(x+w.width-1, 1)
		left, g := int32(w.rank), 0
		for left >= w.groups[g] {
			left -= w.groups[g]
			g++
		}
		v := g << shift
		for left >= w.count[v] {
			left -= w.count[v]
			v++
		}
		dst[x] = K(v + first)
		count(x, -1)
	}
	for x := end; x < end+w.width-1; x++ {
		count(x, -1)
	}
	return err
}

// selectRow copies each box and parts it around the rank.
func selectRow[K whole](ctx context.Context, w *window[K], dst []K) error {
	for x := range dst {
		if err := w.cancelled(ctx, x); err != nil {
			return err
		}
		w.values = w.values[:0]
		for _, row := range w.rows {
			w.values = append(w.values, row[x:x+w.width]...)
		}
		dst[x] = pick(w.values, w.rank)
	}
	return nil
}

// pick is the value of a rank, by Hoare's FIND; it changes the order of the values. A box that makes it slow is
// sorted instead.
func pick[K whole](v []K, rank int) K {
	lo, hi := 0, len(v)-1
	for tries := 0; lo < hi; tries++ {
		if tries > 64 {
			slices.Sort(v[lo : hi+1])
			break
		}
		mid := v[lo+(hi-lo)/2]
		if a, b := v[lo], v[hi]; (a < mid) == (a > b) { // the middle of three
			mid = a
		} else if (b < mid) == (b > a) {
			mid = b
		}
		i, j := lo, hi
		for i <= j {
			for v[i] < mid {
				i++
			}
			for v[j] > mid {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case rank <= j:
			hi = j
		case rank >= i:
			lo = i
		default:
			return v[rank]
		}
	}
	return v[rank]
}

package filters

import (
	"context"
	"math"

	"lamella/lazy"
)

// Compute implements lazy.Op. The box slides along rows of x, or of y in a block that is thin along x, and its
// histogram with it.
func (o equalizeOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	if dst.DType == lazy.F32 {
		return equalizeRows[float32](ctx, o, dst, src[0])
	}
	return equalizeRows[float64](ctx, o, dst, src[0])
}

func equalizeRows[E float32 | float64](ctx context.Context, o equalizeOp, dst, src *lazy.Block) error {
	along, across := lazy.X, lazy.Y
	r := dst.Region
	if r.Len(lazy.X) < shortRow && r.Len(lazy.Y) > r.Len(lazy.X) {
		along, across = lazy.Y, lazy.X
	}
	level, none := o.levelsOf(src), noNumber(src)
	from, to, out := src.Strides(), dst.Strides(), lazy.View[E](dst)
	var slice []int // where the voxels of one slice of the box lie, from its first on
	for z := range o.width[lazy.Z] {
		for k := range o.width[across] {
			slice = append(slice, z*from[lazy.Z]+k*from[across])
		}
	}
	width, before := o.width[along], boxHalo(o.width).Before
	// A voxel of level g becomes low + (a share of pop) of the range.
	pop := o.width.Voxels()
	h := clipped{most: int32(o.most)}
	for line := range r.With(along, r.Min[along], r.Min[along]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first := line.Min
		at := dst.Offset(first)
		for a := range lazy.Rank {
			first[a] -= before[a]
		}
		start := src.Offset(first)
		middle := start + before[along]*from[along] + before[across]*from[across] + before[lazy.Z]*from[lazy.Z]
		h.clear()
		for k := range width - 1 {
			h.add(level[start+k*from[along]:], slice)
		}
		for k := range r.Len(along) {
			h.add(level[start+(k+width-1)*from[along]:], slice)
			g := level[middle+k*from[along]]
			spread := float64(pop-int(h.total)) * float64(int(g)+1) / levels
			share := (float64(h.upTo(g)) + spread) / float64(pop)
			out[at+k*to[along]] = E(o.low + float64(share*(o.high-o.low)))
			if none(middle + k*from[along]) {
				out[at+k*to[along]] = E(math.NaN())
			}
			h.remove(level[start+k*from[along]:], slice)
		}
	}
	return nil
}

// noNumber tells the voxels of a block that are NaN, which stay so.
func noNumber(b *lazy.Block) func(i int) bool {
	switch b.DType {
	case lazy.F32:
		v := lazy.View[float32](b)
		return func(i int) bool { return v[i] != v[i] }
	case lazy.F64:
		v := lazy.View[float64](b)
		return func(i int) bool { return v[i] != v[i] }
	}
	return func(int) bool { return false }
}

// levelsOf is the bin of each voxel. What is below low, and NaN, is in the first, what is above high in the last.
func (o equalizeOp) levelsOf(b *lazy.Block) []uint8 {
	switch b.DType {
	case lazy.U8:
		return levelsOf(o, lazy.View[uint8](b))
	case lazy.I8:
		return levelsOf(o, lazy.View[int8](b))
	case lazy.U16:
		return levelsOf(o, lazy.View[uint16](b))
	case lazy.I16:
		return levelsOf(o, lazy.View[int16](b))
	case lazy.U32:
		return levelsOf(o, lazy.View[uint32](b))
	case lazy.I32:
		return levelsOf(o, lazy.View[int32](b))
	case lazy.U64:
		return levelsOf(o, lazy.View[uint64](b))
	case lazy.I64:
		return levelsOf(o, lazy.View[int64](b))
	case lazy.F32:
		return levelsOf(o, lazy.View[float32](b))
	}
	return levelsOf(o, lazy.View[float64](b))
}

func levelsOf[V lazy.Number](o equalizeOp, voxels []V) []uint8 {
	level := make([]uint8, len(voxels))
	for i, v := range voxels {
		switch x := float64((float64(v)-o.low)/(o.high-o.low)) * (levels - 1); {
		case x >= levels-1:
			level[i] = levels - 1
		case x > 0:
			level[i] = uint8(float64(x) + 0.5)
		}
	}
	return level
}

// A clipped histogram counts levels, of each at most so many. Sums of sixteen levels make its sums quick.
type clipped struct {
	most   int32
	counts [levels]int32 // not clipped
	sums   [levels / 16]int32
	total  int32
}

func (h *clipped) clear() { *h = clipped{most: h.most} }

func (h *clipped) add(level []uint8, slice []int) {
	for _, at := range slice {
		g := level[at]
		if h.counts[g] < h.most {
			h.sums[g>>4]++
			h.total++
		}
		h.counts[g]++
	}
}

func (h *clipped) remove(level []uint8, slice []int) {
	for _, at := range slice {
		g := level[at]
		h.counts[g]--
		if h.counts[g] < h.most {
			h.sums[g>>4]--
			h.total--
		}
	}
}

// upTo is the sum of the counts of the levels up to g.
func (h *clipped) upTo(g uint8) int32 {
	sum := int32(0)
	for _, s := range h.sums[:g>>4] {
		sum += s
	}
	for _, c := range h.counts[g&^15 : int(g)+1] {
		sum += min(c, h.most)
	}
	return sum
}

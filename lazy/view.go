package lazy

import (
	"context"
	"fmt"
)

// A view is an op that puts voxels elsewhere and computes none. Every axis of its result runs along one axis
// of its input, from some index on, in steps of one or more voxels, backwards if the step is negative, or
// standing still if it is 0. Slices, strides, transpositions and repetitions are all views, and a view of a
// view is one view: x[5000,:] of a transposed array reads what x[:,5000] of the array reads, by the same key.
type view struct {
	axis [Rank]Axis // of the input, for each axis of the result
	from [Rank]int  // index in the input of the result's voxel 0
	step [Rank]int
	meta Meta // of the result
}

// same is the view that gives an array like m as it is.
func same(m Meta) view {
	v := view{meta: m}
	for a := range Rank {
		v.axis[a], v.step[a] = Axis(a), 1
	}
	return v
}

// of is the view of an array: of what the array is a view of, if it is one.
func (v view) of(a Array) Array {
	n := a.node
	if under, ok := n.Op.(view); ok {
		v, n = v.after(under), n.In[0]
	}
	for a, l := range v.meta.Shape {
		if l == 1 {
			v.step[a] = 1 // one voxel has no next, and the key is one
		}
	}
	plain := same(n.Meta)
	if v.meta.Shape == n.Meta.Shape && v.axis == plain.axis && v.from == plain.from && v.step == plain.step {
		return Array{n}
	}
	out, _ := Apply(v, Array{n}) // a view suits the array it was made for
	return out
}

// after is the view of a view.
func (v view) after(under view) view {
	out := v
	for a := range Rank {
		b := v.axis[a]
		out.axis[a] = under.axis[b]
		out.from[a] = under.from[b] + under.step[b]*v.from[a]
		out.step[a] = under.step[b] * v.step[a]
	}
	return out
}

// Name implements Op.
func (v view) Name() string { return "view" }

// Key implements Op.
func (v view) Key() string {
	return fmt.Sprintf("view of %v from %v in steps of %v: %v", v.axis, v.from, v.step, v.meta.Shape)
}

// Infer implements Op.
func (v view) Infer([]Meta) (Meta, error) { return v.meta, nil }

// Border implements Op. A view never looks beyond its input.
func (v view) Border() Border { return Border{} }

// Need implements Op: the box from the first voxel that is seen to the last. With a stride it holds the voxels
// between them too, except along an axis that is cut into single planes (see Layout.Grid).
func (v view) Need(out Region, _ []Meta) []Region {
	var in Region
	if out.Empty() {
		return []Region{in}
	}
	for a := range Rank {
		first, last := v.from[a]+v.step[a]*out.Min[a], v.from[a]+v.step[a]*(out.Max[a]-1)
		in.Min[v.axis[a]], in.Max[v.axis[a]] = min(first, last), max(first, last)+1
	}
	return []Region{in}
}

// stride is by how many voxels a view steps along an axis of its result, forwards or backwards.
func (v view) stride(a Axis) int { return abs(v.step[a]) }

// skips reports whether a node leaves out voxels along an axis so that it pays to ask for single planes: few
// planes make a tile anyway, or what lies between two of them may be whole chunks. Rows stay whole.
func (n *Node) skips(a Axis) bool {
	v, ok := n.Op.(view)
	return ok && v.stride(a) > 1 && (a <= C || a == Y && v.stride(a) >= n.In[0].Meta.Chunk[v.axis[a]])
}

// Compute implements Op.
func (v view) Compute(ctx context.Context, dst *Block, src []*Block) error {
	switch dst.DType.Size() {
	case 1:
		return rearrange(ctx, v, dst, src[0], words[uint8](dst), words[uint8](src[0]))
	case 2:
		return rearrange(ctx, v, dst, src[0], words[uint16](dst), words[uint16](src[0]))
	case 4:
		return rearrange(ctx, v, dst, src[0], words[uint32](dst), words[uint32](src[0]))
	}
	return rearrange(ctx, v, dst, src[0], words[uint64](dst), words[uint64](src[0]))
}

// rearrange fills dst in planes. They hold rows along X and, beside them, the axis whose voxels lie
// closest together in src, so that what is read of a cache line is used before the line is gone.
func rearrange[W uint8 | uint16 | uint32 | uint64](ctx context.Context, v view, dst, src *Block, to, from []W) error {
	strides, r := src.Strides(), dst.Region
	var step [Rank]int // from a voxel's place in src to its neighbour's
	first := 0
	for a := range Rank {
		b := v.axis[a]
		step[a] = v.step[a] * strides[b]
		first += (v.from[a] + v.step[a]*r.Min[a] - src.Region.Min[b]) * strides[b]
	}
	near := Y
	for a := T; a < X; a++ {
		if r.Len(a) > 1 && (r.Len(near) == 1 || abs(step[a]) < abs(step[near])) {
			near = a
		}
	}
	width := r.Len(X)
	if abs(step[X]) > band {
		width = band
	}
	p := plane[W]{ny: r.Len(near), dstY: dst.Strides()[near], srcY: step[near], srcX: step[X]}
	for x := r.Min[X]; x < r.Max[X]; x += width {
		p.nx = min(width, r.Max[X]-x)
		for o := range r.With(near, r.Min[near], r.Min[near]+1).With(X, x, x+1).Tiles(Shape{1, 1, 1, 1, 1}) {
			at := first
			for a := range Rank {
				at += (o.Min[a] - r.Min[a]) * step[a]
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			p.fill(to[dst.Offset(o.Min):], from, at)
		}
	}
	return nil
}

func abs(n int) int { return max(n, -n) }

// band is how many columns are filled at a time where neighbours along X lie far apart in src: few enough that
// their cache lines, at distances that are often a power of two, are still there for the next row.
const band = 32

// A plane is ny rows of nx voxels, in dst dstY apart. In src rows are srcY apart, and the voxels of one srcX.
type plane[W uint8 | uint16 | uint32 | uint64] struct{ ny, nx, dstY, srcY, srcX int }

// fill copies the plane whose first voxel is from[at].
func (p plane[W]) fill(to, from []W, at int) {
	for y := range p.ny {
		row, o := to[y*p.dstY:][:p.nx], at+y*p.srcY
		if p.srcX == 1 {
			copy(row, from[o:])
			continue
		}
		for i := range row {
			row[i] = from[o]
			o += p.srcX
		}
	}
}

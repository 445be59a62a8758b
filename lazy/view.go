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
func (v view) stride(a Axis) int { return max(v.step[a], -v.step[a]) }

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

// rearrange fills dst plane by plane. Each voxel stands a constant distance after its neighbour in src.
func rearrange[W uint8 | uint16 | uint32 | uint64](ctx context.Context, v view, dst, src *Block, to, from []W) error {
	strides, r := src.Strides(), dst.Region
	var step [Rank]int
	first := 0
	for a := range Rank {
		b := v.axis[a]
		step[a] = v.step[a] * strides[b]
		first += (v.from[a] + v.step[a]*r.Min[a] - src.Region.Min[b]) * strides[b]
	}
	ny, nx := r.Len(Y), r.Len(X)
	for t := range r.Len(T) {
		for z := range r.Len(Z) {
			for c := range r.Len(C) {
				at := first + t*step[T] + z*step[Z] + c*step[C]
				if err := plane(ctx, to[:ny*nx], nx, from, at, step[Y], step[X]); err != nil {
					return err
				}
				to = to[ny*nx:]
			}
		}
	}
	return nil
}

// side is of the squares in which a plane is turned: of rows so short, those read and those written stay in
// the first-level cache together.
const side = 32

// plane fills rows of nx voxels with those from index at on, stepY and stepX apart.
func plane[W uint8 | uint16 | uint32 | uint64](ctx context.Context, to []W, nx int, from []W, at, stepY, stepX int) error {
	ny := len(to) / nx
	for y0 := 0; y0 < ny; y0 += side {
		if err := ctx.Err(); err != nil {
			return err
		}
		y1 := min(y0+side, ny)
		if stepX == 1 {
			for y := y0; y < y1; y++ {
				copy(to[y*nx:][:nx], from[at+y*stepY:])
			}
			continue
		}
		for x0 := 0; x0 < nx; x0 += side {
			for y := y0; y < y1; y++ {
				row, o := to[y*nx+x0:][:min(side, nx-x0)], at+y*stepY+x0*stepX
				for i := range row {
					row[i] = from[o]
					o += stepX
				}
			}
		}
	}
	return nil
}

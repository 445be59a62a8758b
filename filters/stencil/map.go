package stencil

import (
	"fmt"

	"lamella/lazy"
)

// Map computes a stencil's text for several arrays, which it calls x, y, z, u, v and w in their order:
//
//	ratio, err := stencil.Map("x / max(y, 1)", green, red)
//
// An array that is one voxel long on an axis is repeated along it to the length of the others. A text may look
// at neighbours; beyond the edge the arrays are reflected. A text that holds only integer operations gives the
// smallest type that holds the values of all the arrays' types, clamped; any other float32, or float64 if a
// type is of 64 bits.
func Map(text string, in ...lazy.Array) (lazy.Array, error) {
	if len(in) < 1 || len(in) > 6 {
		return lazy.Array{}, fmt.Errorf("stencil: map %q: expected 1 to 6 arrays, found %d", text, len(in))
	}
	kernel, err := ParseOf("map", text, Names(len(in)), nil)
	if err != nil {
		return lazy.Array{}, err
	}
	out := lazy.F32
	for _, a := range in {
		if a.Meta().DType.Size() == 8 {
			out = lazy.F64
		}
	}
	if kernel.Whole() {
		out = holding(in)
	}
	if in, err = alike(in); err != nil {
		return lazy.Array{}, fmt.Errorf("stencil: map %q: %w", text, err)
	}
	return lazy.Apply(Op{Kernel: kernel, Out: out}, in...)
}

// alike is the arrays in one shape. Along each axis the first that has the length says how it lies in space.
func alike(in []lazy.Array) ([]lazy.Array, error) {
	like := in[0].Meta()
	for _, a := range in[1:] {
		m := a.Meta()
		for ax, n := range m.Shape {
			if like.Shape[ax] == 1 && n > 1 {
				like.Shape[ax], like.Chunk[ax] = n, m.Chunk[ax]
				like.Scale[ax], like.Unit[ax], like.Origin[ax] = m.Scale[ax], m.Unit[ax], m.Origin[ax]
			}
		}
	}
	out := make([]lazy.Array, len(in))
	for n, a := range in {
		var err error
		if out[n], err = lazy.Broadcast(a, like); err != nil {
			return nil, fmt.Errorf("array %d: %w", n+1, err)
		}
	}
	return out, nil
}

// holding is the smallest type that holds every value of the arrays' types; float64 if none does.
func holding(in []lazy.Array) lazy.DType {
	for _, d := range lazy.DTypes() {
		holds := true
		for _, a := range in {
			holds = holds && holdsAll(d, a.Meta().DType)
		}
		if holds {
			return d
		}
	}
	return lazy.F64
}

// holdsAll reports whether type d tells all values of another from each other.
func holdsAll(d, of lazy.DType) bool {
	lo, hi := d.Range()
	least, most := of.Range()
	switch {
	case !d.Float():
		return !of.Float() && lo <= least && most <= hi
	case of.Float():
		return d >= of
	case d == lazy.F32:
		return most <= mantissa
	}
	return most <= 1<<53
}

// copied gives every voxel as it is: with a type of its own it is a cast.
var copied = Build("cast", func(b *Builder) Value { return b.Load(0) })

// Cast is an array in another type, rounded to nearest (halves away from zero) and clamped to what it holds.
func Cast(a lazy.Array, d lazy.DType) (lazy.Array, error) {
	if !d.Valid() {
		return lazy.Array{}, fmt.Errorf("stencil: cast: %v is not a voxel type", d)
	}
	if a.Meta().DType == d {
		return a, nil
	}
	return lazy.Apply(Op{Kernel: copied, Out: d}, a)
}

package lazy

import "fmt"

// Transpose is a with its axes in another order: axis order[i] of a becomes axis i, with its length, chunk,
// scale, unit and origin. order is some order of T, Z, C, Y and X.
func Transpose(a Array, order [Rank]Axis) (Array, error) {
	m := a.Meta()
	v := same(m)
	var seen [Rank]bool
	for to, from := range order {
		if from < T || from > X || seen[from] {
			return Array{}, fmt.Errorf("lazy: transposing: expected t, z, c, y and x in some order, found %v", order)
		}
		seen[from] = true
		v.axis[to] = from
		v.meta.Shape[to], v.meta.Chunk[to] = m.Shape[from], m.Chunk[from]
		v.meta.Scale[to], v.meta.Unit[to], v.meta.Origin[to] = m.Scale[from], m.Unit[from], m.Origin[from]
	}
	return v.of(a), nil
}

// SwapAxes is a with two of its axes in each other's place.
func SwapAxes(a Array, p, q Axis) Array {
	order := [Rank]Axis{T, Z, C, Y, X}
	order[p], order[q] = order[q], order[p]
	out, _ := Transpose(a, order)
	return out
}

// Broadcast repeats axes of length 1 so that a has the shape of an array like m, whose chunk, scale, unit and
// origin it takes along them. No voxel is stored twice: each tile asks for the one voxel that it repeats.
func Broadcast(a Array, like Meta) (Array, error) {
	v := same(a.Meta())
	for ax, n := range like.Shape {
		switch v.meta.Shape[ax] {
		case n:
		case 1:
			v.step[ax] = 0
			v.meta.Shape[ax], v.meta.Chunk[ax] = n, like.Chunk[ax]
			v.meta.Scale[ax], v.meta.Unit[ax], v.meta.Origin[ax] = like.Scale[ax], like.Unit[ax], like.Origin[ax]
		default:
			return Array{}, fmt.Errorf("lazy: broadcasting %v to %v: expected a length of 1 or %d along %v, found %d", a.Meta().Shape, like.Shape, n, Axis(ax), v.meta.Shape[ax])
		}
	}
	return v.of(a), nil
}

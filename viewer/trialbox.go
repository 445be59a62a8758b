package viewer

import (
	"math"

	"lamella/lazy"
)

// onView is the box of the finest level that a picture shows, at most so many voxels along each axis, about the middle.
func (sc *Scene) onView(s State, most int) lazy.Region {
	g := sc.Geometry(s)
	lo, hi := g.visible()
	shape := sc.Raw[0].Meta().Shape
	r := lazy.At(s.At, lazy.Shape{1, 1, 1, 1, 1}).With(lazy.T, 0, 1).With(lazy.C, 0, 1)
	for k, a := range [2]lazy.Axis{g.Across, g.Down} {
		first, last := int(math.Floor(lo[k]+0.5)), int(math.Ceil(hi[k]+0.5))
		if over := last - first - most; over > 0 {
			first, last = first+over/2, last-(over+1)/2
		}
		r = r.With(a, max(0, first), min(shape[a], last))
	}
	return r
}

// mostTried is how many voxels a trial is long at the most, and triedGrid where its edges lie, so that small movements need
// nothing new.
const (
	mostTried = 1024
	triedGrid = 32
)

// rounded is a box with its edges on a grid.
func (sc *Scene) rounded(r lazy.Region) lazy.Region {
	shape := sc.Raw[0].Meta().Shape
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if r.Len(a) > 1 {
			r = r.With(a, r.Min[a]/triedGrid*triedGrid, min(shape[a], (r.Max[a]+triedGrid-1)/triedGrid*triedGrid))
		}
	}
	return r
}

// narrower is the middle of a box, half as long along each axis that is longer than the grid.
func narrower(r lazy.Region) lazy.Region {
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if n := r.Len(a); n > 2*triedGrid {
			r = r.With(a, r.Min[a]+n/4, r.Max[a]-n/4)
		}
	}
	return r
}

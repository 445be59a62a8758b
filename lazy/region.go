package lazy

import (
	"fmt"
	"iter"
)

// Axis numbers the five axes in storage order: T is slowest, X is fastest.
type Axis int

// The axes of every array. An axis that an image does not have has length 1.
const (
	T Axis = iota
	Z
	C
	Y
	X
)

// Rank is the number of axes of every array, region and block.
const Rank = 5

// String gives the lower-case letter that files and flags use: t, z, c, y or x.
func (a Axis) String() string {
	if a < T || a > X {
		return fmt.Sprintf("axis(%d)", int(a))
	}
	return "tzcyx"[a : a+1]
}

// An Index is the position of one voxel, counted from 0 on each axis. It may lie outside
// the array: a border rule then says which voxel stands there.
type Index [Rank]int

// A Shape is a number of voxels along each axis.
type Shape [Rank]int

// Voxels is the product of the lengths.
func (s Shape) Voxels() int {
	n := 1
	for _, l := range s {
		n *= l
	}
	return n
}

// Whole is the region that an array of this shape covers.
func (s Shape) Whole() Region { return Region{Max: Index(s)} }

// String writes the lengths as files name them: "1x64x2x512x512".
func (s Shape) String() string {
	return fmt.Sprintf("%dx%dx%dx%dx%d", s[0], s[1], s[2], s[3], s[4])
}

// A Region is a box of voxels: Min is inside it, Max is one past its end on each axis. It is
// a comparable value, so it can be a map key. The zero Region is empty.
type Region struct{ Min, Max Index }

// At is the region of shape s whose first voxel is min.
func At(min Index, s Shape) Region {
	r := Region{Min: min}
	for a := range Rank {
		r.Max[a] = min[a] + s[a]
	}
	return r
}

// Shape is the length of r along each axis; an empty region has a length of 0 or less.
func (r Region) Shape() Shape {
	var s Shape
	for a := range Rank {
		s[a] = r.Max[a] - r.Min[a]
	}
	return s
}

// Len is the length of r along one axis.
func (r Region) Len(a Axis) int { return r.Max[a] - r.Min[a] }

// Empty reports whether r holds no voxel.
func (r Region) Empty() bool {
	for a := range Rank {
		if r.Max[a] <= r.Min[a] {
			return true
		}
	}
	return false
}

// Voxels is the number of voxels in r.
func (r Region) Voxels() int {
	if r.Empty() {
		return 0
	}
	return r.Shape().Voxels()
}

// Intersect is the largest region that lies in both; it is the zero Region if there is none.
func (r Region) Intersect(o Region) Region {
	for a := range Rank {
		r.Min[a] = max(r.Min[a], o.Min[a])
		r.Max[a] = min(r.Max[a], o.Max[a])
	}
	if r.Empty() {
		return Region{}
	}
	return r
}

// Union is the smallest region that holds both; an empty region adds nothing.
func (r Region) Union(o Region) Region {
	switch {
	case r.Empty():
		return o
	case o.Empty():
		return r
	}
	for a := range Rank {
		r.Min[a] = min(r.Min[a], o.Min[a])
		r.Max[a] = max(r.Max[a], o.Max[a])
	}
	return r
}

// Contains reports whether every voxel of o lies in r.
func (r Region) Contains(o Region) bool { return o.Empty() || r.Intersect(o) == o }

// Has reports whether the voxel at i lies in r.
func (r Region) Has(i Index) bool {
	for a := range Rank {
		if i[a] < r.Min[a] || i[a] >= r.Max[a] {
			return false
		}
	}
	return true
}

// Grow is r made larger by a halo; it may stick out of the array.
func (r Region) Grow(h Halo) Region {
	for a := range Rank {
		r.Min[a] -= h.Before[a]
		r.Max[a] += h.After[a]
	}
	return r
}

// With is r with one axis set to [min, max).
func (r Region) With(a Axis, min, max int) Region {
	r.Min[a], r.Max[a] = min, max
	return r
}

// String writes each axis that is longer than one voxel, or all of a single voxel:
// "z=3:4 y=0:512 x=0:512".
func (r Region) String() string {
	s := ""
	for a := range Rank {
		s += fmt.Sprintf(" %v=%d:%d", Axis(a), r.Min[a], r.Max[a])
	}
	return s[1:]
}

// Cell is the cell of a grid, aligned to the origin, that holds the voxel at i.
func Cell(i Index, grid Shape) Region {
	var c Region
	for a := range Rank {
		c.Min[a] = floorDiv(i[a], grid[a]) * grid[a]
		c.Max[a] = c.Min[a] + grid[a]
	}
	return c
}

// Cells is how many cells of a grid, aligned to the origin, r touches.
func (r Region) Cells(grid Shape) int {
	if r.Empty() {
		return 0
	}
	n := 1
	for a := range Rank {
		n *= floorDiv(r.Max[a]-1, grid[a]) - floorDiv(r.Min[a], grid[a]) + 1
	}
	return n
}

// Tiles visits the cells of a grid, aligned to the origin, that r touches, in storage order.
// The cells are whole: they may reach beyond r.
func (r Region) Tiles(grid Shape) iter.Seq[Region] {
	return func(yield func(Region) bool) {
		if r.Empty() {
			return
		}
		first := Cell(r.Min, grid)
		cell := first
		for {
			if !yield(cell) {
				return
			}
			a := Rank - 1
			for ; a >= 0; a-- {
				cell.Min[a] += grid[a]
				cell.Max[a] += grid[a]
				if cell.Min[a] < r.Max[a] {
					break
				}
				cell.Min[a], cell.Max[a] = first.Min[a], first.Max[a]
			}
			if a < 0 {
				return
			}
		}
	}
}

// A Halo is how far a computation reads beyond its output, in voxels, on each side of each axis.
type Halo struct{ Before, After Index }

// Add is the halo of one computation after another.
func (h Halo) Add(o Halo) Halo {
	for a := range Rank {
		h.Before[a] += o.Before[a]
		h.After[a] += o.After[a]
	}
	return h
}

// floorDiv rounds towards minus infinity, so that a grid goes on evenly below the origin.
func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

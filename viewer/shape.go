package viewer

import (
	"math"
	"slices"

	"lamella/lazy"
)

// A Shape is something drawn on a plane to measure by.
type Shape struct {
	Kind   ShapeKind
	Name   string // that a person gave it; "" is its number
	Cut    Orientation
	At     lazy.Index   // of its plane; 0 along the axes of the plane and along C
	Points [][2]float64 // across and down, in voxels of the finest level; whole numbers are voxel centres
}

// ShapeKind says what the points of a Shape are.
type ShapeKind uint8

// The kinds of shapes.
const (
	NoShape   ShapeKind = iota
	Line                // from the first point to the second
	Angle               // at the second point, between the first and the third
	Rectangle           // between two opposite corners
	Ellipse             // that touches the sides of such a rectangle
	Polygon             // closed, by its corners; it may cross itself, and what is inside alternates
	Point               // single places
)

// shapeNames are the names of kinds in files.
var shapeNames = [...]string{"", "line", "angle", "rectangle", "ellipse", "polygon", "point"}

// String is the name of a kind, in English and in files.
func (k ShapeKind) String() string { return shapeNames[k] }

// ParseShapeKind finds a kind by its name, NoShape if there is none of that name.
func ParseShapeKind(name string) ShapeKind {
	return ShapeKind(max(0, slices.Index(shapeNames[:], name)))
}

// Area reports whether a kind has an inside.
func (k ShapeKind) Area() bool { return k == Rectangle || k == Ellipse || k == Polygon }

// whole is how many points a finished shape has, 0 if that is for the user to say.
func (k ShapeKind) whole() int {
	switch k {
	case Line, Rectangle, Ellipse:
		return 2
	case Angle:
		return 3
	case Point:
		return 1
	}
	return 0
}

// OnView reports whether a shape lies on the plane that is on view.
func (h Shape) OnView(s State) bool { return plane{h.Cut, h.At} == s.plane() }

// Equal reports whether all of two shapes is the same.
func (h Shape) Equal(o Shape) bool {
	return h.Kind == o.Kind && h.Name == o.Name && h.Cut == o.Cut && h.At == o.At && slices.Equal(h.Points, o.Points)
}

// Box are the least and the greatest positions of a shape.
func (h Shape) Box() (lo, hi [2]float64) {
	lo, hi = h.Points[0], h.Points[0]
	for _, p := range h.Points {
		for k := range 2 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	return lo, hi
}

// Inside reports whether a position lies within a shape that has an inside. A voxel belongs to a shape if its centre
// does; one on the edge of a polygon belongs to it if the edge is its left or upper one.
func (h Shape) Inside(across, down float64) bool {
	lo, hi := h.Box()
	if across < lo[0] || across > hi[0] || down < lo[1] || down > hi[1] {
		return false
	}
	switch h.Kind {
	case Rectangle:
		return across < hi[0] && down < hi[1]
	case Ellipse:
		x := (2*across - lo[0] - hi[0]) / (hi[0] - lo[0])
		y := (2*down - lo[1] - hi[1]) / (hi[1] - lo[1])
		return x*x+y*y < 1
	case Polygon:
		in := false
		for i, p := range h.Points {
			q := h.Points[(i+1)%len(h.Points)]
			if (p[1] > down) != (q[1] > down) && across < p[0]+(down-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
				in = !in
			}
		}
		return in
	}
	return false
}

// Outline is the way around a shape, or along it: positions to be joined by straight lines. Points are not joined and have none.
func (h Shape) Outline() [][2]float64 {
	switch h.Kind {
	case Point:
		return nil
	case Rectangle:
		lo, hi := h.Box()
		return [][2]float64{lo, {hi[0], lo[1]}, hi, {lo[0], hi[1]}, lo}
	case Ellipse:
		lo, hi := h.Box()
		var o [][2]float64
		const steps = 64
		for i := range steps + 1 {
			s, c := math.Sincos(2 * math.Pi * float64(i%steps) / steps)
			o = append(o, [2]float64{(lo[0] + hi[0] + c*(hi[0]-lo[0])) / 2, (lo[1] + hi[1] + s*(hi[1]-lo[1])) / 2})
		}
		return o
	case Polygon:
		return append(slices.Clone(h.Points), h.Points[0])
	}
	return h.Points
}

// Voxel is the voxel of the finest level that a shape's first point lies on.
func (h Shape) Voxel() lazy.Index {
	across, down, _ := h.Cut.Axes()
	at := h.At
	at[across], at[down] = int(math.Round(h.Points[0][0])), int(math.Round(h.Points[0][1]))
	return at
}

// moved is a shape elsewhere.
func (h Shape) moved(across, down float64) Shape {
	h.Points = slices.Clone(h.Points)
	for i := range h.Points {
		h.Points[i][0] += across
		h.Points[i][1] += down
	}
	return h
}

// onEdges is a position at the nearest edge between voxels, where rectangles and ellipses begin and end, so that
// a rectangle holds whole voxels.
func onEdges(p [2]float64) [2]float64 {
	return [2]float64{math.Round(p[0]+0.5) - 0.5, math.Round(p[1]+0.5) - 0.5}
}

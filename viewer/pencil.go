package viewer

import (
	"math"
	"slices"

	"lamella/lazy"
)

// A Pencil draws shapes and changes them. It is part of a State; presses, movements and releases are Actions, in
// device pixels of the viewport.
type Pencil struct {
	Tool   ShapeKind // that is drawn; NoShape pans
	Making Shape     // that is not finished; of NoShape if none is
	grab   grab
}

// A grab is what a press took hold of.
type grab struct {
	what  grabbed
	shape int // of State.Shapes
	point int
	from  [2]float64 // the position of the press, or of the last movement
}

type grabbed uint8

const (
	nothing grabbed = iota
	aPoint          // of a finished shape
	aShape
	making // the newest point of the unfinished one
)

// Busy reports whether a gesture goes on that takes the pointer's movements.
func (p Pencil) Busy() bool { return p.grab.what != nothing }

// grasp is how near in device pixels a press must be to take hold of a point or an outline.
const grasp = 7

// Take chooses what is drawn; NoShape pans. What is not finished is dropped.
func Take(k ShapeKind) Action {
	return func(_ *Scene, s State) State {
		s.Pencil = Pencil{Tool: k}
		return s
	}
}

// Press begins a shape, sets its next point, or takes hold of the chosen shape under the pointer.
func Press(px, py float64) Action {
	return func(sc *Scene, s State) State {
		g := sc.Geometry(s)
		p := &s.Pencil
		across, down := g.Position(px, py)
		at := [2]float64{across, down}
		p.grab.from = at
		if p.Making.Kind == NoShape {
			if i, n, ok := pointAt(g, s, px, py); ok {
				p.grab, s.Chosen = grab{aPoint, i, n, at}, i
				return s
			}
			if i, ok := shapeAt(g, s, px, py); ok && (p.Tool == NoShape || i == s.Chosen) {
				p.grab, s.Chosen = grab{aShape, i, 0, at}, i
				return s
			}
			if p.Tool == NoShape {
				s.Chosen = -1
				return s
			}
			p.Making = Shape{Kind: p.Tool, Cut: s.Cut, At: s.plane().at}
			s.Chosen = -1
		}
		k := p.Making.Kind
		if k == Rectangle || k == Ellipse {
			at = onEdges(at)
		}
		if k == Polygon && len(p.Making.Points) > 2 && (near(g, p.Making.Points[0], px, py) || near(g, p.Making.Points[len(p.Making.Points)-1], px, py)) {
			return Finish()(sc, s)
		}
		p.Making.Points = append(slices.Clone(p.Making.Points), at)
		p.grab.what = making
		return s
	}
}

// MovePointer moves what Press took hold of.
func MovePointer(px, py float64) Action {
	return func(sc *Scene, s State) State {
		g := sc.Geometry(s)
		p := &s.Pencil
		across, down := g.Position(px, py)
		at := [2]float64{across, down}
		switch p.grab.what {
		case aPoint:
			return ChangeShape(p.grab.shape, func(h Shape) Shape {
				if h.Kind == Rectangle || h.Kind == Ellipse {
					at = onEdges(at)
				}
				h.Points = slices.Clone(h.Points)
				h.Points[p.grab.point] = at
				return h
			})(sc, s)
		case aShape:
			da, dd := at[0]-p.grab.from[0], at[1]-p.grab.from[1]
			if k := s.Shapes[p.grab.shape].Kind; k == Rectangle || k == Ellipse { // by whole voxels
				da, dd = math.Round(da), math.Round(dd)
			}
			p.grab.from[0] += da
			p.grab.from[1] += dd
			return ChangeShape(p.grab.shape, func(h Shape) Shape { return h.moved(da, dd) })(sc, s)
		case making:
			m := p.Making
			if m.Kind == Rectangle || m.Kind == Ellipse {
				at = onEdges(at)
			}
			m.Points = slices.Clone(m.Points)
			if len(m.Points) == 1 && m.Kind.whole() > 1 { // drawn by dragging: this is its second point
				m.Points = append(m.Points, at)
			} else {
				m.Points[len(m.Points)-1] = at
			}
			p.Making = m
		}
		return s
	}
}

// Release lets go. A shape with all of its points is finished; one that is a mere click is none.
func Release() Action {
	return func(sc *Scene, s State) State {
		p := &s.Pencil
		held := p.grab.what
		p.grab = grab{}
		m := p.Making
		if n := m.Kind.whole(); held == making && n > 0 && len(m.Points) >= n {
			return Finish()(sc, s)
		}
		return s
	}
}

// Finish ends the shape that is being drawn, which becomes the chosen one; one without extent is dropped.
func Finish() Action {
	return func(_ *Scene, s State) State {
		m := s.Pencil.Making
		s.Pencil = Pencil{Tool: s.Pencil.Tool}
		if m.Kind == NoShape || !m.sound() {
			return s
		}
		s.Shapes = append(slices.Clone(s.Shapes), m)
		s.Chosen = len(s.Shapes) - 1
		return s
	}
}

// sound reports whether a shape has what its kind needs.
func (h Shape) sound() bool {
	if len(h.Points) == 0 || len(h.Points) < h.Kind.whole() || h.Kind == Polygon && len(h.Points) < 3 {
		return false
	}
	lo, hi := h.Box()
	switch h.Kind {
	case Point:
		return true
	case Rectangle, Ellipse:
		return hi[0] > lo[0] && hi[1] > lo[1]
	}
	return hi[0] > lo[0] || hi[1] > lo[1]
}

// Drop gives up the shape that is being drawn; where none is, the tool, and then what is chosen.
func Drop() Action {
	return func(_ *Scene, s State) State {
		switch {
		case s.Pencil.Making.Kind != NoShape:
			s.Pencil = Pencil{Tool: s.Pencil.Tool}
		case s.Pencil.Tool != NoShape:
			s.Pencil = Pencil{}
		default:
			s.Chosen = -1
		}
		return s
	}
}

// AddShape adds a shape and chooses it; one that lacks points is left out.
func AddShape(h Shape) Action {
	return func(_ *Scene, s State) State {
		if h.Kind == NoShape || !h.sound() {
			return s
		}
		s.Shapes = append(slices.Clone(s.Shapes), h)
		s.Chosen = len(s.Shapes) - 1
		return s
	}
}

// ChangeShape puts another shape in the place of one.
func ChangeShape(i int, change func(Shape) Shape) Action {
	return func(_ *Scene, s State) State {
		if i < 0 || i >= len(s.Shapes) {
			return s
		}
		s.Shapes = slices.Clone(s.Shapes)
		s.Shapes[i] = change(s.Shapes[i])
		return s
	}
}

// RemoveShape takes a shape away; -1 is the chosen one.
func RemoveShape(i int) Action {
	return func(_ *Scene, s State) State {
		if i < 0 {
			i = s.Chosen
		}
		if i < 0 || i >= len(s.Shapes) {
			return s
		}
		s.Shapes = slices.Delete(slices.Clone(s.Shapes), i, i+1)
		s.Chosen = -1
		s.Pencil.grab = grab{}
		return s
	}
}

// RemoveShapes takes all of them away.
func RemoveShapes() Action {
	return func(_ *Scene, s State) State {
		s.Shapes, s.Chosen, s.Pencil.grab = nil, -1, grab{}
		return s
	}
}

// Choose chooses a shape and goes to its plane; -1 chooses none.
func Choose(i int) Action {
	return func(_ *Scene, s State) State {
		s.Chosen = -1
		if i < 0 || i >= len(s.Shapes) {
			return s
		}
		s.Chosen = i
		h := s.Shapes[i]
		if h.Cut != s.Cut && s.Arrangement != ThreeUp {
			s.Cut, s.Fitted = h.Cut, true
		}
		across, down, _ := h.Cut.Axes()
		for a, n := range h.At {
			if ax := lazy.Axis(a); ax != across && ax != down && ax != lazy.C {
				s.At[a] = n
			}
		}
		return s
	}
}

// near reports whether a position is within grasp of a device pixel.
func near(g Geometry, p [2]float64, px, py float64) bool {
	x, y := g.Pixel(p[0], p[1])
	return math.Hypot(x-px, y-py) <= grasp
}

// pointAt is the point of the chosen shape at a device pixel.
func pointAt(g Geometry, s State, px, py float64) (shape, point int, ok bool) {
	if s.Chosen < 0 || s.Chosen >= len(s.Shapes) || !s.Shapes[s.Chosen].OnView(s) {
		return 0, 0, false
	}
	for n, p := range s.Shapes[s.Chosen].Points {
		if near(g, p, px, py) {
			return s.Chosen, n, true
		}
	}
	return 0, 0, false
}

// shapeAt is the newest shape on view whose outline is at a device pixel, or which is chosen and holds it.
func shapeAt(g Geometry, s State, px, py float64) (int, bool) {
	across, down := g.Position(px, py)
	for i := len(s.Shapes) - 1; i >= 0; i-- {
		h := s.Shapes[i]
		if !h.OnView(s) {
			continue
		}
		if i == s.Chosen && h.Kind.Area() && h.Inside(across, down) {
			return i, true
		}
		if h.Kind == Point && slices.ContainsFunc(h.Points, func(p [2]float64) bool { return near(g, p, px, py) }) {
			return i, true
		}
		o := h.Outline()
		for k := range len(o) - 1 {
			ax, ay := g.Pixel(o[k][0], o[k][1])
			bx, by := g.Pixel(o[k+1][0], o[k+1][1])
			if fromLine(px, py, ax, ay, bx, by) <= grasp {
				return i, true
			}
		}
	}
	return 0, false
}

// fromLine is how far a point is from the line between two others.
func fromLine(px, py, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((px-ax)*dx+(py-ay)*dy)/n))
	}
	return math.Hypot(px-ax-t*dx, py-ay-t*dy)
}

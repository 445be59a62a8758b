package viewer

import (
	"fmt"
	"testing"

	"lamella/lazy"
)

// stroked does what a pointer does: a press, movements and a release for each stroke, in voxels.
func stroked(sc *Scene, s State, strokes ...[][2]float64) State {
	for _, stroke := range strokes {
		g := sc.Geometry(s)
		for i, p := range stroke {
			x, y := g.Pixel(p[0], p[1])
			if i == 0 {
				s = act(sc, s, Press(x, y))
			} else {
				s = act(sc, s, MovePointer(x, y))
			}
		}
		s = act(sc, s, Release())
	}
	return s
}

func TestDrawingWithThePointer(t *testing.T) {
	sc, start := scene(t, dataset(zyx("blank", lazy.U8, shape(100, 100), nil)), 200, 200)
	click := func(x, y float64) [][2]float64 { return [][2]float64{{x, y}} }
	for _, c := range []struct {
		name    string
		tool    ShapeKind
		strokes [][][2]float64
		want    string
	}{
		{"a line is dragged", Line, [][][2]float64{{{10, 10}, {20, 20}, {30, 40}}}, "line [[10 10] [30 40]]"},
		{"a line is two clicks", Line, [][][2]float64{click(10, 10), click(30, 40)}, "line [[10 10] [30 40]]"},
		{"a rectangle begins and ends between voxels", Rectangle, [][][2]float64{{{10.2, 10.1}, {20.3, 29.8}}}, "rectangle [[10.5 10.5] [20.5 29.5]]"},
		{"a click makes no rectangle", Rectangle, [][][2]float64{click(10, 10), click(10, 10)}, ""},
		{"an angle is dragged and clicked", Angle, [][][2]float64{{{10, 10}, {50, 50}}, click(90, 10)}, "angle [[10 10] [50 50] [90 10]]"},
		{"a polygon ends where it began", Polygon, [][][2]float64{click(10, 10), click(60, 10), click(60, 60), click(10, 11)}, "polygon [[10 10] [60 10] [60 60]]"},
		{"a point is a click", Point, [][][2]float64{click(33, 44)}, "point [[33 44]]"},
		{"without a tool nothing is drawn", NoShape, [][][2]float64{{{10, 10}, {20, 20}}}, ""},
	} {
		s := stroked(sc, act(sc, start, Take(c.tool)), c.strokes...)
		got := ""
		if len(s.Shapes) == 1 && s.Chosen == 0 {
			got = fmt.Sprint(s.Shapes[0].Kind, " ", s.Shapes[0].Points)
		}
		if got != c.want || len(s.Shapes) > 1 || s.Pencil.Busy() {
			t.Errorf("%s: %q (%d shapes), want %q", c.name, got, len(s.Shapes), c.want)
		}
	}
}

func TestShapesAreMovedByTheirPointsAndTheirOutline(t *testing.T) {
	sc, s := scene(t, dataset(zyx("blank", lazy.U8, shape(4, 100, 100), nil)), 200, 200)
	s = stroked(sc, act(sc, s, Take(Rectangle)), [][2]float64{{10.5, 10.5}, {20.5, 30.5}})
	before := s.Shapes
	s = stroked(sc, act(sc, s, Take(NoShape)), [][2]float64{{20.5, 30.5}, {25.4, 35.6}})
	if got := fmt.Sprint(s.Shapes[0].Points); got != "[[10.5 10.5] [25.5 35.5]]" {
		t.Errorf("by its corner: %s", got)
	}
	s = stroked(sc, s, [][2]float64{{15, 20}, {17.6, 20}, {20.2, 19.2}})
	if got := fmt.Sprint(s.Shapes[0].Points); got != "[[15.5 9.5] [30.5 34.5]]" {
		t.Errorf("by its inside, in whole voxels: %s", got)
	}
	if fmt.Sprint(before[0].Points) != "[[10.5 10.5] [20.5 30.5]]" {
		t.Error("the shapes of an older State were written to")
	}
	s = stroked(sc, s, [][2]float64{{80, 80}})
	if s.Chosen != -1 {
		t.Error("a click beside it does not let go of it")
	}
	s = act(sc, s, Step(lazy.Z, 1), Choose(0))
	if s.At[lazy.Z] != s.Shapes[0].At[lazy.Z] {
		t.Error("choosing a shape does not go to its plane")
	}
	s = act(sc, s, RemoveShape(-1))
	if len(s.Shapes) != 0 || s.Chosen != -1 {
		t.Errorf("%d shapes are left", len(s.Shapes))
	}
}

func TestEscGoesBackStepByStep(t *testing.T) {
	sc, s := scene(t, dataset(zyx("blank", lazy.U8, shape(100, 100), nil)), 200, 200)
	s = stroked(sc, act(sc, s, Take(Polygon)), [][2]float64{{10, 10}}, [][2]float64{{50, 10}})
	if s = act(sc, s, Drop()); s.Pencil.Making.Kind != NoShape || s.Pencil.Tool != Polygon {
		t.Errorf("first the unfinished shape: %+v", s.Pencil)
	}
	if s = act(sc, s, Drop()); s.Pencil.Tool != NoShape {
		t.Errorf("then the tool: %+v", s.Pencil)
	}
}

func TestDrawingAsksTheEngineForNothingAndCanBeUndone(t *testing.T) {
	b := open(t, dataset(zyx("ramp", lazy.U8, shape(40, 40), func(_, y, x int) float64 { return float64(x) })), Options{})
	b.Act(Resize(80, 80))
	b.settled()
	before := b.engine.Counters().VoxelsOut
	b.Act(Take(Line))
	for _, a := range []Action{Press(10, 10), MovePointer(40, 40), MovePointer(60, 70), Release()} {
		b.Drag(a)
	}
	b.Settle()
	b.settled()
	if n := b.engine.Counters().VoxelsOut - before; n != 0 {
		t.Errorf("%d voxels were asked for", n)
	}
	if len(b.State().Shapes) != 1 {
		t.Fatalf("%d shapes", len(b.State().Shapes))
	}
	if !b.Undo() || len(b.State().Shapes) != 0 || !b.Redo() || len(b.State().Shapes) != 1 {
		t.Error("a shape cannot be undone and done again")
	}
	var got []Measurement
	b.Measure(b.State().Shapes, []int{0}, func(m []Measurement, err error) {
		if err != nil {
			t.Error(err)
		}
		got = m
	})
	b.until("the measurement", func(*Frame, Report) bool { return got != nil })
	if got[0].Least < 4 || got[0].Most > 31 {
		t.Errorf("%+v", got[0])
	}
}

package ui

import (
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

// stroke presses, drags and lets go over the picture, in voxels.
func (s *stage) stroke(points ...[2]float64) {
	s.Helper()
	at := func(p [2]float64) fyne.Position {
		x, y := s.session.Scene().Geometry(s.session.State()).Pixel(p[0], p[1])
		return fyne.NewPos(float32(x/s.pane.scale()), float32(y/s.pane.scale()))
	}
	mouse := func(p [2]float64) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(p)}, Button: desktop.MouseButtonPrimary}
	}
	s.pane.MouseDown(mouse(points[0]))
	for _, p := range points[1:] {
		s.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at(p)}})
	}
	s.pane.MouseUp(mouse(points[len(points)-1]))
}

// measured waits for the table to have so many lines.
func (s *stage) measured(rows int) {
	s.Helper()
	s.until("the measurements", func() bool { return len(s.results.rows) == rows })
}

func TestWhatIsDrawnIsMeasured(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.typed('q')
	if s.results.box.Hidden || s.session.State().Pencil.Tool != viewer.Rectangle {
		t.Fatal("Q does not take the rectangle, with the results on view")
	}
	s.painted()
	s.stroke([2]float64{9.6, 19.7}, [2]float64{14, 24}, [2]float64{19.7, 29.6})
	s.measured(2) // two channels
	texts := resultTexts(s.session.Scene(), s.session.State(), s.results.rows[0])
	// DAPI is 100+30x+10z: of x 10 to 19 at z 4, 440 to 710; 100 voxels of 0.1 µm.
	if got, want := strings.Join(texts[:], "|"), "1  rectangle|DAPI|z 5|100|1 µm²|575|86.603|440|710"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	before := s.session.State().Shapes[0]
	s.pressed(fyne.KeyEscape, 0) // lets go of the tool
	s.stroke([2]float64{15, 25}, [2]float64{18, 25})
	if now := s.session.State().Shapes[0]; now.Points[0][0] != before.Points[0][0]+3 {
		t.Errorf("dragged by its inside it is at %v, was at %v", now.Points, before.Points)
	}
	s.until("the values there", func() bool { return len(s.results.rows) == 2 && s.results.rows[0].Least == 530 })
	s.pressed(fyne.KeyDelete, 0)
	s.measured(0)
	s.back()
	s.measured(2)
}

func TestAPanStillPansBesideShapes(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddShape(viewer.Shape{Kind: viewer.Line, At: planeOf(s), Points: [][2]float64{{2, 2}, {9, 9}}}))
	s.act(viewer.Zoom(4))
	before := s.session.State().Center
	s.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(300, 200)}, Button: desktop.MouseButtonPrimary})
	s.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(330, 200)}, Dragged: fyne.NewDelta(30, 0)})
	s.pane.MouseUp(&desktop.MouseEvent{})
	if s.session.State().Center == before || s.session.State().Chosen != -1 {
		t.Errorf("the picture did not move: %v", s.session.State().Center)
	}
}

// planeOf is the plane on view as shapes name it.
func planeOf(s *stage) lazy.Index {
	at := s.session.State().At
	at[lazy.X], at[lazy.Y], at[lazy.C] = 0, 0, 0
	return at
}

func TestTheProfileOfALineAndOfAPoint(t *testing.T) {
	s := withVolume(t)
	s.typed('l')
	s.painted()
	s.stroke([2]float64{10, 20}, [2]float64{20, 20})
	s.until("the profile", func() bool { return len(s.results.plot.curves) == 2 && len(s.results.plot.curves[0].Values) > 9 })
	if c := s.results.plot.curves[0]; c.Unit != "µm" || math.Abs(c.Values[0]-440) > 0.1 || math.Abs(c.Values[len(c.Values)-1]-740) > 0.1 {
		t.Errorf("along the line: %+v", c)
	}
	s.typed('t')
	s.stroke([2]float64{10, 30})
	s.until("the column", func() bool { return len(s.results.plot.curves) == 2 && len(s.results.plot.curves[0].Values) == 9 })
	if c := s.results.plot.curves[0]; c.Values[8] != 480 || c.At[8] != 4 {
		t.Errorf("along Z: %+v", c)
	}
	s.results.axis.OnChanged("T")
	s.until("the time course", func() bool { return len(s.results.plot.curves[1].Values) == 2 })
	if c := s.results.plot.curves[1]; c.Values[1]-c.Values[0] != 100 || c.Unit != "s" {
		t.Errorf("along T: %+v", c)
	}
}

// The axis of a profile is asked for where there are two to choose from; what is drawn last is in sight in the table; and an
// empty plot says what it is for.
func TestTheResultsShowWhatIsChosen(t *testing.T) {
	s := withVolume(t)
	s.typed('q')
	s.painted()
	for i := range 12 {
		s.act(viewer.AddShape(viewer.Shape{Kind: viewer.Rectangle, At: planeOf(s), Points: [][2]float64{{float64(i) + 0.5, 0.5}, {float64(i) + 3.5, 4.5}}}))
	}
	s.measured(24)
	if s.results.list.GetScrollOffset() == 0 {
		t.Error("the lines of the newest shape are out of sight")
	}
	if s.results.blank.Hidden || !s.results.axis.Hidden {
		t.Error("for a rectangle the panel shows a plot, or asks for an axis")
	}
	s.act(viewer.Choose(0))
	if s.results.list.GetScrollOffset() != 0 {
		t.Error("the lines of the first shape, which is chosen, are out of sight")
	}
	s.act(viewer.AddShape(viewer.Shape{Kind: viewer.Point, At: planeOf(s), Points: [][2]float64{{10, 30}}}))
	s.until("the column", func() bool { return len(s.results.plot.curves) == 2 })
	if !s.results.blank.Hidden || s.results.axis.Hidden {
		t.Error("for a point the panel shows no plot, or does not ask for an axis")
	}
}

// Through a single plane goes nothing, so the values at a point are those of its times.
func TestAPointOnASinglePlaneIsFollowedThroughTime(t *testing.T) {
	s := newStage(t)
	set := dataset(volume{})
	a := &set.Images[0].Levels[0].Array
	one, err := lazy.Slice(*a, lazy.Z, 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	*a = one
	s.open(set)
	s.settle()
	s.typed('t')
	s.painted()
	s.act(viewer.AddShape(viewer.Shape{Kind: viewer.Point, At: planeOf(s), Points: [][2]float64{{10, 30}}}))
	s.until("the time course", func() bool { return len(s.results.plot.curves) == 2 })
	if c := s.results.plot.curves[1]; len(c.Values) != 2 || s.results.plot.title != "t" || !s.results.axis.Hidden {
		t.Errorf("%d values along %q", len(c.Values), s.results.plot.title)
	}
}

func TestTheMeasurementsLookAsTheyShould(t *testing.T) {
	english(t)
	for _, look := range []Look{Dark, Light} {
		t.Run(string(look), func(t *testing.T) {
			s := withVolume(t)
			test.ApplyTheme(t, Theme{Look: look})
			s.SetLook(look)
			s.win.Resize(fyne.NewSize(1180, 720))
			s.take(viewer.Line)
			s.painted()
			at := planeOf(s)
			for _, h := range []viewer.Shape{
				{Kind: viewer.Rectangle, At: at, Points: [][2]float64{{4.5, 4.5}, {20.5, 14.5}}},
				{Kind: viewer.Ellipse, At: at, Points: [][2]float64{{30.5, 4.5}, {50.5, 18.5}}},
				{Kind: viewer.Angle, At: at, Points: [][2]float64{{5, 30}, {12, 42}, {25, 32}}},
				{Kind: viewer.Point, At: at, Points: [][2]float64{{58, 8}}},
				{Kind: viewer.Polygon, Name: "nucleus", At: at, Points: [][2]float64{{30, 24}, {40, 22}, {46, 30}, {38, 38}, {29, 34}}},
				{Kind: viewer.Line, At: at, Points: [][2]float64{{8, 20}, {56, 44}}},
			} {
				s.act(viewer.AddShape(h))
			}
			s.painted()
			s.measured(12)
			s.until("the profile", func() bool { return len(s.results.plot.curves) == 2 })
			r := s.report
			r.Cost.Seconds, r.Used, r.Budget = 0.018, 312<<20, 2<<30
			s.newest.Store(&r)
			s.tell()
			golden(t, "measurements-"+string(look), s.win.Canvas().Capture())
		})
	}
}

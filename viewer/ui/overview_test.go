package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

func TestAClickInTheOverviewMovesTheView(t *testing.T) {
	english(t)
	s := withVolume(t)
	test.ApplyTheme(t, Theme{Look: Dark})
	s.act(viewer.Zoom(4))
	s.act(viewer.ShowChunks(true))
	s.painted()
	s.until("the overview and the chunks", func() bool { return s.pane.overview.last != nil && len(s.pane.chunks.cells) > 0 })
	s.until("both in full", func() bool { f, _, _, _ := s.session.Overview(); return f != nil && !f.Partial && !f.Stale })
	s.still()
	s.frame()
	s.update()
	golden(t, "overview", s.win.Canvas().Capture())
	at, size, _, ok := s.pane.overview.place()
	if !ok {
		t.Fatal("there is no overview")
	}
	corner := at.AddXY(2, size.Height-2)
	s.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: corner}})
	if c := s.session.State().Center; c[lazy.X] > 3 || c[lazy.Y] < 44 {
		t.Errorf("a click in its lower left corner moved to %v", c)
	}
	s.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(size.Width/2, size.Height/2)}})
	s.pane.DragEnd()
	if c := s.session.State().Center; c[lazy.X] < 30 || c[lazy.X] > 33 || c[lazy.Y] < 22 || c[lazy.Y] > 25 {
		t.Errorf("a drag to its middle moved to %v", c)
	}
	s.typed('x')
	if s.session.State().Chunks || !s.pane.chunks.raster.Hidden {
		t.Error("the grid is still there")
	}
	s.typed('r')
	if _, _, _, ok := s.pane.overview.place(); ok || !s.pane.overview.raster.Hidden {
		t.Error("the whole plane is on view, and the overview is still there")
	}
}

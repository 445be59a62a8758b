package ui

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestPanelsAreAsWideAsTheyAreDragged(t *testing.T) {
	s := withVolume(t)
	before := s.pane.Size().Width
	left, right := s.left.Objects[1].(*panelEdge), s.right.Objects[1].(*panelEdge)
	left.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(40, 0)})
	right.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if l, r := s.PanelWidths(); l != leftWide+40 || r != rightWide+16 {
		t.Errorf("%v and %v wide", l, r)
	}
	if now := s.pane.Size().Width; now != before-56 {
		t.Errorf("the picture was %v wide and is %v", before, now)
	}
	for range 100 {
		left.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		right.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	if l, r := s.PanelWidths(); l != leastPanel || r != mostPanel {
		t.Errorf("at their ends they are %v and %v wide", l, r)
	}
	left.DoubleTapped(nil)
	s.SetPanelWidths(0, 300)
	if l, r := s.PanelWidths(); l != leftWide || r != 300 {
		t.Errorf("as usual, and as told: %v and %v wide", l, r)
	}
}

package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"lamella/viewer"
)

// The toolkit tells the picture of a release only where the pointer is over it.
func TestAShapeWhoseDragEndsBesideThePictureIsMade(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.session.Act(viewer.Take(viewer.Rectangle))
	s.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(120, 90)}, Button: desktop.MouseButtonPrimary})
	s.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(-40, 160)}})
	s.pane.DragEnd()
	if now := s.session.State(); len(now.Shapes) != 1 || now.Pencil.Busy() {
		t.Errorf("%d shapes, and the gesture goes on: %v", len(now.Shapes), now.Pencil.Busy())
	}
}

package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"lamella/viewer"
)

// curtained is a stage with a curtain before the stored picture, in its golden colours.
func curtained(t *testing.T) *stage {
	t.Helper()
	s := withVolume(t)
	s.act(viewer.AddFilter("sobel"))
	s.settle()
	s.typed('k')
	test.ApplyTheme(t, Theme{Look: Dark})
	s.win.Canvas().Capture()
	s.until("the picture behind the curtain", func() bool {
		f := s.session.Behind()
		return f != nil && !f.Partial && f.State.Size == s.pane.size && s.pane.veil.last == f.Image
	})
	s.settle()
	if s.pane.veil.raster.Hidden || s.pane.veil.raster.Size().Width < 10 {
		t.Error("the picture behind the curtain is not seen when it comes")
	}
	return s
}

func TestTheCurtainHangsBeforeTheStoredPictureAndIsDragged(t *testing.T) {
	english(t)
	s := curtained(t)
	s.still()
	s.update()
	golden(t, "curtain", s.win.Canvas().Capture())

	size := s.pane.Size()
	at := fyne.NewPos(s.pane.curtainAt()+1, 40)
	s.pane.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	if s.pane.Cursor() != desktop.HResizeCursor {
		t.Error("the pointer does not say that the line can be moved")
	}
	middle := s.session.State().Center
	s.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	s.pane.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(size.Width*0.25, 40)}})
	s.pane.DragEnd()
	if now := s.session.State(); now.Curtain < 0.24 || now.Curtain > 0.26 || now.Center != middle {
		t.Errorf("the curtain hangs at %v", now.Curtain)
	}
	if w := s.pane.veil.raster.Size().Width; w < size.Width*0.24 || w > size.Width*0.26 {
		t.Errorf("of the stored picture %v of %v are seen", w, size.Width)
	}
	s.typed('k')
	if s.session.State().Compare != viewer.Result || !s.pane.veil.line.Hidden {
		t.Error("the curtain is still there")
	}
}

func TestBlinkingEndsWithTheResult(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("sobel"))
	s.settle()
	s.blink()
	if s.session.State().Compare != viewer.Original {
		t.Error("it does not begin with the other picture")
	}
	s.blinkOn()
	s.pressed(fyne.KeyEscape, 0)
	if s.blinking != nil || s.session.State().Compare != viewer.Result {
		t.Error("Esc does not end it with the result")
	}
}

func TestTheWayToLookIsChosenInThePanel(t *testing.T) {
	english(t)
	s := withVolume(t)
	p := s.looking
	p.how.SetSelected("Mean")
	if got := s.session.State().Slab; got != (viewer.Slab{How: "mean", Half: 1}) || p.half.Text != "1" || p.thick.words != "3 planes, 1.5 µm" {
		t.Errorf("%v, %q, %q", got, p.half.Text, p.thick.words)
	}
	s.enter(p.half, "2")
	if got := s.session.State().Slab.Half; got != 2 {
		t.Errorf("±%d", got)
	}
	s.enter(p.half, "many")
	if p.half.Text != "2" {
		t.Errorf("what is no number stays as %q", p.half.Text)
	}
	s.typed('{')
	s.typed('{')
	if s.session.State().Slab.Thick() || p.how.Selected != "Plane" {
		t.Error("thinner and thinner it is no plane")
	}
	s.enter(p.opacity, "40")
	if got := s.session.State().Channels[0].Faded; got < 0.599 || got > 0.601 {
		t.Errorf("40 %% is faded by %v", got)
	}
	p.blend.SetSelected("Maximum")
	s.typed('h')
	if v := s.session.State(); v.Blend != viewer.Max || !v.HiLo || !p.hiLo.Checked {
		t.Errorf("%+v", v)
	}
	if p.against.Visible() {
		t.Error("without filters there is something to compare")
	}
	s.act(viewer.AddFilter("gaussian"))
	if !p.against.Visible() {
		t.Error("with a filter there is nothing to compare")
	}
	p.compare.SetSelected("Difference")
	if s.session.State().Compare != viewer.Difference {
		t.Error("the difference is not shown")
	}
}

func TestWithoutFiltersItIsSaidThatNothingCanBeCompared(t *testing.T) {
	english(t)
	s := withVolume(t)
	for _, key := range "kod" {
		s.hush()
		s.typed(key)
		if got := s.notice.text(); s.session.State().Compare != viewer.Result || !strings.HasPrefix(got, "There is nothing to compare") {
			t.Errorf("%c compares in way %d, and says %q", key, s.session.State().Compare, got)
		}
	}
	s.blink()
	if s.blinking != nil {
		t.Error("it blinks all the same")
	}
	s.act(viewer.AddFilter("sobel"))
	s.typed('d')
	if s.session.State().Compare != viewer.Difference {
		t.Error("with a filter there is no difference")
	}
}

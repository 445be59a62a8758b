package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

func TestPlacesAreKeptNamedGoneToAndForgotten(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.Bookmarks()
	if len(s.dialogs) != 0 {
		t.Fatal("without a bookmark there is a sheet of them")
	}
	s.addBookmark()
	if got := s.notice.text(); got != "Kept as bookmark 1: XY  z 5  t 1" {
		t.Errorf("it says %q", got)
	}
	s.act(viewer.MoveTo(lazy.Z, 7))
	s.addBookmark()
	s.Bookmarks()
	name, ok := s.win.Canvas().Focused().(*dialogEntry)
	if !ok {
		t.Fatal("no name has the focus")
	}
	name.SetText("left")
	name.SetText("left nucleus")
	if b := s.session.State().Bookmarks; b[0].Name != "left nucleus" || b[1].Name != "" {
		t.Errorf("they are called %q and %q", b[0].Name, b[1].Name)
	}
	name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.dialogs) != 0 || s.session.State().At[lazy.Z] != 4 {
		t.Errorf("Enter goes to plane %d", s.session.State().At[lazy.Z])
	}
	s.Undo() // the name, written in one gesture
	if b := s.session.State().Bookmarks; len(b) != 2 || b[0].Name != "" {
		t.Errorf("after undo they are %+v", b)
	}
	s.act(viewer.RemoveBookmark(0))
	s.act(viewer.RemoveBookmark(0))
	s.Bookmarks()
	if len(s.dialogs) != 0 {
		t.Error("forgotten places have a sheet")
	}
}

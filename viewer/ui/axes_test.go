package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

func TestPositionsAreWrittenBesideTheSlider(t *testing.T) {
	s := withVolume(t)
	row := s.axes.rows[0]
	for _, c := range []struct {
		text string
		z    int
	}{{"2", 1}, {"1.5 µm", 3}, {"99", 8}, {"far", 8}, {"", 8}} {
		s.enter(row.number, c.text)
		if z := s.session.State().At[lazy.Z]; z != c.z {
			t.Errorf("%q is plane %d, want %d", c.text, z+1, c.z+1)
		}
		if want := number(float64(c.z + 1)); row.number.Text != want {
			t.Errorf("after %q the field says %q, want %q", c.text, row.number.Text, want)
		}
	}
	if row.of.words != "/ 9" {
		t.Errorf("%q", row.of.words)
	}
}

func TestASliderShowsWhatIsReady(t *testing.T) {
	s := withVolume(t)
	s.until("readiness", func() bool { return len(s.axes.rows[0].slider.ready) == 9 })
	look := &scrubberLook{s: s.axes.rows[0].slider}
	img := look.stretches(90, 4)
	accent := shadeOf("primary")
	for x, want := range map[int]bool{5: false, 45: true} { // planes 1 and 5 of 9, where a chunk holds three
		if got := img.At(x, 0) == accent; got != want {
			t.Errorf("pixel %d of 90 says ready %v, want %v", x, got, want)
		}
	}
}

func TestPlayingKeepsThePaceOrShowsEveryPlane(t *testing.T) {
	s := withVolume(t)
	items := s.paceMenu().Items
	items[len(viewer.Rates)+2].Action() // keep the pace
	items[len(viewer.Rates)+4].Action() // to and fro
	s.act(viewer.MoveTo(lazy.Z, 6))
	s.play(lazy.Z)
	s.player.tick.Stop()
	begun := s.player.last
	for i, want := range []int{6, 8, 5} { // at 10 planes a second, whether or not they are there
		s.playOn(begun.Add([]time.Duration{50, 250, 550}[i] * time.Millisecond))
		s.player.tick.Stop()
		if z := s.session.State().At[lazy.Z]; z != want {
			t.Errorf("step %d is plane %d, want %d", i, z, want)
		}
	}
	s.stopPlaying()
	if m := s.paceMenu(); !m.Items[len(viewer.Rates)+2].Checked || m.Items[len(viewer.Rates)+1].Checked || !m.Items[len(viewer.Rates)+4].Checked {
		t.Error("the menu does not say how it is played")
	}
	s.askPace(s.axes.rows[0].pace)
	if len(s.win.Canvas().Overlays().List()) != 1 {
		t.Error("the button does not offer it")
	}
	s.win.Canvas().Overlays().Top().Hide()
	s.pressed(fyne.KeyEscape, 0)
}

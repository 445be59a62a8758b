package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// written presses the button of the dialog for files.
func (s *stage) written() {
	s.Helper()
	entry, ok := s.win.Canvas().Focused().(*dialogEntry)
	if !ok {
		s.Fatal("no dialog asks for a name")
	}
	entry.OnSubmitted(entry.Text)
}

func TestAPictureIsAskedFor(t *testing.T) {
	english(t)
	s := withVolume(t)
	var got []viewer.Figure
	s.AskPicture(t.TempDir(), "a.svg", []string{".png", ".svg"}, func(f viewer.Figure, path string, replace bool) { got = append(got, f) })
	s.written()
	if want := (viewer.Figure{Pixels: 1, Bar: true}); len(got) != 1 || got[0] != want {
		t.Errorf("asked for %+v, want %+v", got, want)
	}
	form := s.newFigureForm()
	form.scale.SetText("250 %")
	if form.size.words != "160 × 120 pixels" {
		t.Errorf("at 250 %% it says %q", form.size.words)
	}
	for _, c := range []struct {
		unit       int
		text, size string
	}{
		{byLength, "0.04", "160 × 120 pixels"}, // the same, told otherwise
		{byWidth, "160", "160 × 120 pixels"},
		{byPercent, "250", "160 × 120 pixels"},
	} {
		form.unit.SetSelected(form.unit.Options[c.unit])
		if form.scale.Text != c.text || form.size.words != c.size {
			t.Errorf("%s is %q and says %q", form.unit.Options[c.unit], form.scale.Text, form.size.words)
		}
	}
	form.turn(byLength)
	form.scale.SetText("0.05")
	if g, ok := form.figure(); !ok || g.Pixels != 2 {
		t.Errorf("0.05 µm a pixel of voxels of 0.1 µm is %+v", g)
	}
	form.turn(byWidth)
	form.scale.SetText("640")
	if form.size.words != "640 × 480 pixels" {
		t.Errorf("640 pixels wide says %q", form.size.words)
	}
	form.scale.SetText("large")
	if _, ok := form.figure(); ok || form.size.words != Say("figure.scale.wrong") {
		t.Errorf("of %q it says %q", "large", form.size.words)
	}
}

func TestAMovieIsAskedFor(t *testing.T) {
	s := withVolume(t)
	var got []viewer.Movie
	s.AskMovie(t.TempDir(), "a.gif", "", []string{".gif"}, func(m viewer.Movie, path string, replace bool) { got = append(got, m) })
	s.written()
	if len(got) != 1 || got[0].Axis != lazy.T || got[0].From != 0 || got[0].To != 1 || got[0].Rate != 10 || !got[0].Stamp {
		t.Errorf("asked for %+v", got)
	}
	z := viewer.Movie{Axis: lazy.Z, From: 0, To: 3, Back: true}
	if f := z.Frames(); len(f) != 6 || f[3] != 3 || f[5] != 1 {
		t.Errorf("there and back is %v", f)
	}
}

func TestWhatIsWrittenIsListedAndCanBeStopped(t *testing.T) {
	s := withVolume(t)
	stopped := ""
	job := func(name string, done int) Job {
		return Job{Name: name, Done: done, Total: 8, Left: 42.7, Cancel: func() { stopped = name }}
	}
	s.SetJobs([]Job{job("a.tif", 2), job("b.gif", 8)})
	if !s.jobs.box.Visible() || s.jobs.rows[0].state.words != "25 %  42 s" {
		t.Errorf("it says %q", s.jobs.rows[0].state.words)
	}
	s.jobs.rows[1].stop.Tapped(&fyne.PointEvent{})
	if stopped != "b.gif" {
		t.Errorf("stopped %q", stopped)
	}
	s.SetJobs([]Job{job("b.gif", 8)})
	if s.jobs.rows[0].name.words != "b.gif" || s.jobs.rows[1].box.Visible() {
		t.Error("the list shows what is done")
	}
	s.SetJobs(nil)
	if s.jobs.box.Visible() {
		t.Error("an empty list is on view")
	}
}

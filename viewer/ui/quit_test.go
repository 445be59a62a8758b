package ui

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2"
)

func TestTheProgramAsksBeforeItEndsWhatIsBeingWritten(t *testing.T) {
	english(t)
	for name, c := range map[string]struct {
		answer func(s *stage)
		quits  int
	}{
		"all is written": {func(s *stage) { s.SetJobs(nil) }, 1},
		"one is written": {func(s *stage) { s.SetJobs([]Job{{Name: "b"}}) }, 0},
		"Esc":            {func(s *stage) { s.escape(); s.SetJobs(nil) }, 0},
		"Enter, which is to stay": {func(s *stage) {
			s.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			s.SetJobs(nil)
		}, 0},
		"one could not be written": {func(s *stage) { s.Fail(errors.New("no space left on device")); s.SetJobs(nil) }, 0},
	} {
		s := newStage(t)
		quits := 0
		s.SetJobs([]Job{{Name: "a"}, {Name: "b"}})
		s.AskQuit(2, func() { quits++ })
		s.AskQuit(2, func() { quits++ }) // is asked once
		if quits != 0 || len(s.dialogs) != 1 {
			t.Fatalf("%s: %d dialogs, quit %d times before there was an answer", name, len(s.dialogs), quits)
		}
		c.answer(s)
		if quits != c.quits {
			t.Errorf("%s: quit %d times, want %d", name, quits, c.quits)
		}
		if asked := len(s.dialogs); asked != 0 && name != "one is written" {
			t.Errorf("%s: the question stays", name)
		}
	}
}

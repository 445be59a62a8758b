package ui

import (
	"errors"
	"testing"
	"time"
)

func TestWhatWasDoneIsToldForAWhile(t *testing.T) {
	s := withVolume(t)
	var later []func()
	s.after = func(d time.Duration, f func()) {
		if d < 6*time.Second {
			t.Errorf("it stands for %v, less than it takes to read", d)
		}
		later = append(later, f)
	}
	end := func() {
		for _, f := range later {
			f()
		}
		later = nil
		for len(s.posts) > 0 {
			(<-s.posts)()
		}
	}
	s.Note("written")
	if !s.notice.visible() {
		t.Fatal("nothing is told")
	}
	end()
	if s.notice.visible() {
		t.Error("it stays")
	}
	s.Note("written")
	s.Fail(errors.New("written")) // the same words, and it failed
	end()
	if !s.notice.visible() {
		t.Error("what could not be done goes by itself")
	}
	s.Note("written")
	s.Offer("the last session was lost", "Go on", func() {})
	end()
	if !s.notice.visible() {
		t.Error("an offer goes by itself")
	}
	s.Busy("opening")
	end()
	if !s.notice.visible() {
		t.Error("what goes on goes by itself")
	}
}

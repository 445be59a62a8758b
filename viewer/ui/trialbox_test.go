package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"lamella/viewer"
)

// tried is a stage on which a deconvolution is watched until it has come to its last iteration.
func tried(t *testing.T) (*stage, *trialBox) {
	t.Helper()
	s := withVolume(t)
	s.act(viewer.AddFilter("richardson-lucy"))
	s.until("ten iterations", func() bool {
		w, ok := s.session.Watched()
		return ok && len(w.Stages) == 5 && w.Going == 0
	})
	s.settle()
	return s, s.chain.rows[0].trial
}

func TestADeconvolutionIsWatchedInItsRow(t *testing.T) {
	english(t)
	s, box := tried(t)
	if !box.open.Visible() || box.folded.Visible() || box.state.words != "Iteration 10 of 10" || box.stages.at != 4 || box.stages.n != 5 {
		t.Errorf("%q, stage %d of %d", box.state.words, box.stages.at, box.stages.n)
	}
	if len(box.change.curves) != 1 || len(box.change.curves[0].Values) != 9 || len(box.away.curves[0].Values) != 9 || box.psf.Image == nil {
		t.Error("the curves or the PSF are not drawn")
	}
	for i, l := range box.lines {
		if l.words == "…" || l.words == "" || strings.HasPrefix(l.words, "trial.") {
			t.Errorf("%s is %q", trialLines[i], l.words)
		}
	}
	box.stages.to(2)
	if box.state.words != "Iteration 3 of 10" || box.keep.Text != "Keep 3" {
		t.Errorf("moved: %q, %q", box.state.words, box.keep.Text)
	}
	test.Tap(box.keep)
	if got := s.session.State().Chain[0].Arg("iterations"); got != "3" || s.chain.rows[0].params[2].field.Text != "3" {
		t.Errorf("kept: iterations=%s, the field says %q", got, s.chain.rows[0].params[2].field.Text)
	}
	s.watch()
	if s.session.State().Trial.Open || box.open.Visible() || !box.folded.Visible() {
		t.Error("the key does not leave it")
	}
	s.settle()
}

func TestWhatCannotBeWatchedLeavesItsControlsInTheirPlace(t *testing.T) {
	s, box := tried(t)
	high := box.head.MinSize().Height
	s.act(viewer.SetParam(0, "psf", "gaussian(sigma=wide)"))
	if s.session.Scene().Fault == nil || !box.open.Visible() || box.state.words != "" || box.head.MinSize().Height != high {
		t.Errorf("open %v, %q, %v high instead of %v", box.open.Visible(), box.state.words, box.head.MinSize().Height, high)
	}
	s.act(viewer.SetParam(0, "psf", ""))
	s.until("ten iterations", func() bool {
		w, ok := s.session.Watched()
		return ok && len(w.Stages) == 5 && w.Going == 0
	})
	s.settle()
}

func TestIterationsAreSteppedThroughPausedAndGoneOnFromTheMenu(t *testing.T) {
	english(t)
	s, box := tried(t)
	do := func(title string) {
		t.Helper()
		for _, c := range s.commands() {
			if c.title == title {
				c.do()
				return
			}
		}
		t.Fatalf("there is no %q", title)
	}
	do("Earlier iteration")
	if box.seen.Iteration != 5 {
		t.Errorf("iteration %d is on view", box.seen.Iteration)
	}
	do("Later iteration")
	if box.seen.Iteration != 10 || s.session.State().Trial.Iteration != 0 {
		t.Errorf("iteration %d is on view", box.seen.Iteration)
	}
	do("As many iterations again")
	s.until("twenty", func() bool {
		w, _ := s.session.Watched()
		return len(w.Stages) == 7 && w.Going == 0
	})
	do("Measure the error")
	s.until("the error", func() bool {
		w, _ := s.session.Watched()
		return w.Apart != nil
	})
	s.update()
	if text := trialError(box.seen); !strings.HasPrefix(text, "Iteration 20 differs from that of the whole image by at most ") {
		t.Errorf("the error is %q", text)
	}
	s.settle()
}

func TestItIsSaidThatOtherPicturesShowTheStoredVoxels(t *testing.T) {
	english(t)
	if said := trialAdvice(viewer.Watched{PSF: &viewer.PSF{}, Others: true}); !strings.Contains(said, "first picture alone") {
		t.Errorf("said %q", said)
	}
	if said := trialAdvice(viewer.Watched{PSF: &viewer.PSF{}}); said != "" {
		t.Errorf("said %q of one picture", said)
	}
}

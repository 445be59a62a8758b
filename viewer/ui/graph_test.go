package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"lamella/viewer"
)

func TestTheCostIsToldStepByStep(t *testing.T) {
	english(t)
	s := withVolume(t)
	if s.cost.graph.box.Visible() {
		t.Error("without filters there is a graph")
	}
	s.act(viewer.AddFilter("sobel"))
	s.settle()
	s.until("the graph", func() bool {
		return len(s.cost.graph.lines) == 2 && s.cost.graph.box.Visible() && strings.HasPrefix(s.cost.graph.lines[1].words, "Sobel: 2/2, × 1.0, ≈ ")
	})
	img := s.cost.graph.picture(200, 48)
	held := 0
	for x := range 200 {
		for y := range 48 {
			if img.At(x, y) == shadeOf("primary") {
				held++
			}
		}
	}
	if held == 0 {
		t.Error("no task is drawn as held")
	}
	for _, c := range []struct{ n, w, h, want int }{{1, 100, 48, 12}, {1000, 100, 48, 2}, {100000, 100, 48, 1}, {40, 100, 48, 10}} {
		if got := squares(c.n, c.w, c.h); got != c.want {
			t.Errorf("%d squares in %d by %d are %d wide, want %d", c.n, c.w, c.h, got, c.want)
		}
	}
}

func TestNothingJumpsWhileTheStoredPictureTakesTurnsWithTheResult(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("sobel"))
	s.until("the graph", func() bool { return s.cost.graph.box.Visible() && len(s.report.Stages) > 0 })
	tall := s.cost.box.MinSize().Height
	s.act(viewer.Flip())
	s.until("the stored picture", func() bool { return len(s.report.Stages) == 0 && !s.report.Busy })
	if got := s.cost.box.MinSize().Height; got != tall {
		t.Errorf("beside the stored picture the panel is %v tall, beside the result %v", got, tall)
	}
	s.act(viewer.SetChain(nil))
	s.until("no room for steps", func() bool { return !s.cost.graph.box.Visible() })
}

func TestFiltersAreCopiedAndPasted(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("sobel"))
	s.copyChain()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "sobel" {
		t.Errorf("%q is on the clipboard", got)
	}
	fyne.CurrentApp().Clipboard().SetContent("mean | sobel dims=2")
	s.pasteChain()
	if got := s.session.State().Chain.String(); got != "mean | sobel dims=2" {
		t.Errorf("%q was pasted", got)
	}
	fyne.CurrentApp().Clipboard().SetContent("a letter")
	s.pasteChain()
	if got := s.session.State().Chain.String(); got != "mean | sobel dims=2" || !s.notice.visible() {
		t.Errorf("%q was pasted, and the reason is told: %v", got, s.notice.visible())
	}
}

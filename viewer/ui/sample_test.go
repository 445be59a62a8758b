package ui

import (
	"strings"
	"testing"

	"lamella/viewer"
)

func TestTheHistogramSaysWhatItIsOf(t *testing.T) {
	english(t)
	s := withVolume(t)
	if got := s.channels.of.words; got != "of this plane" {
		t.Errorf("%q", got)
	}
	s.channels.of.press()
	s.until("the sample", func() bool { return strings.Contains(s.channels.of.words, "chunks seen") })
	// Of two time points and nine planes, in chunks of three, each of three parts.
	s.until("all of it", func() bool { return s.channels.of.words == "of the image: 18 of 18 chunks seen" })
	if s.channels.plot.h.Low > 110 || s.report.Histogram.Low <= 110 {
		t.Errorf("the histogram begins at %v", s.channels.plot.h.Low)
	}
	s.act(viewer.Automatic(0, viewer.Whole))
	s.settle()
	if l := s.session.State().Channels[0].Limits; l.Low > 120 {
		t.Errorf("the limits are %v", l)
	}
	s.channels.of.press()
	if s.session.State().Sampled {
		t.Error("it is not of the plane again")
	}
}

package viewer

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

func TestAThresholdIsFoundBesideTheWindowAndAgainForOtherVoxels(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(AddFilter("threshold"))
	b.settled()
	b.Act(SetParam(0, "method", "otsu"))
	if f := b.Scene().Fault; f == nil || !errors.Is(f, filters.ErrOpen) || f.Step != 0 {
		t.Fatalf("before it is found: %v", f)
	}
	if b.Scene().Chain() != "threshold" {
		t.Errorf("the chain before stands, and is %q", b.Scene().Chain())
	}
	found := func() string {
		t.Helper()
		b.until("a threshold", func(*Frame, Report) bool { return b.Scene().Fault == nil })
		b.settled()
		return b.Scene().Chain()
	}
	first := found()
	if !strings.HasPrefix(first, "threshold method=otsu value=") || b.State().Chain.String() != "threshold method=otsu" {
		t.Fatalf("%q, of %q", first, b.State().Chain)
	}
	if got := "threshold method=otsu value=" + b.Scene().Rows[0].Effective; got != first {
		t.Errorf("the row says %q, the chain is %q", got, first)
	}
	b.Act(AddFilter("sobel"))
	b.Act(MoveFilter(1, 0))
	second := found()
	if !strings.HasPrefix(second, "sobel | threshold method=otsu value=") || strings.HasSuffix(first, second[len("sobel | "):]) {
		t.Errorf("after sobel the chain is %q, before it was %q", second, first)
	}
	b.Act(RemoveFilter(0))
	if b.Scene().Fault != nil || b.Scene().Chain() != first { // it is known
		t.Errorf("without sobel again: %v, %q", b.Scene().Fault, b.Scene().Chain())
	}
	b.Act(SetParam(0, "value", "12"))
	if b.Scene().Chain() != "threshold method=otsu value=12" {
		t.Errorf("with a value given: %q", b.Scene().Chain())
	}
	b.Act(SetParam(0, "method", "mean"))
	if got := found(); !strings.HasPrefix(got, "threshold method=mean value=") || got == "threshold method=mean value=12" {
		t.Errorf("with another method: %q", got)
	}
	for b.CanUndo() {
		b.Undo()
	}
	b.settled()
	if b.Scene().Filtered() {
		t.Errorf("undone: %q", b.Scene().Chain())
	}
}

func TestWhatCannotBeFoundIsSaidOnce(t *testing.T) {
	b := open(t, dataset(zyx("dark", lazy.F32, shape(4, 4), func(_, _, _ int) float64 { return math.NaN() })), Options{})
	b.Act(Resize(16, 16))
	b.settled()
	b.Act(AddFilter("rescale"))
	b.Act(SetParam(0, "method", "minmax"))
	b.until("the reason", func(*Frame, Report) bool {
		f := b.Scene().Fault
		return f != nil && strings.Contains(f.Error(), "the sample holds no number")
	})
	b.Act(SetParam(0, "method", "limits"))
	b.until("limits", func(*Frame, Report) bool { return b.Scene().Fault == nil })
}

func TestAFlatImageHasLimits(t *testing.T) {
	b := open(t, dataset(zyx("flat", lazy.U8, shape(4, 4), func(_, _, _ int) float64 { return 7 })), Options{})
	b.Act(Resize(16, 16))
	b.settled()
	b.Act(AddFilter("rescale"))
	b.Act(SetParam(0, "method", "minmax"))
	b.until("limits", func(*Frame, Report) bool { return b.Scene().Fault == nil && b.Scene().Filtered() })
	b.settled()
	if got := b.Scene().Chain(); got != "rescale method=minmax low=7 high=8" {
		t.Errorf("the chain is %q", got)
	}
}

func TestAFilterThatFindsItsLimitsWorksAsItIsAdded(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(64, 64))
	b.settled()
	b.Act(AddFilter("clahe"))
	b.until("limits", func(*Frame, Report) bool { return b.Scene().Fault == nil && b.Scene().Filtered() })
	b.settled()
	if got := b.Scene().Rows[0].Effective; got != "1 x 127 x 127 voxels, 0 … 1773" {
		t.Errorf("the row says %q", got)
	}
	if got := b.Scene().Chain(); got != "clahe low=0 high=1773" {
		t.Errorf("the chain is %q", got)
	}
}

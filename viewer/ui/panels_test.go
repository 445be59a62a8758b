package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

func TestFiltersAreAddedTunedMovedSwitchedAndRemoved(t *testing.T) {
	s := withVolume(t)
	smooth := s.chain.Menu().Items[2].ChildMenu // behind the stencil and a line
	smooth.Items[1].Action()
	smooth.Items[2].Action()
	first, second := viewer.Groups()[0].Filters[1].Name, viewer.Groups()[0].Filters[2].Name
	names := func() string {
		var n []string
		for _, step := range s.session.State().Chain {
			n = append(n, step.Filter)
		}
		return strings.Join(n, " ")
	}
	if names() != first+" "+second || len(s.chain.rows) != 2 {
		t.Fatalf("the chain is %q in %d rows", names(), len(s.chain.rows))
	}
	test.Tap(s.chain.rows[1].up)
	if names() != second+" "+first {
		t.Errorf("moved up: %q", names())
	}
	s.chain.rows[0].on.SetChecked(false)
	if !s.session.State().Chain[0].Off {
		t.Error("the switch did nothing")
	}
	s.act(viewer.RemoveFilter(0))
	if names() != first || len(s.chain.rows) != 1 {
		t.Errorf("removed: %q in %d rows", names(), len(s.chain.rows))
	}
	s.settle()
}

func TestAWrongValueIsToldInItsRowInWords(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("gaussian"))
	s.settle()
	row := s.chain.rows[0]
	if row.wrong.Visible() || !strings.Contains(row.reach.words, "0.2 × 1 × 1") { // 0.1 µm in voxels of 0.5, 0.1, 0.1
		t.Errorf("the row says %q", row.reach.words)
	}
	sigma := row.params[0].field
	sigma.SetText("much")
	sigma.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !row.wrong.Visible() || !strings.Contains(row.wrong.rich.String(), "sigma=much") {
		t.Errorf("the row says %q", row.wrong.rich.String())
	}
	sigma.SetText("0.3um")
	sigma.FocusLost()
	if row.wrong.Visible() || s.session.State().Chain[0].Arg("sigma") != "0.3um" {
		t.Errorf("put right, the row says %q", row.wrong.rich.String())
	}
	sigma.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if got := s.session.State().Chain[0].Arg("sigma"); got != "0.4um" {
		t.Errorf("the arrow key makes it %q", got)
	}
	s.settle()
}

func TestAWrongValueGreysThePictureAndSaysWhyOnIt(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.act(viewer.AddFilter("mean"))
	s.act(viewer.AddFilter("gaussian"))
	s.settle()
	good, high := s.session.Scene().Chain(), s.pane.Size().Height
	for _, size := range []string{"NaN", "1e9", "much"} {
		s.act(viewer.SetParam(0, "size", size))
		s.until("the greyed picture", func() bool { f := s.session.Frame(); return f != nil && f.Stale && !s.report.Busy })
		if !s.standing.visible() || !strings.HasPrefix(s.standing.text(), "Mean is not applied: size="+size) {
			t.Errorf("on the picture stands %q", s.standing.text())
		}
		if got := s.session.Scene().Chain(); got != good {
			t.Errorf("the picture is of %q, want %q", got, good)
		}
		if _, err := viewer.Picture(t.Context(), nil, s.session.Scene(), s.session.State(), nil); err == nil || !strings.Contains(err.Error(), "Mean is not applied") {
			t.Errorf("the export says %v", err)
		}
		if !s.Refuses() || s.notice.text() != "Nothing was exported: "+s.standing.text() {
			t.Errorf("the export says %q", s.notice.text())
		}
	}
	if got := s.pane.Size().Height; got != high {
		t.Errorf("the messages made the picture %v high, it was %v", got, high)
	}
	s.act(viewer.SetParam(0, "size", "5"))
	s.settle()
	if s.standing.visible() {
		t.Errorf("put right, there still stands %q", s.standing.text())
	}
}

func TestTheTipOfAFieldCoversNothingBelowIt(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("mean"))
	f := s.chain.rows[0].params[0].field
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(f)
	test.MoveMouse(s.win.Canvas(), at.AddXY(10, 10))
	box := s.tips.box
	right, below := box.Position().X+box.Size().Width, box.Position().Y+box.Size().Height
	if len(s.tips.layer.Objects) == 0 || below > at.Y && right > at.X {
		t.Errorf("the tip ends at %v, %v, the field begins at %v", right, below, at)
	}
}

func TestNudgingChangesTheLastDigit(t *testing.T) {
	for _, c := range []struct {
		text string
		by   int
		want string
	}{
		{"1", 1, "2"}, {"0.4um", 1, "0.5um"}, {"0.1", -1, "0.09"}, {"2.50", -1, "2.49"}, {"-3", 1, "-2"}, {"400nm", -1, "399nm"},
		{"1,2,2", 1, "1,2,2"}, {"much", 1, "much"}, {"", 1, ""}, {"1", -1, "0"},
	} {
		if got, _ := nudged(c.text, c.by); got != c.want {
			t.Errorf("%q by %d is %q, want %q", c.text, c.by, got, c.want)
		}
	}
}

func TestTheHandlesOfTheHistogramSetTheLimits(t *testing.T) {
	s := withVolume(t)
	p := s.channels.plot
	before := s.session.State().Channels[0].Limits
	from := p.xOf(before.High)
	for _, x := range []float32{from - 10, from - 20, from - 30} {
		p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}, Dragged: fyne.NewDelta(-10, 0)})
	}
	p.DragEnd()
	l := s.session.State().Channels[0].Limits
	if l.Low != before.Low || l.High >= before.High {
		t.Errorf("limits %v, were %v", l, before)
	}
	if s.channels.high.Text != number(l.High) {
		t.Errorf("the field shows %q, want %q", s.channels.high.Text, number(l.High))
	}
	s.Undo()
	if got := s.session.State().Channels[0].Limits; got != before {
		t.Errorf("one undo gives %v, want %v", got, before)
	}
	// BR-007: both handles on one value leave a usable control.
	p.low = true
	p.move(p.xOf(p.limits.High))
	p.settled()
	if l := s.session.State().Channels[0].Limits; !(l.Low < l.High) {
		t.Errorf("limits %v", l)
	}
}

func TestALimitOffTheScaleIsMarkedAtItsEnd(t *testing.T) {
	s := withVolume(t)
	p := s.channels.plot
	full := func(x int) (n int) { // rows of a column that hold a handle
		p.draw(200, 80)
		for y := range 80 {
			if p.buffer.RGBAAt(x, y) == rgba(shade(theme.ColorNameForeground)) {
				n++
			}
		}
		return n
	}
	span := p.h.Most - p.h.Least
	p.limits = viewer.Limits{Low: p.h.Least, High: p.h.Most + 0.9*span}
	if n := full(p.pixelOf(p.limits.High, 200)); n != 80 {
		t.Errorf("within the scale the line is %d of 80 high", n)
	}
	p.limits = viewer.Limits{Low: p.h.Least - 20*span, High: p.h.Most + 20*span}
	for _, x := range []int{0, 199} {
		if n := full(x); n < 30 || n > 60 {
			t.Errorf("off the scale the dashed line is %d of 80 high", n)
		}
	}
	for _, x := range []int{9, 190} {
		if n := full(x); n < 10 {
			t.Errorf("the arrow is %d high", n)
		}
	}
}

func TestLimitsAreTypedAndNonsenseIsDropped(t *testing.T) {
	s := withVolume(t)
	s.channels.low.SetText("333")
	s.channels.low.commit()
	if l := s.session.State().Channels[0].Limits; l.Low != 333 {
		t.Errorf("limits %v", l)
	}
	before := s.session.State().Channels[0].Limits
	s.channels.high.SetText("bright")
	s.channels.high.commit()
	if l := s.session.State().Channels[0].Limits; l != before {
		t.Errorf("a word moved the limits to %v", l)
	}
}

func TestChannelRowsShowHideAndChoose(t *testing.T) {
	s := withVolume(t)
	row := s.channels.rows[1]
	row.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, 10)})
	if s.session.State().Channels[1].Visible {
		t.Error("the dot did not hide")
	}
	row.Tapped(&fyne.PointEvent{Position: fyne.NewPos(70, 10)})
	if s.session.State().Active() != 1 || !strings.HasSuffix(s.channels.title.words, "GFP") {
		t.Errorf("active is %d, the title %q", s.session.State().Active(), s.channels.title.words)
	}
	row.TappedSecondary(nil)
	if !s.session.State().Solo || !s.channels.single.Checked {
		t.Error("the right button did not show it alone")
	}
	row.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if s.session.State().Solo || !s.session.State().Channels[1].Visible {
		t.Error("Space did not show it with the others")
	}
	s.settle()
}

func TestColoursAreChosenFromTheList(t *testing.T) {
	s := withVolume(t)
	s.channels.choose(0, "Fire")
	if s.session.State().Channels[0].LUT != "Fire" || s.channels.lut.Selected != "Fire" {
		t.Errorf("LUT %q, shown %q", s.session.State().Channels[0].LUT, s.channels.lut.Selected)
	}
	s.channels.choose(0, Say("lut.color"))
	if s.session.State().Channels[0].LUT != "" {
		t.Error("the colour of the channel did not come back")
	}
	s.settle()
}

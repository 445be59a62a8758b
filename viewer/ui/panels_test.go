package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
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
	s.chain.rows[1].grip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if names() != second+" "+first {
		t.Errorf("moved up: %q", names())
	}
	if s.win.Canvas().Focused() != s.chain.rows[0].grip {
		t.Error("the focus did not go with the filter")
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

func TestAFilterIsDraggedToItsPlace(t *testing.T) {
	s := withVolume(t)
	for _, name := range []string{"mean", "gaussian", "sobel"} {
		s.act(viewer.AddFilter(name))
	}
	s.win.Canvas().Capture()
	at := func(i int, share float32) float32 {
		b := s.chain.rows[i].box
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(b).Y + share*b.Size().Height
	}
	drag := func(i int, y float32) {
		g := s.chain.rows[i].grip
		g.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, y-fyne.CurrentApp().Driver().AbsolutePositionForObject(g).Y)}})
	}
	for _, c := range []struct {
		what    string
		row, on int
		share   float32
		marked  bool
		want    string
	}{
		{"the first below the last", 0, 2, 0.9, true, "gaussian | sobel | mean"},
		{"the last above the second", 2, 1, 0.1, true, "gaussian | mean | sobel"},
		{"the second onto itself", 1, 1, 0.7, false, "gaussian | mean | sobel"},
		{"the last above the first", 2, 0, -5, true, "sobel | gaussian | mean"},
	} {
		drag(c.row, at(c.on, c.share))
		if s.chain.place.on != c.marked {
			t.Errorf("%s: its place is marked: %v", c.what, s.chain.place.on)
		}
		s.chain.rows[c.row].grip.DragEnd()
		s.win.Canvas().Capture()
		var names []string
		for _, step := range s.session.State().Chain {
			names = append(names, step.Filter)
		}
		if got := strings.Join(names, " | "); got != c.want || s.chain.place.on {
			t.Errorf("%s: the chain is %s, want %s", c.what, got, c.want)
		}
	}
}

func TestAltAndAnArrowMoveTheFilterWithTheFocus(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.AddFilter("mean"))
	s.act(viewer.AddFilter("sobel"))
	s.win.Canvas().Capture()
	first := func() string { return s.session.State().Chain[0].Filter }
	size := s.chain.rows[0].params[0].field
	s.win.Canvas().Focus(size)
	size.TypedShortcut(shortcutOf("Alt+Down"))
	if first() != "sobel" {
		t.Fatalf("the first filter is %s", first())
	}
	s.pane.takeFocus()
	s.do("Alt+Up")
	if first() != "sobel" {
		t.Error("a filter moves though the focus is on the picture")
	}
	s.win.Canvas().Focus(s.chain.rows[1].on)
	s.do("Alt+Up")
	if first() != "mean" {
		t.Errorf("back again the first filter is %s", first())
	}
}

func TestTheCatalogueIsSearchedByNamePurposeAndWhatAFilterDoes(t *testing.T) {
	english(t)
	s := withVolume(t)
	for _, c := range []struct{ text, want string }{{"gauss", "gaussian"}, {"otsu", "threshold"}, {"gaussian_laplace", "log"}, {"morphology open", "opening"}, {"formula of your own", "stencil"}} {
		s.act(viewer.SetChain(nil))
		s.AddFilter()
		line, ok := s.win.Canvas().Focused().(*paletteEntry)
		if !ok {
			t.Fatalf("the focus is on %T", s.win.Canvas().Focused())
		}
		line.SetText(c.text)
		if about := line.of.about.rich.String(); about == "" {
			t.Errorf("%s: nothing is said of it", c.text)
		}
		line.OnSubmitted("")
		chain := s.session.State().Chain
		if len(chain) != 1 || chain[0].Filter != c.want {
			t.Errorf("%q adds %v, want %s", c.text, chain, c.want)
		}
	}
}

func TestFiltersAreKeptUnderANameAndUsedAgain(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.asks.KeepChains = s.SetKept
	s.act(viewer.AddFilter("sobel"))
	s.keepChain()
	s.win.Canvas().Focused().(*dialogEntry).SetText("my edges")
	s.win.Canvas().Focused().(*dialogEntry).OnSubmitted("")
	if len(s.dialogs) != 0 || len(s.kept) != 1 {
		t.Fatalf("kept are %v", s.kept)
	}
	s.act(viewer.SetChain(nil))
	use := s.keptMenu().Items[1].ChildMenu.Items
	if len(use) != 1 || use[0].Label != "my edges" {
		t.Fatalf("the menu lists %v", use)
	}
	use[0].Action()
	if got := s.session.State().Chain.String(); got != "sobel" {
		t.Errorf("used, the chain is %q", got)
	}
	s.keptMenu().Items[2].ChildMenu.Items[0].Action()
	if len(s.kept) != 0 {
		t.Errorf("forgotten, there are %v", s.kept)
	}
}

func TestFiltersSetAsideStandBelowTheChainAndSwapWithIt(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.act(viewer.AddFilter("sobel"))
	s.act(viewer.SetAside())
	s.act(viewer.SetChain(nil))
	s.act(viewer.AddFilter("mean"))
	s.settle()
	if !s.chain.aside.box.Visible() || s.chain.apply.Visible() || !strings.Contains(s.chain.aside.text.rich.String(), "sobel") {
		t.Errorf("what is set aside is told as %q", s.chain.aside.text.rich.String())
	}
	s.compare(viewer.Curtain)
	if got := s.pane.veil.words[0].Text; got != "Set aside" {
		t.Errorf("left of the curtain is %q", got)
	}
	s.act(viewer.SwapAside())
	if c, a := s.session.State().Chain.String(), s.session.State().Aside.String(); c != "sobel" || a != "mean" {
		t.Errorf("swapped: %q and %q", c, a)
	}
	s.act(viewer.DropAside())
	if s.chain.aside.box.Visible() || !s.chain.apply.Visible() {
		t.Error("nothing is set aside, and the panel shows it")
	}
}

func TestNewImagesAreMadeOfTheOneOnView(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.crop(false)
	if got := s.notice.text(); got != "choose a rectangle, an ellipse or a polygon first" {
		t.Errorf("without a selection it says %q", got)
	}
	s.act(viewer.AddShape(viewer.Shape{Kind: viewer.Rectangle, Cut: viewer.XY, At: s.session.Scene().Plane(s.session.State()).Min, Points: [][2]float64{{9.5, 4.5}, {29.5, 24.5}}}))
	s.crop(false)
	if m := s.session.Scene().Meta(); m.Shape[lazy.X] != 20 || m.Shape[lazy.Y] != 20 || s.series.choice.Selected != "2  test – Crop" || !s.series.box.Visible() {
		t.Errorf("the image %q is %v", s.series.choice.Selected, m.Shape)
	}
	s.settle()
	menu := s.deriveMenu().ChildMenu.Items
	menu[3].Action()
	s.settle()
	if name := s.series.choice.Selected; name != "3  test – Crop – Rotate" {
		t.Errorf("the image is called %q", name)
	}
	menu[len(menu)-1].Action()
	if name := s.series.choice.Selected; name != "2  test – Crop" {
		t.Errorf("discarded, the image is %q", name)
	}
	s.settle()
}

// The pointer rests on a control; a key or a click takes the control from under it, which the toolkit does not say.
func TestATipGoesWithThePanelThatItIsOf(t *testing.T) {
	s := withVolume(t)
	for name, change := range map[string]func(){
		"objects": s.ToggleObjects, "results": s.ToggleResults, "panels": s.TogglePanels,
		"a filter": func() { s.act(viewer.AddFilter("gaussian")) }, "three views": func() { s.arrange(viewer.ThreeUp) },
	} {
		s.tips.enter(s, "what it is for", under(fyne.NewPos(100, 100)))
		s.act(viewer.Step(lazy.Z, 1))
		if len(s.tips.layer.Objects) == 0 {
			t.Fatalf("%s: the tip has gone with the plane", name)
		}
		change()
		if len(s.tips.layer.Objects) != 0 {
			t.Errorf("%s: the tip stays", name)
		}
	}
}

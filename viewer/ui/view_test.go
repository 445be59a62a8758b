package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

func TestTheWheelGoesThroughThePlanesByItsModifiers(t *testing.T) {
	s := withVolume(t)
	start := s.session.State()
	for _, c := range []struct {
		name   string
		mods   fyne.KeyModifier
		dx, dy float32
		z, t   int
		zoom   float64
	}{
		{"one notch towards the user is the next plane", 0, 0, -25, 5, 0, 1},
		{"away from the user is the one before", 0, 0, 25, 3, 0, 1},
		{"a fast notch is still one", 0, 0, -140, 5, 0, 1},
		{"Shift is ten, at most to the last, and comes with the axes swapped", fyne.KeyModifierShift, -25, 0, 8, 0, 1},
		{"Alt is time", fyne.KeyModifierAlt, 0, -25, 4, 1, 1},
		{"Control zooms in", fyne.KeyModifierControl, 0, 25, 4, 0, 1.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.act(func(*viewer.Scene, viewer.State) viewer.State { return start })
			s.pane.mods = func() fyne.KeyModifier { return c.mods }
			test.Scroll(s.win.Canvas(), middle(s), c.dx, c.dy)
			now := s.session.State()
			if now.At[lazy.Z] != c.z || now.At[lazy.T] != c.t {
				t.Errorf("at z %d, t %d, want %d, %d", now.At[lazy.Z], now.At[lazy.T], c.z, c.t)
			}
			if d := now.Zoom / start.Zoom / c.zoom; d < 0.999 || d > 1.001 {
				t.Errorf("zoom by %v, want %v", now.Zoom/start.Zoom, c.zoom)
			}
		})
	}
}

// middle is a point in the middle of the picture.
func middle(s *stage) fyne.Position {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.pane)
	return at.AddXY(s.pane.Size().Width/2, s.pane.Size().Height/2)
}

// The toolkit opens its menu, which takes the keys, when Alt is let go.
func TestTheMenuThatEndsAltAndWheelIsClosed(t *testing.T) {
	s := withVolume(t)
	closed, held := 0, fyne.KeyModifierAlt
	var waiting []func()
	s.pane.close = func() { closed++ }
	s.pane.later = func(f func()) { waiting = append(waiting, f) }
	s.pane.mods = func() fyne.KeyModifier { return held }
	test.Scroll(s.win.Canvas(), middle(s), 0, -25)
	test.Scroll(s.win.Canvas(), middle(s), 0, -25)
	waiting[0]()
	if closed != 0 || len(waiting) != 2 {
		t.Fatalf("while Alt is held: closed %d times, asked %d times", closed, len(waiting))
	}
	held = 0
	waiting[1]()
	if closed != 1 || len(waiting) != 2 {
		t.Errorf("after Alt and wheel: closed %d times, asked %d times", closed, len(waiting))
	}
}

func TestOneDialogAtATimeAndEscClosesIt(t *testing.T) {
	s := withVolume(t)
	open := func() int { return len(s.win.Canvas().Overlays().List()) }
	ask := func() { s.AskFile("Export", t.TempDir(), "a.tif", []string{".tif"}, nil) }
	ask()
	ask()
	s.pressed(fyne.KeyF1, 0)
	if n := open(); n != 1 {
		t.Fatalf("%d dialogs are open", n)
	}
	at := s.session.State().At
	s.pressed(fyne.KeyRight, 0)
	s.typed('.')
	if s.session.State().At != at {
		t.Error("a key went through the dialog to the picture")
	}
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) // in the entry of the name
	if n := open(); n != 0 {
		t.Fatalf("Esc left %d dialogs", n)
	}
	s.Keys()
	s.pressed(fyne.KeyEscape, 0)
	if n := open(); n != 0 {
		t.Fatalf("Esc left the sheet of keys")
	}
	ask()
	if n := open(); n != 1 {
		t.Errorf("%d dialogs are open after asking anew", n)
	}
}

func TestATouchPadAddsUpToNotches(t *testing.T) {
	var w wheel
	n := 0
	for range 20 {
		n += w.steps(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -5)})
	}
	if n != 4 {
		t.Errorf("100 units are %d notches, want 4", n)
	}
}

func TestKeys(t *testing.T) {
	s := withVolume(t)
	shift := fyne.KeyModifierShift
	for _, c := range []struct {
		name string
		do   func()
		want func(viewer.State) bool
	}{
		{". is the next plane", func() { s.typed('.') }, func(v viewer.State) bool { return v.At[lazy.Z] == 5 }},
		{", is the one before", func() { s.typed(',') }, func(v viewer.State) bool { return v.At[lazy.Z] == 3 }},
		{"] is the next time point", func() { s.typed(']') }, func(v viewer.State) bool { return v.At[lazy.T] == 1 }},
		{"right is the next plane", func() { s.pressed(fyne.KeyRight, 0) }, func(v viewer.State) bool { return v.At[lazy.Z] == 5 }},
		{"Shift and right are ten", func() { s.pressed(fyne.KeyRight, shift) }, func(v viewer.State) bool { return v.At[lazy.Z] == 8 }},
		{"page up is ten back", func() { s.pressed(fyne.KeyPageUp, 0) }, func(v viewer.State) bool { return v.At[lazy.Z] == 0 }},
		{"2 hides the second channel", func() { s.pressed(fyne.Key2, 0) }, func(v viewer.State) bool { return !v.Channels[1].Visible }},
		{"Shift and 2 show it alone", func() { s.pressed(fyne.Key2, shift) }, func(v viewer.State) bool { return v.Solo && v.At[lazy.C] == 1 }},
		{"C finds limits", func() { s.typed('c') }, func(v viewer.State) bool { return v.Channels[0].Rule.Pending }},
		{"B hides the scale bar", func() { s.typed('b') }, func(v viewer.State) bool { return !v.ScaleBar }},
		{"I blends", func() { s.typed('i') }, func(v viewer.State) bool { return v.Sampling == viewer.Linear }},
		{"+ zooms in", func() { s.typed('+') }, func(v viewer.State) bool { return !v.Fitted }},
		{"Home fits again", func() { s.typed('+'); s.pressed(fyne.KeyHome, 0) }, func(v viewer.State) bool { return v.Fitted }},
		{"Control keeps keys for the menu", func() { s.pressed(fyne.KeyRight, fyne.KeyModifierControl) }, func(v viewer.State) bool { return v.At[lazy.Z] == 4 }},
	} {
		start := s.session.State()
		c.do()
		if !c.want(s.session.State()) {
			t.Errorf("%s: %+v", c.name, s.session.State())
		}
		s.act(func(*viewer.Scene, viewer.State) viewer.State { return start })
		s.settle()
	}
}

func TestDraggingMovesThePicture(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.Zoom(4))
	before := s.session.State().Center
	s.pane.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(30, -12)})
	s.pane.DragEnd()
	g := s.session.Scene().Geometry(s.session.State())
	after := s.session.State().Center
	if dx := (before[lazy.X] - after[lazy.X]) * g.Pixels[0]; dx < 29.9 || dx > 30.1 {
		t.Errorf("moved by %v pixels across, want 30", dx)
	}
	if dy := (before[lazy.Y] - after[lazy.Y]) * g.Pixels[1]; dy > -11.9 || dy < -12.1 {
		t.Errorf("moved by %v pixels down, want -12", dy)
	}
}

func TestThePointerReadsVoxelPlaceAndValue(t *testing.T) {
	english(t)
	s := withVolume(t)
	g := s.session.Scene().Geometry(s.session.State())
	x, y := g.Pixel(10, 20)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.pane)
	test.MoveMouse(s.win.Canvas(), at.AddXY(float32(x), float32(y)))
	s.until("the readout", func() bool { return strings.Contains(s.status.under.words, "x 11") })
	// DAPI 100+30·10+10·4, GFP 500+20·20; z 4 is 2 µm up.
	if want := "x 11  y 21  z 5   ·   1.0, 2.0, 2.0 µm   ·   value DAPI 440, GFP 900"; s.status.under.words != want {
		t.Errorf("the status says %q, want %q", s.status.under.words, want)
	}
	s.act(viewer.AddFilter("sobel"))
	s.settle()
	s.until("the filtered value", func() bool { return strings.Contains(s.status.under.words, "raw DAPI 440, GFP 900 →") })
	s.pane.MouseOut()
	s.until("nothing under the pointer", func() bool { return s.status.under.words == "" })
}

func TestTheCostOfAPlaneIsOnView(t *testing.T) {
	english(t)
	s := withVolume(t)
	if got := s.cost.lines[0].words; got != "6 of 36 tasks" { // three chunks along y for each of two channels
		t.Errorf("tasks: %q", got)
	}
	if got := s.cost.lines[1].words; got != "6 of 36 chunks, 36 kB" {
		t.Errorf("chunks: %q", got)
	}
	if got := s.status.cost.words; !strings.HasPrefix(got, "6 of 36 tasks, 6 chunks read, ") || !strings.HasSuffix(got, ", CPU") {
		t.Errorf("status: %q", got)
	}
}

func TestSlidersCountFromOneAndSayWhere(t *testing.T) {
	s := withVolume(t)
	z, time, c := s.axes.rows[0], s.axes.rows[1], s.axes.rows[2]
	if z.number.Text+" "+z.of.words != "5 / 9" || z.where.words != "2.0 µm" || time.number.Text+" "+time.of.words != "1 / 2" || time.where.words != "0 s" || c.where.words != "DAPI" {
		t.Errorf("%q %q %q %q %q", z.number.Text+" "+z.of.words, z.where.words, time.number.Text+" "+time.of.words, time.where.words, c.where.words)
	}
	z.slider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if z.number.Text+" "+z.of.words != "9 / 9" || s.session.State().At[lazy.Z] != 8 {
		t.Errorf("End goes to %q", z.number.Text+" "+z.of.words)
	}
	z.slider.Tapped(&fyne.PointEvent{Position: fyne.NewPos(0, 5)})
	if s.session.State().At[lazy.Z] != 0 {
		t.Errorf("a click at the left goes to plane %d", s.session.State().At[lazy.Z])
	}
	z.slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(z.slider.Size().Width, 5)}})
	if s.session.State().At[lazy.Z] != 8 {
		t.Errorf("a drag to the right goes to plane %d", s.session.State().At[lazy.Z])
	}
}

func TestPlayingGoesRoundAndStops(t *testing.T) {
	s := withVolume(t)
	s.act(viewer.MoveTo(lazy.Z, 7))
	s.settle()
	s.play(lazy.Z)
	s.player.tick.Stop()
	for _, want := range []int{8, 0, 1} {
		s.settle()
		s.playOn(s.player.last.Add(time.Second))
		s.player.tick.Stop()
		if z := s.session.State().At[lazy.Z]; z != want {
			t.Fatalf("plane %d, want %d", z, want)
		}
	}
	s.pressed(fyne.KeyEscape, 0)
	if s.player.on {
		t.Error("Esc did not stop it")
	}
}

func TestAnErrorIsReadableAndEscClosesIt(t *testing.T) {
	s := newStage(t)
	s.Fail(errBroken)
	if !s.notice.visible() || s.notice.words.rich.String() != "reading embryo.tif: plane 5: the strip ends early" {
		t.Errorf("the message is %q", s.notice.words.rich.String())
	}
	s.pressed(fyne.KeyEscape, 0)
	if s.notice.visible() {
		t.Error("Esc left the message")
	}
}

func TestAPlaneThatCannotBeReadIsToldOnce(t *testing.T) {
	s := newStage(t)
	s.open(dataset(volume{fail: errBroken}))
	s.until("the message", func() bool { return s.notice.visible() })
	s.hush()
	s.act(viewer.Step(lazy.Z, 1)) // the same reason again is no news
	s.until("the work to end", func() bool { return s.report.Err != nil && !s.report.Busy })
	if s.notice.visible() {
		t.Error("the same message came again")
	}
}

func TestPanelsFoldAway(t *testing.T) {
	s := withVolume(t)
	wide := s.pane.Size().Width
	s.pressed(fyne.KeyF9, 0)
	if got := s.pane.Size().Width; got != wide+leftWide+rightWide {
		t.Errorf("the picture is %v wide, was %v", got, wide)
	}
	s.pressed(fyne.KeyF9, 0)
	if got := s.pane.Size().Width; got != wide {
		t.Errorf("unfolded, the picture is %v wide, was %v", got, wide)
	}
}

func TestTheWindowFitsASmallScreenAtTwiceTheScale(t *testing.T) {
	s := withVolume(t)
	if m := s.content.MinSize(); m.Width > 1280/2 || m.Height > (720-40)/2-30 { // a title bar and the menu bar
		t.Errorf("the window is at least %v", m)
	}
}

func TestTheEmptyWindowTeachesAndOpens(t *testing.T) {
	s := newStage(t)
	s.SetRecent([]Recent{{Source: "/data/embryo #1%.tif", Name: "embryo #1%.tif", About: "9 × 48 × 64  uint16"}})
	row := s.start.recent.Objects[0].(*recentRow)
	row.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.opened) != 1 || s.opened[0][0] != "/data/embryo #1%.tif" {
		t.Errorf("opened %v", s.opened)
	}
	if !s.start.box.Visible() || s.middle.Visible() {
		t.Error("the empty window does not show its lines")
	}
	s.open(dataset(volume{}))
	if s.start.box.Visible() || !s.middle.Visible() {
		t.Error("with a volume the lines are still there")
	}
}

func TestUndoFromTheMenu(t *testing.T) {
	s := withVolume(t)
	undo := s.win.MainMenu().Items[1].Items[0]
	if !undo.Disabled {
		t.Error("there is nothing to undo, but undo is offered")
	}
	s.act(viewer.SetLUT(0, "Fire"))
	if undo.Disabled {
		t.Fatal("undo is not offered")
	}
	undo.Action()
	if s.session.State().Channels[0].LUT == "Fire" {
		t.Error("undo did nothing")
	}
}

func TestAnAddressIsAskedForAndOpened(t *testing.T) {
	s := newStage(t)
	write := func(text string) {
		entry := s.win.Canvas().Focused().(*dialogEntry)
		entry.SetText(text)
		entry.OnSubmitted(text)
	}
	s.AskAddress()
	write("embryo.ome.zarr")
	if len(s.opened) != 0 || len(s.dialogs) != 1 {
		t.Fatalf("opened %v with %d dialogs for what is no address", s.opened, len(s.dialogs))
	}
	write(" s3://bucket/a b.zarr\n")
	if fmt.Sprint(s.opened) != "[[s3://bucket/a b.zarr]]" || len(s.dialogs) != 0 {
		t.Errorf("opened %v with %d dialogs", s.opened, len(s.dialogs))
	}
	here := t.TempDir()
	s.AskAddress()
	write(here)
	if last := s.opened[len(s.opened)-1]; fmt.Sprint(last) != fmt.Sprint([]string{here}) {
		t.Errorf("of a path it opened %v", last)
	}
	now := ""
	s.AskMoved("/gone/embryo.tif", nil, func(path string) { now = path })
	if text := s.win.Canvas().Focused().(*dialogEntry).Text; text != "/gone/embryo.tif" {
		t.Errorf("what has gone is called %q", text)
	}
	write("/gone/still.tif")
	write(here)
	if now != here {
		t.Errorf("it is at %q now", now)
	}
	fyne.CurrentApp().Clipboard().SetContent("https://example.org/x.tif")
	s.AskAddress()
	if text := s.win.Canvas().Focused().(*dialogEntry).Text; text != "https://example.org/x.tif" {
		t.Errorf("the address of the clipboard is not offered: %q", text)
	}
}

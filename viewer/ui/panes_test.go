package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"lamella/lazy"
	"lamella/viewer"
)

// threeUp is a stage with three pictures.
func threeUp(t *testing.T) *stage {
	t.Helper()
	s := withVolume(t)
	s.typed('/')
	test.ApplyTheme(t, Theme{Look: Dark})
	s.win.Canvas().Capture()
	s.until("all pictures", func() bool {
		for i := range 3 {
			f := s.session.FrameOf(i)
			if f == nil || f.Partial || f.Stale || f.State.Zoom != s.session.State().Zoom || f.State.Size != s.panes.all[i].size {
				return false
			}
		}
		return !s.report.Busy
	})
	return s
}

func TestThreePicturesFillTheRoom(t *testing.T) {
	english(t)
	s := threeUp(t)
	all := s.panes.all
	room := s.panes.box.Size()
	if len(all) != 3 || all[0].Size().Width+all[1].Size().Width+between != room.Width || all[0].Size().Height+all[2].Size().Height+between != room.Height {
		t.Fatalf("%v, %v and %v in %v", all[0].Size(), all[1].Size(), all[2].Size(), room)
	}
	s.still()
	s.update()
	s.frame()
	golden(t, "threeup", s.win.Canvas().Capture())
	s.typed('/')
	if all[1].Visible() || all[0].Size() != room {
		t.Errorf("back to one, it measures %v of %v", all[0].Size(), room)
	}
}

func TestTheCrosshairMovesByItsLinesByAClickAndWithShift(t *testing.T) {
	s := threeUp(t)
	at := func() lazy.Index { return s.session.State().At }
	press := func(p *pane, from, to fyne.Position, m fyne.KeyModifier) {
		e := fyne.PointEvent{Position: from}
		p.MouseDown(&desktop.MouseEvent{PointEvent: e, Modifier: m})
		p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}, Dragged: fyne.Delta{DX: to.X - from.X, DY: to.Y - from.Y}})
		p.DragEnd()
	}
	xz := s.panes.all[2]
	before, middle := at(), s.session.State().Center
	cross, ok := xz.crosshair()
	if !ok {
		t.Fatal("there is no crosshair")
	}
	press(xz, cross.AddXY(40, 1), cross.AddXY(80, 12), 0)
	if now := at(); now[lazy.Z] <= before[lazy.Z] || now[lazy.X] != before[lazy.X] || s.session.State().Center != middle {
		t.Errorf("the level line went from %v to %v", before, now)
	}
	before = at()
	cross, _ = xz.crosshair()
	press(xz, cross.AddXY(1, 40), cross.AddXY(30, 40), 0)
	if now := at(); now[lazy.X] <= before[lazy.X] || now[lazy.Z] != before[lazy.Z] {
		t.Errorf("the upright line went from %v to %v", before, now)
	}
	press(xz, cross.AddXY(60, 60), cross.AddXY(70, 60), 0)
	if s.session.State().Center == middle {
		t.Error("a drag beside the lines did not move the picture")
	}
	before = at()
	test.TapCanvas(s.win.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(s.pane).AddXY(60, 60))
	if now := at(); now[lazy.X] == before[lazy.X] || now[lazy.Y] == before[lazy.Y] || now[lazy.Z] != before[lazy.Z] {
		t.Errorf("a click on xy went from %v to %v", before, now)
	}
	s.typed('/')
	before = at()
	s.pane.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 100)}, Modifier: fyne.KeyModifierShift})
	if at() == before {
		t.Error("Shift and a click did not move it")
	}
}

func TestTheWheelGoesAlongThePictureItIsOn(t *testing.T) {
	s := threeUp(t)
	before := s.session.State().At
	s.panes.all[2].Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
	if now := s.session.State().At; now[lazy.Y] != before[lazy.Y]+1 || now[lazy.Z] != before[lazy.Z] {
		t.Errorf("over xz the wheel went from %v to %v", before, now)
	}
}

func TestChannelsStandSideBySide(t *testing.T) {
	s := withVolume(t)
	s.typed('g')
	if n := len(s.panes.all); n != 2 || !s.panes.all[1].Visible() {
		t.Fatalf("%d pictures", n)
	}
	s.act(viewer.Toggle(1))
	if s.panes.all[1].Visible() {
		t.Error("a hidden channel keeps its picture")
	}
	for n, want := range map[int]int{1: 1, 2: 2, 4: 2, 5: 3, 9: 3} {
		if got := columnsFor(n, fyne.NewSize(600, 400)); got != want {
			t.Errorf("%d pictures stand in %d columns, want %d", n, got, want)
		}
	}
}

func TestPicturesOfChannelsHaveTheirNamesAndValues(t *testing.T) {
	english(t)
	s := withVolume(t)
	s.arrange(viewer.ByChannel)
	s.settle()
	if got := s.panes.all[1].notes.title(); got != "GFP" {
		t.Errorf("the second picture is called %q", got)
	}
	s.painted()
	first := s.panes.all[0]
	x, y := s.session.Scene().Geometry(s.session.State().Pane(0)).Pixel(10, 20)
	s.session.HoverOn(first.index, x, y)
	s.until("the values of both channels", func() bool { return len(s.report.Readout.Raw) == 2 })
	if r := s.report.Readout; r.Voxel[lazy.X] != 10 || r.Raw[0].Text != "440" || r.Raw[1].Text != "900" {
		t.Errorf("under the pointer is %+v", r)
	}
	s.arrange(viewer.ByChannel)
	if got := first.notes.title(); got != "" {
		t.Errorf("alone it is called %q", got)
	}
}

func TestPicturesThatComeBackAreDrawnAtTheirSize(t *testing.T) {
	s := threeUp(t)
	s.typed('/')
	s.win.Canvas().Capture()
	s.typed('/')
	s.win.Canvas().Capture()
	for i, p := range s.panes.all {
		if got := p.state().Size; got != p.size || got.X == 0 {
			t.Errorf("picture %d is said to measure %v, and measures %v", i, got, p.size)
		}
	}
}

func TestThePlaceUnderThePointerIsMarkedAndReadInTheImagesBeside(t *testing.T) {
	english(t)
	s := newStage(t)
	set := dataset(volume{})
	for _, name := range []string{"first", "second"} {
		i := dataset(volume{}).Images[0]
		i.Name = name
		set.Images = append(set.Images, i)
	}
	set.Images = set.Images[1:]
	s.open(set)
	s.settle()
	s.arrange(viewer.ByImage)
	s.painted()
	s.settle()
	first, second := s.panes.all[0], s.panes.all[1]
	g := s.session.Scene().Geometry(first.state())
	x, y := g.Pixel(10, 20)
	at := fyne.NewPos(float32(x/first.scale()), float32(y/first.scale()))
	first.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	if first.mark.on || !second.mark.on {
		t.Fatalf("under the pointer there is a mark (%v), beside it there is one (%v)", first.mark.on, second.mark.on)
	}
	px, py := second.pixel(second.mark.at)
	sc, of, _ := s.session.SeenOn(1)
	if a, d, ok := sc.Geometry(of).Voxel(px+1, py+1); !ok || a != 10 || d != 20 {
		t.Errorf("the mark is on voxel %d, %d, want 10, 20", a, d)
	}
	s.until("both values", func() bool {
		return strings.Contains(s.status.under.words, "value DAPI 440, GFP 900") && strings.Contains(s.status.under.words, "second: DAPI 440, GFP 900")
	})
	first.MouseOut()
	if second.mark.on {
		t.Error("the pointer left, the mark stayed")
	}
}

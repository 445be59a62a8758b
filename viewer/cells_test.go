package viewer

import (
	"strings"
	"testing"

	"lamella/lazy"
)

func TestLargeVoxelsHaveTheirValues(t *testing.T) {
	b := open(t, dataset(stack()), Options{})
	b.Act(Resize(300, 200))
	b.settled()
	if f := b.Frame(); len(f.Cells) != 0 {
		t.Errorf("small voxels have %d values", len(f.Cells))
	}
	b.Act(SetLimits(0, Limits{0, 1}))
	b.Act(Fit())
	b.Act(ZoomAt(150, 100, 30/b.State().Zoom))
	b.until("the values", func(f *Frame, r Report) bool { return !r.Busy && len(f.Cells) > 0 })
	f := b.Frame()
	if n := len(f.Cells); n < 10*6 || n > 11*8 {
		t.Errorf("of 10 by 7 voxels %d have values", n)
	}
	at := b.State().At
	for _, c := range f.Cells {
		z, y, x := at[lazy.Z], c.Down, c.Across
		if want := Text(lazyBlock(float64((z*7919+y*104729+x*1299709)%1000+10*x+5*z)), 0); len(c.Values) != 1 || c.Values[0].Text != want || !c.Light {
			t.Fatalf("voxel %d, %d says %v, want %s", x, y, c.Values, want)
		}
	}
	b.Act(ShowValues(false))
	b.until("none", func(f *Frame, r Report) bool { return !r.Busy && len(f.Cells) == 0 })
}

// lazyBlock is a block of one value of 16 bits.
func lazyBlock(v float64) *lazy.Block {
	b := lazy.NewBlock(lazy.Shape{1, 1, 1, 1, 1}.Whole(), lazy.U16)
	lazy.View[uint16](b)[0] = uint16(v)
	return b
}

func TestNotesStandAtTheLeftOneBelowTheOther(t *testing.T) {
	sc, s := figureScene(t)
	if l := sc.Notes(s, 12); len(l.Boxes)+len(l.Texts) != 0 {
		t.Errorf("without notes there are %v", l)
	}
	s = act(sc, s, ShowStamp(true), ShowLegend(true))
	l := sc.Notes(s, 12)
	var texts []string
	for _, x := range l.Texts {
		texts = append(texts, x.Text)
	}
	if got := strings.Join(texts, ", "); got != "z 2.0 µm, 199, 0" {
		t.Errorf("they say %q", got)
	}
	stamp := l.Boxes[0]
	for _, b := range l.Boxes[1:] {
		if b.Y < stamp.Y+stamp.H-1e-9 || b.X < stamp.X-1e-9 {
			t.Fatalf("%+v lies on the stamp %+v", b, stamp)
		}
	}
}

func TestAnImageIsShownAsAnotherOne(t *testing.T) {
	sc, s := scene(t, dataset(zyx("ramp", lazy.U8, shape(9, 32, 32), nil)), 200, 200)
	like := act(sc, s, SetLimits(0, Limits{3, 30}), SetLUT(0, "Fire"), SetGamma(0, 0.5), ShowHiLo(true)).Display()
	like.Channels = append(like.Channels, Channel{Name: "another"})
	s.Channels[0].Name = "mine"
	now := act(sc, s, ShowAs(like))
	if c := now.Channels[0]; len(now.Channels) != 1 || c.Name != "mine" || c.Limits != (Limits{3, 30}) || c.LUT != "Fire" || c.Gamma != 0.5 || !now.HiLo || c.Rule != (Rule{}) {
		t.Errorf("it is shown as %+v", now.Channels)
	}
	if s.Channels[0].LUT == "Fire" {
		t.Error("the state before has changed")
	}
	like.Channels[0].LUT = FileLUT
	if c := act(sc, s, ShowAs(like)).Channels[0]; c.LUT != s.Channels[0].LUT {
		t.Errorf("a palette of another file became %q", c.LUT)
	}
}

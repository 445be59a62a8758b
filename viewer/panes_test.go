package viewer

import (
	"image"
	"math"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

// steps is a volume of 6 x 8 x 10 voxels, each of a value of its own, in chunks of one plane.
func steps() formula {
	f := zyx("steps", lazy.U16, shape(6, 8, 10), func(z, y, x int) float64 { return float64(100*z + 10*y + x) })
	f.meta.Chunk = shape(1, 8, 10)
	return f
}

// side is the finished picture i of those that stand together.
func (b *bench) side(i int) *Frame {
	b.Helper()
	var f *Frame
	b.until("the finished pictures", func(*Frame, Report) bool {
		f = b.FrameOf(i)
		return f != nil && !f.Partial && !f.Stale && f.State.At == b.State().Pane(i).At && f.State.Zoom == b.State().Zoom &&
			f.State.Center == b.State().Center && f.State.Size == b.State().Pane(i).Size && !b.pending() && f.State.made().equal(b.State().Pane(i).made())
	})
	return f
}

// together puts pictures of a size into the window.
func together(t *testing.T, set *lazy.Dataset, to Arrangement, size int) *bench {
	b := open(t, set, Options{})
	b.Act(Resize(size, size))
	b.Act(Arrange(to))
	for i := 1; i < b.State().Panes(); i++ {
		b.Act(On(i, Resize(size, size)))
	}
	return b
}

func TestThreeCutsMeetInOneVoxel(t *testing.T) {
	b := together(t, dataset(steps()), ThreeUp, 200)
	b.Act(SetLimits(0, Limits{0, 600}))
	b.Act(MoveTo(lazy.X, 7))
	b.Act(MoveTo(lazy.Y, 2))
	b.Act(MoveTo(lazy.Z, 4))
	grey := func(z, y, x int) uint8 { return uint8(float64(100*z+10*y+x)/600*255 + 0.5) }
	for i, c := range []struct {
		name         string
		across, down lazy.Axis
		value        func(a, d int) uint8
	}{
		{"xy", lazy.X, lazy.Y, func(a, d int) uint8 { return grey(4, d, a) }},
		{"zy, turned so that its rows are those of xy", lazy.Z, lazy.Y, func(a, d int) uint8 { return grey(a, d, 7) }},
		{"xz", lazy.X, lazy.Z, func(a, d int) uint8 { return grey(d, 2, a) }},
	} {
		f := b.side(i)
		n := b.Scene().Meta().Shape
		for a := range n[c.across] {
			for d := range n[c.down] {
				if got, want := colorAt(f, a, d)[0], c.value(a, d); got != want {
					t.Fatalf("%s: voxel %d, %d is %d, want %d", c.name, a, d, got, want)
				}
			}
		}
		px, py, ok := b.Scene().Crosshair(b.State(), i)
		if a, d, on := f.Geometry.Voxel(px, py); !ok || !on || a != b.State().At[c.across] || d != b.State().At[c.down] {
			t.Errorf("%s: the crosshair is on voxel %d, %d, want that of %v", c.name, a, d, b.State().At)
		}
	}
}

func TestPicturesMoveTogether(t *testing.T) {
	b := together(t, dataset(steps()), ThreeUp, 200)
	b.Act(On(0, ZoomAt(100, 100, 2)))
	was := b.State().Center
	b.Act(On(2, Pan(0, -20))) // of xz: along z, so xy stays and zy goes along
	now := b.State().Center
	if now[lazy.X] != was[lazy.X] || now[lazy.Y] != was[lazy.Y] || now[lazy.Z] <= was[lazy.Z] {
		t.Errorf("panning xz down moved the middle from %v to %v", was, now)
	}
	b.Act(On(2, func(sc *Scene, s State) State { x, y := sc.Geometry(s).Pixel(3, 5); return PointAt(x, y)(sc, s) }))
	if at := b.State().At; at[lazy.X] != 3 || at[lazy.Z] != 5 || at[lazy.Y] != 4 {
		t.Errorf("a point of xz moved the crosshair to %v", at)
	}
	if b.State().Arrangement != ThreeUp || b.State().Cut != XY || b.State().Size != image.Pt(200, 200) {
		t.Errorf("what one picture was told changed the arrangement: %+v", b.State())
	}
	b.Act(Turn(XZ))
	if b.State().Panes() != 1 || b.State().Cut != XZ {
		t.Errorf("a single cut leaves %d pictures", b.State().Panes())
	}
}

// The wheel in one picture reads what that picture needs: the planes of the others stay.
func TestANotchInOnePictureReadsForItAlone(t *testing.T) {
	f := steps()
	f.reads = &atomic.Int64{}
	b := together(t, dataset(f), ThreeUp, 100)
	b.side(0)
	b.side(1)
	b.side(2)
	before := b.engine.Counters()
	b.Act(On(0, Step(lazy.Z, 1)))
	b.side(0)
	b.side(2)
	if after := b.engine.Counters(); after.VoxelsOut-before.VoxelsOut > 3*8*10+3*8*10 { // the plane, and what is looked ahead
		t.Errorf("a notch asked for %d voxels", after.VoxelsOut-before.VoxelsOut)
	}
}

func TestEveryVisibleChannelHasAPicture(t *testing.T) {
	f := steps()
	f.meta.Shape[lazy.C], f.meta.Chunk[lazy.C] = 4, 1
	f.value = func(i lazy.Index) float64 { return float64(100 * i[lazy.C]) }
	b := together(t, dataset(f), ByChannel, 100)
	for c := range 4 {
		b.Act(SetLimits(c, Limits{0, 500}))
		b.Act(SetLUT(c, "Grays"))
	}
	b.Act(Toggle(1))
	if n := b.State().Panes(); n != 3 {
		t.Fatalf("%d pictures of 3 visible channels", n)
	}
	for i, channel := range []int{0, 2, 3} {
		want := uint8(float64(100*channel)/500*255 + 0.5)
		if got := colorAt(b.side(i), 5, 4)[0]; got != want {
			t.Errorf("picture %d is %d, want channel %d with %d", i, got, channel, want)
		}
	}
	for c := range 4 {
		if b.State().Channels[c].Visible {
			b.Act(Toggle(c))
		}
	}
	if n := b.State().Panes(); n != 1 {
		t.Errorf("without visible channels there are %d pictures", n)
	}
}

func TestWhateverAPictureIsToldAllStayWithinWhatExists(t *testing.T) {
	sc, s := scene(t, dataset(box()), 300, 200)
	rapid.Check(t, func(t *rapid.T) {
		s := act(sc, s, Arrange(Arrangement(rapid.IntRange(0, 2).Draw(t, "arrangement"))))
		px := rapid.IntRange(0, 500)
		for i := range s.Panes() {
			s = act(sc, s, On(i, Resize(px.Draw(t, "w"), px.Draw(t, "h"))))
		}
		for range 4 {
			i := rapid.IntRange(0, 3).Draw(t, "picture")
			x, y := float64(px.Draw(t, "x")), float64(px.Draw(t, "y"))
			s = act(sc, s, On(i, ZoomAt(x, y, rapid.Float64Range(0.2, 5).Draw(t, "by"))), On(i, Pan(x-y, y)), On(i, PointAt(x, y)))
		}
		if !sc.Meta().Shape.Whole().Has(s.At) || math.IsNaN(s.Zoom) || s.Zoom <= 0 || math.IsInf(s.Zoom, 0) {
			t.Fatalf("at %v, zoom %v", s.At, s.Zoom)
		}
		for i := range s.Panes() {
			if q, ok := sc.Request(s.Pane(i), 0); ok && !sc.Meta().Shape.Whole().Contains(q.Region) {
				t.Fatalf("picture %d asks for %v", i, q.Region)
			}
		}
	})
}

func TestSharesFollowTheVolume(t *testing.T) {
	sc, _ := scene(t, dataset(microns(zyx("flat", lazy.U8, shape(10, 100, 200), nil), 5, 1, 1)), 10, 10)
	across, down := sc.Share()
	if !close2(across, 0.8) || !close2(down, 100.0/150) {
		t.Errorf("50 x 100 x 200 µm gives the first picture %v and %v", across, down)
	}
}

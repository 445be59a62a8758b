package viewer

import (
	"math"
	"testing"

	"lamella/lazy"
)

// three are images of voxels of 0.5 µm, of the same, and of voxels half as large that begin 2 µm further right.
func three() *lazy.Dataset {
	ramp := func(name string, n int, per float64) formula {
		return microns(zyx(name, lazy.U16, shape(6, n, n), func(_, _, x int) float64 { return per * float64(x) }), 1, 0.5, 0.5)
	}
	set := dataset(ramp("first", 40, 10))
	second, third := ramp("second", 40, 20), ramp("third", 80, 5)
	third.meta.Scale[lazy.Y], third.meta.Scale[lazy.X], third.meta.Origin[lazy.X] = 0.25, 0.25, 2
	for _, f := range []formula{second, third} {
		set.Images = append(set.Images, dataset(f).Images[0])
	}
	return set
}

func TestImagesStandSideBySideAtTheSamePlace(t *testing.T) {
	b := open(t, three(), Options{})
	b.Act(Resize(120, 120))
	b.settled()
	b.Act(SetLimits(0, Limits{0, 390}))
	b.Act(AllTogether())
	for i := range 3 {
		b.Act(On(i, Resize(120, 120)))
	}
	if s := b.State(); s.Panes() != 3 || s.Image != 0 {
		t.Fatalf("%d pictures, of image %d", s.Panes(), s.Image)
	}
	b.Act(On(1, ZoomAt(60, 60, 2)))
	b.Act(On(2, Pan(-30, 0)))
	b.Act(On(1, Step(lazy.Z, 1)))
	ready := func(i int) *Frame {
		f := b.FrameOf(i)
		if f == nil || f.Stale || f.Partial || f.State.At[lazy.Z] != b.State().At[lazy.Z] || f.State.Zoom == 0 {
			return nil
		}
		return f
	}
	b.until("three pictures of the plane", func(_ *Frame, r Report) bool {
		return ready(0) != nil && ready(1) != nil && ready(2) != nil && ready(2).State.Center[lazy.X] != 39.5 && ready(1).State.Zoom == ready(0).State.Zoom
	})
	world := func(i int, m lazy.Meta) (x, pixels float64) {
		f := b.FrameOf(i)
		a, _ := f.Geometry.Position(60, 60)
		return m.Origin[lazy.X] + a*m.Scale[lazy.X], f.Geometry.Pixels[0] / m.Scale[lazy.X]
	}
	set := b.Set()
	x, pixels := world(0, set.Images[0].Levels[0].Array.Meta())
	for i := 1; i < 3; i++ {
		its, per := world(i, set.Images[i].Levels[0].Array.Meta())
		if its < x-1e-9 || its > x+1e-9 || per < pixels-1e-9 || per > pixels+1e-9 {
			t.Errorf("picture %d has %v µm in its middle at %v pixels a µm, the first %v at %v", i, its, per, x, pixels)
		}
	}
	// Voxel 25 is 250 of 390 in the first and 500, cut to 390, in the second, whose limits are the same.
	if got := b.FrameOf(1).State.Channels[0].Limits; got != (Limits{0, 390}) {
		t.Errorf("the second is shown in %v", got)
	}
	b.Act(Arrange(Alone))
	b.settled()
	if s := b.State(); s.Image != 0 || s.Panes() != 1 {
		t.Errorf("alone, there are %d pictures", s.Panes())
	}
}

func TestImagesSideBySideAreSeenThroughTheSameFilters(t *testing.T) {
	b := open(t, three(), Options{})
	b.Act(Resize(120, 120))
	b.settled()
	b.Act(Together(1))
	b.Act(On(1, Resize(120, 120)))
	b.Act(SetChain(parsed(t, "threshold method=otsu"))) // each image finds its own
	b.until("both pictures of the filter", func(_ *Frame, r Report) bool {
		f := b.FrameOf(1)
		return !r.Busy && b.Scene().Fault == nil && f != nil && !f.Stale && !f.Partial && b.neighbours[1].scene.Fault == nil
	})
	if a, c := b.Scene().Chain(), b.neighbours[1].scene.Chain(); a == c || c == "" {
		t.Errorf("the filters are %q and %q", a, c)
	}
}

func TestImagesThatAreNotThereStandBesideNothing(t *testing.T) {
	sc, s := scene(t, three(), 120, 120)
	if got := act(sc, s, Together(9, 0, 2, 2, -1)); len(got.Together) != 1 || got.Together[0] != 2 {
		t.Errorf("beside it stand %v", got.Together)
	}
	if got := act(sc, s, Together(0)); got.Arrangement != Alone {
		t.Errorf("an image beside itself is arranged as %d", got.Arrangement)
	}
}

func TestAPointIsLinkedToTheSamePlaceOfThePicturesBeside(t *testing.T) {
	b := open(t, three(), Options{})
	b.Act(Resize(120, 120))
	b.Act(AllTogether())
	for i, size := range []int{120, 100, 90} {
		b.Act(On(i, Resize(size, size+20)))
	}
	b.Act(ZoomAt(50, 60, 3))
	g := func(i int) Geometry {
		sc, s, ok := b.SeenOn(i)
		if !ok {
			t.Fatalf("there is no picture %d", i)
		}
		return sc.Geometry(s)
	}
	x, y := g(0).Pixel(24, 18) // 12 µm and 9 µm
	for i, want := range [][2]float64{{24, 18}, {24, 18}, {40, 36}} {
		px, py, ok := b.Linked(0, i, x, y)
		if a, d := g(i).Position(px, py); !ok || math.Abs(a-want[0]) > 1e-9 || math.Abs(d-want[1]) > 1e-9 {
			t.Errorf("voxel 24, 18 of the first is linked to %v, %v of picture %d, want %v", a, d, i, want)
		}
		if bx, by, ok := b.Linked(i, 0, px, py); !ok || math.Abs(bx-x) > 1e-9 || math.Abs(by-y) > 1e-9 {
			t.Errorf("picture %d is linked back to %v, %v, want %v, %v", i, bx, by, x, y)
		}
	}
	if _, _, ok := b.Linked(0, 3, x, y); ok {
		t.Error("a picture that is not there is linked")
	}
	b.Act(Arrange(ThreeUp))
	if _, _, ok := b.Linked(0, 1, x, y); ok {
		t.Error("cuts that cross each other are linked point by point")
	}
}

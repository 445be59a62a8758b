package viewer

import (
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

// halved is an image of 4 x 40 x 60 voxels that hold x, with a level of half as many rows and columns.
func halved() *lazy.Dataset {
	at := func(_, _, x int) float64 { return float64(x) }
	fine := microns(zyx("fine", lazy.U16, shape(4, 40, 60), at), 1, 0.5, 0.5)
	coarse := microns(zyx("coarse", lazy.U16, shape(4, 20, 30), func(_, _, x int) float64 { return 2*float64(x) + 0.5 }), 1, 1, 1)
	coarse.meta.Origin[lazy.Y], coarse.meta.Origin[lazy.X] = 0.25, 0.25
	set := dataset(fine)
	set.Images[0].Name = "cells"
	set.Images[0].Levels = append(set.Images[0].Levels, lazy.Level{Array: lazy.FromSource(coarse)})
	return set
}

func parsed(t *testing.T, text string) filters.Chain {
	t.Helper()
	c, err := filters.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestASelectionBecomesAnImageOfItsOwn(t *testing.T) {
	b := open(t, halved(), Options{})
	b.Act(Resize(120, 120))
	b.settled()
	b.Act(SetLimits(0, Limits{5, 50}))
	b.Act(Step(lazy.Z, 1))
	b.Act(AddFilter("mean"))
	b.settled()
	b.Act(AddShape(Shape{Kind: Ellipse, Cut: XY, Points: [][2]float64{{9.6, 4.5}, {30.4, 20.5}}}))
	crop, err := b.Scene().CropTo(b.State(), false)
	if err != nil || crop.String() != "crop x=10:31 y=5:21" {
		t.Fatalf("the crop is %q: %v", crop, err)
	}
	if err := b.Derive("cells, cropped", crop); err != nil {
		t.Fatal(err)
	}
	s, sc := b.State(), b.Scene()
	if s.Image != 1 || len(b.Set().Images) != 2 || len(b.Opened().Images) != 1 || !b.IsDerived() {
		t.Fatalf("image %d of %d is on view", s.Image, len(b.Set().Images))
	}
	if m := sc.Raw[0].Meta(); m.Shape != (lazy.Shape{1, 4, 1, 16, 21}) || m.Origin[lazy.X] != 5 {
		t.Errorf("it is %v from %v", m.Shape, m.Origin)
	}
	if m := sc.Raw[1].Meta(); m.Shape != (lazy.Shape{1, 4, 1, 8, 10}) || m.Origin[lazy.X] != 5.25 {
		t.Errorf("its coarser level is %v from %v", m.Shape, m.Origin)
	}
	if s.Chain.String() != "mean" || sc.Recipe() != "crop x=10:31 y=5:21 | mean" || len(s.Shapes) != 0 {
		t.Errorf("its filters are %v, and its recipe is %q", s.Chain, sc.Recipe())
	}
	b.settled()
	b.Act(SetChain(nil))
	f := b.settled()
	px, py := f.Geometry.Pixel(3, 3)
	b.Hover(px, py)
	b.until("the value", func(_ *Frame, r Report) bool {
		return r.Readout.Valid && len(r.Readout.Raw) == 1 && r.Readout.Raw[0].Text == "13"
	})

	text, err := Saved{Sources: []string{"x"}, State: b.State()}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := DecodeSaved(text)
	if err != nil {
		t.Fatal(err)
	}
	again := openWith(t, halved(), Options{}, func(set *lazy.Dataset, o Options) (*Session, error) { return Restore(set, saved.State, o) })
	again.Act(Resize(120, 120))
	again.settled()
	if got := again.Scene().Meta().Shape; got != (lazy.Shape{1, 4, 1, 16, 21}) || again.State().Image != 1 {
		t.Errorf("opened again, image %d is %v", again.State().Image, got)
	}

	if err := b.Discard(); err != nil {
		t.Fatal(err)
	}
	if b.State().Image != 0 || len(b.Set().Images) != 1 || len(b.State().Derived) != 0 {
		t.Errorf("discarded, image %d of %d is on view", b.State().Image, len(b.Set().Images))
	}
	if err := b.Discard(); err == nil {
		t.Error("the image of the file was discarded")
	}
	b.settled()
}

func TestAnImageIsMadeOfOneThatWasMade(t *testing.T) {
	b := open(t, halved(), Options{})
	b.Act(Resize(120, 120))
	b.settled()
	for _, text := range []string{"crop x=:20", "rotate", "bin size=1,2,2"} {
		if err := b.Derive(text, parsed(t, text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b.settled()
	}
	if got, made := b.Scene().Meta().Shape, b.Scene().Recipe(); got != (lazy.Shape{1, 4, 1, 10, 20}) || made != "crop x=:20 | rotate | bin size=1,2,2" {
		t.Errorf("%s is %v", made, got)
	}
	b.Act(Select(2))
	if err := b.Discard(); err == nil || !strings.Contains(err.Error(), "bin size=1,2,2 is made of the image on view") {
		t.Errorf("an image that another is made of: %v", err)
	}
	b.Act(Select(3))
	if err := b.Discard(); err != nil || b.State().Image != 2 {
		t.Errorf("%v, and image %d is on view", err, b.State().Image)
	}
	b.settled()
}

// What the filters on view have moved is part of the new image, since selections are made on what is seen.
func TestFiltersThatMoveVoxelsBecomePartOfTheNewImage(t *testing.T) {
	b := open(t, halved(), Options{})
	b.Act(Resize(120, 120))
	b.Act(SetChain(parsed(t, "flip")))
	b.settled()
	if err := b.Derive("part", parsed(t, "crop x=:10")); err != nil {
		t.Fatal(err)
	}
	if got := b.Scene().Recipe(); got != "flip | crop x=:10" || len(b.State().Chain) != 0 {
		t.Errorf("it is made by %q, and %v stands in the list", got, b.State().Chain)
	}
	b.settled()
	if err := b.Derive("none", parsed(t, "crop x=90:")); err == nil || b.State().Image != 1 {
		t.Errorf("a part that is not there: %v", err)
	}
}

func TestWhatCannotBeCroppedSaysWhy(t *testing.T) {
	sc, s := scene(t, halved(), 120, 120)
	for _, c := range []struct {
		what string
		with Shape
		want string
	}{
		{"nothing", Shape{}, "choose a rectangle"},
		{"a line", Shape{Kind: Line, Points: [][2]float64{{1, 1}, {5, 5}}}, "choose a rectangle"},
		{"less than a voxel", Shape{Kind: Rectangle, Points: [][2]float64{{1.2, 1.2}, {1.4, 5}}}, "no voxel"},
		{"all", Shape{Kind: Rectangle, Points: [][2]float64{{-9, -9}, {99, 99}}}, "all of the image"},
	} {
		on := s
		if c.with.Kind != NoShape {
			on.Shapes, on.Chosen = []Shape{c.with}, 0
		}
		if _, err := sc.CropTo(on, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	zoomed := act(sc, s, ZoomAt(60, 60, 4))
	if chain, err := sc.CropTo(zoomed, true); err != nil || len(chain[0].Args) != 2 {
		t.Errorf("what is on view is %v: %v", chain, err)
	}
}

// A new image is looked at where the one that it was made of was, in the same limits.
func TestANewImageIsLookedAtWhereTheOldOneWas(t *testing.T) {
	for _, c := range []struct {
		chain string
		at    lazy.Index
		zoom  float64
	}{
		{"flip", lazy.Index{0, 20, 0, 40, 53}, 6},
		{"flip axis=z", lazy.Index{0, 11, 0, 40, 10}, 6},
		{"rotate", lazy.Index{0, 20, 0, 10, 23}, 6},
		{"rotate by=180", lazy.Index{0, 20, 0, 23, 53}, 6},
		{"bin size=1,2,2", lazy.Index{0, 20, 0, 20, 5}, 12},
		{"resample voxel=2,1,1", lazy.Index{0, 10, 0, 40, 10}, 6},
		{"crop x=4:30 z=8:32", lazy.Index{0, 12, 0, 40, 6}, 0},
	} {
		b := open(t, dataset(stack()), Options{})
		b.Act(Resize(100, 100))
		b.settled()
		b.Act(SetLimits(0, Limits{100, 900}))
		b.Act(MoveTo(lazy.Z, 20))
		b.Act(MoveTo(lazy.Y, 40))
		b.Act(MoveTo(lazy.X, 10))
		b.Act(ZoomAt(50, 50, 6/b.State().Zoom))
		chain, err := filters.Parse(c.chain)
		if err == nil {
			err = b.Derive("new", chain)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.chain, err)
		}
		s := b.State()
		if s.At != c.at {
			t.Errorf("%s is looked at at %v, want %v", c.chain, s.At, c.at)
		}
		if c.zoom > 0 && (s.Fitted || math.Abs(s.Zoom-c.zoom) > 1e-9) || c.zoom == 0 && !s.Fitted {
			t.Errorf("%s is seen at a zoom of %v, fitted %v; want %v", c.chain, s.Zoom, s.Fitted, c.zoom)
		}
		if s.Channels[0].Limits != (Limits{100, 900}) {
			t.Errorf("%s has the limits %v", c.chain, s.Channels[0].Limits)
		}
	}
}

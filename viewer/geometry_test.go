package viewer

import (
	"math"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

func close2(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// views draws a scene of any proportions with any view of it.
func views(t *rapid.T) (*Scene, State) {
	length := rapid.IntRange(1, 3000)
	f := zyx("any", lazy.U8, shape(length.Draw(t, "z"), length.Draw(t, "y"), length.Draw(t, "x")), nil)
	if rapid.Bool().Draw(t, "calibrated") {
		size := rapid.Float64Range(0.01, 10)
		f = microns(f, size.Draw(t, "dz"), size.Draw(t, "dy"), size.Draw(t, "dx"))
	}
	sc, err := NewScene(dataset(f), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	px := rapid.IntRange(1, 4000)
	s := act(sc, opening(sc, 0, State{}), Resize(px.Draw(t, "w"), px.Draw(t, "h")), Turn(Orientation(rapid.IntRange(0, 2).Draw(t, "cut"))))
	for range rapid.IntRange(0, 4).Draw(t, "moves") {
		s = act(sc, s, ZoomAt(rapid.Float64Range(0, 4000).Draw(t, "px"), rapid.Float64Range(0, 4000).Draw(t, "py"), rapid.Float64Range(0.1, 10).Draw(t, "factor")),
			Pan(rapid.Float64Range(-500, 500).Draw(t, "dx"), rapid.Float64Range(-500, 500).Draw(t, "dy")))
	}
	return sc, s
}

func TestPixelsAndPositionsAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, s := views(t)
		g := sc.Geometry(s)
		px, py := rapid.Float64Range(0, 4000).Draw(t, "px"), rapid.Float64Range(0, 4000).Draw(t, "py")
		a, d := g.Position(px, py)
		if x, y := g.Pixel(a, d); math.Abs(x-px) > 1e-6 || math.Abs(y-py) > 1e-6 {
			t.Fatalf("%v, %v came back as %v, %v", px, py, x, y)
		}
	})
}

func TestAWholePlaneFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, s := views(t)
		s = act(sc, s, Fit())
		g := sc.Geometry(s)
		x0, y0 := g.Pixel(-0.5, -0.5)
		x1, y1 := g.Pixel(float64(g.Voxels[0])-0.5, float64(g.Voxels[1])-0.5)
		const e = 1e-6
		if s.Zoom < maxZoom && (x0 < -e || y0 < -e || x1 > float64(g.W)+e || y1 > float64(g.H)+e) {
			t.Fatalf("the plane covers %v..%v by %v..%v of %d by %d", x0, x1, y0, y1, g.W, g.H)
		}
		if s.Zoom < maxZoom && x1-x0 < float64(g.W)-e && y1-y0 < float64(g.H)-e {
			t.Fatalf("the plane covers only %v by %v of %d by %d", x1-x0, y1-y0, g.W, g.H)
		}
	})
}

func TestZoomKeepsTheVoxelUnderThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, s := views(t)
		g := sc.Geometry(s)
		px, py := rapid.Float64Range(0, float64(g.W)).Draw(t, "px"), rapid.Float64Range(0, float64(g.H)).Draw(t, "py")
		a, d := g.Position(px, py)
		after := ZoomAt(px, py, rapid.Float64Range(0.2, 5).Draw(t, "factor"))(sc, s)
		a2, d2 := sc.Geometry(after).Position(px, py)
		if math.Abs(a-a2)*g.Pixels[0] > 1e-6 || math.Abs(d-d2)*g.Pixels[1] > 1e-6 {
			t.Fatalf("%v, %v moved to %v, %v", a, d, a2, d2)
		}
	})
}

func TestWhateverIsDoneStaysWithinWhatExists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, s := views(t)
		s = act(sc, s, Step(lazy.Axis(rapid.IntRange(0, 4).Draw(t, "axis")), rapid.IntRange(-5000, 5000).Draw(t, "by")))
		shape := sc.Meta().Shape
		if !shape.Whole().Has(s.At) {
			t.Fatalf("at %v of %v", s.At, shape)
		}
		if q, ok := sc.Request(s, 0); ok {
			if q.Region.Empty() || !shape.Whole().Contains(q.Region) {
				t.Fatalf("asks for %v of %v", q.Region, shape)
			}
			// What is asked for is no more than the screen can show, with its margin.
			c := newCut(sc, q, s.Cut)
			w, h := float64(s.Size.X), float64(s.Size.Y)
			if n := float64(c.cols.max - c.cols.min); n > 2*w+2*margin+2 {
				t.Fatalf("%v columns for %v pixels", n, w)
			}
			if n := float64(c.rows.max - c.rows.min); n > 2*h+2*margin+2 {
				t.Fatalf("%v rows for %v pixels", n, h)
			}
		}
	})
}

func TestEveryPixelOfThePlaneHasAVoxelInTheRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc, s := views(t)
		q, ok := sc.Request(s, 0)
		if !ok {
			return
		}
		g, c := sc.Geometry(s), newCut(sc, q, s.Cut)
		px, py := float64(rapid.IntRange(0, g.W-1).Draw(t, "px"))+0.5, float64(rapid.IntRange(0, g.H-1).Draw(t, "py"))+0.5
		if _, _, on := g.Voxel(px, py); !on {
			return
		}
		a, d := g.Position(px, py)
		// A thinned cut may end before the plane does, by less than one sample.
		for k, p := range []float64{a, d} {
			span := []span{c.cols, c.rows}[k]
			last := c.place[k].shift + c.place[k].scale*(float64(span.max)-0.5)
			first := c.place[k].shift + c.place[k].scale*(float64(span.min)-0.5)
			if p < first-1e-9 || p > last+c.place[k].scale {
				t.Fatalf("position %v is not within %v to %v", p, first, last)
			}
		}
	})
}

// box is 20 x 40 x 40 voxels of 2 x 0.5 x 0.5 µm with a cube of 10 µm in it.
func box() formula {
	in := func(i, from, to int) bool { return i >= from && i <= to }
	return microns(zyx("box", lazy.U8, shape(20, 40, 40), func(z, y, x int) float64 {
		if in(z, 5, 9) && in(y, 10, 29) && in(x, 10, 29) {
			return 1
		}
		return 0
	}), 2, 0.5, 0.5)
}

func TestBR005ACubeIsASquareInEveryCut(t *testing.T) {
	b := open(t, dataset(box()), Options{})
	b.Act(Resize(400, 400))
	b.Act(MoveTo(lazy.Z, 7))
	for cut, name := range []string{"xy", "xz", "yz"} {
		b.Act(Turn(Orientation(cut)))
		b.Act(SetLimits(0, Limits{0, 1}))
		f := b.until(name, func(f *Frame, r Report) bool {
			return !f.Partial && !r.Busy && r.Frame >= f.Number && f.State.Cut == Orientation(cut) && !b.pending()
		})
		w, h := 0, 0
		for x := range 400 {
			if f.Image.RGBAAt(x, int(boxMiddle(f, 1))).R == 255 {
				w++
			}
		}
		for y := range 400 {
			if f.Image.RGBAAt(int(boxMiddle(f, 0)), y).R == 255 {
				h++
			}
		}
		if w < 50 || w-h > 1 || h-w > 1 {
			t.Errorf("%s: the box is %d by %d pixels", name, w, h)
		}
		// A scale bar of 10 µm would be as long as the box.
		bar := b.Scene().Bar(f.State)
		if bar.Label != "5 µm" && bar.Label != "10 µm" && bar.Label != "2 µm" {
			t.Errorf("%s: the scale bar is %q", name, bar.Label)
		}
		um := map[string]float64{"2 µm": 2, "5 µm": 5, "10 µm": 10}[bar.Label]
		if px := bar.Pixels * 10 / um; math.Abs(px-float64(w)) > 1 {
			t.Errorf("%s: 10 µm are %v pixels by the scale bar, the box is %d", name, px, w)
		}
	}
	sc, s := scene(t, dataset(box()), 400, 400)
	s = act(sc, s, Turn(XZ))
	g := sc.Geometry(s)
	if !close2(float64(g.Voxels[1])*g.Pixels[1], 2*float64(g.Voxels[0])*g.Pixels[0]) {
		t.Errorf("the xz view is not twice as high as wide: %v", g)
	}
	for a, want := range map[lazy.Axis]float64{lazy.Z: 10, lazy.Y: 5, lazy.X: 5} {
		first := map[lazy.Axis]int{lazy.Z: 5, lazy.Y: 10, lazy.X: 10}[a]
		if um, ok := sc.World(a, float64(first)); !ok || !close2(um, want) {
			t.Errorf("the first voxel of the box is at %v = %v µm, want %v", a, um, want)
		}
	}
}

// boxMiddle is the pixel that shows the middle of the box, across (0) or down (1).
func boxMiddle(f *Frame, axis int) float64 {
	middle := map[lazy.Axis]float64{lazy.Z: 7, lazy.Y: 19.5, lazy.X: 19.5}
	x, y := f.Geometry.Pixel(middle[f.Geometry.Across], middle[f.Geometry.Down])
	return []float64{x, y}[axis]
}

// pyramid has three levels that say the same, with a translation of half the growth.
func pyramid() *lazy.Dataset {
	level := func(n int) formula {
		f := 8 / n
		v := zyx("pyramid", lazy.U8, shape(n, n, n), func(z, y, x int) float64 {
			at := func(i int) int { return i * f / 4 }
			return float64(4*at(z) + 2*at(y) + at(x))
		})
		v = microns(v, float64(f), float64(f), float64(f))
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			v.meta.Origin[a] = (float64(f) - 1) / 2
		}
		return v
	}
	return dataset(level(8), level(4), level(2))
}

func TestBR004LevelsStandInTheSamePlace(t *testing.T) {
	sc, s := scene(t, pyramid(), 64, 64)
	for level, first := range []float64{0, 0.5, 1.5} {
		m, n := sc.levelMap(level), float64(sc.Shown[level].Meta().Shape[lazy.X])
		if !close2(m.shift[lazy.X], first) {
			t.Errorf("level %d begins at %v, want %v", level, m.shift[lazy.X], first)
		}
		if lo, hi := m.shift[lazy.X]-m.scale[lazy.X]/2, m.shift[lazy.X]+m.scale[lazy.X]*(n-0.5); !close2(lo, -0.5) || !close2(hi, 7.5) {
			t.Errorf("level %d covers %v to %v, want -0.5 to 7.5", level, lo, hi)
		}
	}
	// The same picture, whichever level it is drawn from.
	s = act(sc, s, SetLimits(0, Limits{0, 8}))
	var pictures [][]uint8
	for level := range 3 {
		pictures = append(pictures, draw(t, sc, s, level).Pix)
	}
	for i := range pictures[0] {
		if pictures[0][i] != pictures[1][i] || pictures[0][i] != pictures[2][i] {
			t.Fatalf("byte %d of the picture is %d, %d and %d by level", i, pictures[0][i], pictures[1][i], pictures[2][i])
		}
	}
}

// A white column stands upright at every width, of one byte a voxel, of two, and in colour: no row is taken to begin
// where four bytes would have it.
func TestBR017AColumnIsUprightAtEveryWidth(t *testing.T) {
	for _, c := range []struct {
		dtype                     lazy.DType
		width, height, white, rgb int
	}{
		{lazy.U8, 459, 239, 229, 1}, {lazy.U8, 5, 9, 2, 1}, {lazy.U8, 7, 9, 3, 1}, {lazy.U8, 457, 11, 229, 1}, {lazy.U8, 458, 11, 229, 1}, {lazy.U8, 460, 11, 229, 1},
		{lazy.U16, 459, 239, 229, 1}, {lazy.U16, 5, 9, 2, 1}, {lazy.U16, 7, 9, 3, 1}, {lazy.U16, 457, 11, 229, 1}, {lazy.U8, 5, 9, 2, 3},
	} {
		f := zyx("column", c.dtype, shape(c.height, c.width), func(_, _, x int) float64 {
			if x == c.white {
				return 255
			}
			return 0
		})
		f.meta.Shape[lazy.C], f.meta.Chunk[lazy.C] = c.rgb, c.rgb
		set := dataset(f)
		set.Images[0].RGB = c.rgb == 3
		sc, s := scene(t, set, c.width, c.height)
		s = act(sc, s, OneToOne(), SetLimits(0, Limits{0, 255}))
		picture := drawn(t, sc, s)
		for y := range c.height {
			for x := range c.width {
				want := uint8(0)
				if x == c.white {
					want = 255
				}
				if p := picture.RGBAAt(x, y); p.R != want || p.G != want || p.B != want {
					t.Fatalf("%v, %d samples, %d wide: the pixel at %d,%d is %v, want %d", c.dtype, c.rgb, c.width, x, y, p, want)
				}
			}
		}
	}
}

func TestTheLevelIsTheCoarsestWithAVoxelForEachPixel(t *testing.T) {
	sc, s := scene(t, pyramid(), 64, 64)
	for _, c := range []struct {
		zoom float64
		want int
	}{{8, 0}, {1, 0}, {0.6, 0}, {0.5, 1}, {0.3, 1}, {0.25, 2}, {0.1, 2}} {
		s.Fitted, s.Zoom = false, c.zoom
		if l := sc.level(s); l != c.want {
			t.Errorf("at %v pixels a voxel the level is %d, want %d", c.zoom, l, c.want)
		}
	}
}

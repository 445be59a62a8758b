package viewer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
)

func TestRegionsOfInterestComeBackAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) float64 { return float64(rapid.IntRange(-200, 12000).Draw(t, name)) / 4 }
		h := Shape{Kind: ShapeKind(rapid.IntRange(int(Line), int(Point)).Draw(t, "kind")), Name: rapid.StringN(0, 9, -1).Draw(t, "name")}
		n := h.Kind.whole()
		if h.Kind == Polygon {
			n = rapid.IntRange(3, 12).Draw(t, "corners")
		}
		for range n {
			h.Points = append(h.Points, [2]float64{at("x"), at("y")})
		}
		if !h.sound() {
			return
		}
		h.At[lazy.Z], h.At[lazy.T] = rapid.IntRange(0, 6).Draw(t, "z"), rapid.IntRange(0, 2).Draw(t, "t")
		b, err := EncodeROI(h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeROI(b, lazy.Shape{3, 7, 2, 100, 100}, lazy.Index{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != h.Kind || got.At != h.At || got.Name != h.Name || len(got.Points) != len(h.Points) {
			t.Fatalf("%+v came back as %+v", h, got)
		}
		lo, hi := h.Box()
		for i, p := range got.Points {
			want := h.Points[i]
			if h.Kind == Rectangle || h.Kind == Ellipse { // corners come back as the upper left and the lower right one
				want = [2][2]float64{lo, hi}[i]
			}
			if math.Abs(p[0]-want[0]) > 1e-3 || math.Abs(p[1]-want[1]) > 1e-3 {
				t.Fatalf("point %d of %+v came back at %v", i, h, p)
			}
		}
	})
}

// The number of a slice counts channels first, then planes, then time points.
func TestTheSliceThatARegionNames(t *testing.T) {
	b, err := EncodeROI(Shape{Kind: Rectangle, Points: [][2]float64{{1.5, 2.5}, {4.5, 7.5}}})
	if err != nil {
		t.Fatal(err)
	}
	b[56+3] = 2*7 + 2*4 + 1 + 1 // time point 2 of 7 planes in 2 channels, plane 5, channel 2
	for i := range 12 {
		b[64+4+i] = 0 // an older version, without a position in C, Z and T
	}
	h, err := DecodeROI(b, lazy.Shape{3, 7, 2, 10, 10}, lazy.Index{})
	if err != nil || h.At[lazy.T] != 1 || h.At[lazy.Z] != 4 {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := EncodeROI(Shape{Kind: Line, Cut: XZ, Points: [][2]float64{{0, 0}, {1, 1}}}); err == nil {
		t.Error("a line on an XZ plane was written")
	}
}

func FuzzDecodeROI(f *testing.F) {
	for _, h := range []Shape{{Kind: Line, Points: [][2]float64{{1, 2}, {3, 4}}}, {Kind: Polygon, Name: "ä", Points: [][2]float64{{1, 2}, {3, 4}, {9, 1}}}} {
		b, err := EncodeROI(h)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("Iout"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeROI(b, lazy.Shape{3, 7, 2, 100, 100}, lazy.Index{})
		if err != nil {
			return
		}
		if !h.sound() {
			t.Fatalf("a shape without extent: %+v", h)
		}
		again, err := EncodeROI(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeROI(again, lazy.Shape{3, 7, 2, 100, 100}, lazy.Index{}); err != nil && !errors.Is(err, errROI) {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
	})
}

// The files and the numbers are ImageJ's own, made by testdata/roi/make.ijm.
func TestImageJsRegionsMeasureWhatImageJMeasures(t *testing.T) {
	sc, s := scene(t, dataset(measurable()), 100, 100)
	e := newEngine(t)
	read := func(name string) Shape {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("testdata", "roi", name+".roi"))
		if err != nil {
			t.Fatal(err)
		}
		h, err := DecodeROI(b, sc.Meta().Shape, s.At)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return h
	}
	text, err := os.ReadFile(filepath.Join("testdata", "roi", "measured.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var name string
		var area, mean, least, most, sd float64
		if _, err := fmt.Sscan(line, &name, &area, &mean, &least, &most, &sd); err != nil {
			t.Fatal(err)
		}
		m, err := Measure(context.Background(), e, sc, []Shape{read(name)}, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if g := m[0]; float64(g.Voxels) != area || math.Abs(g.Mean-mean) > 1e-6 || g.Least != least || g.Most != most || math.Abs(g.SD-sd) > 1e-6 {
			t.Errorf("%s: %+v, ImageJ says %s", name, g, line)
		}
	}
	for name, want := range map[string]string{"line": "line [[2 1] [17 11]]", "point": "point [[7 5]]", "angle": "angle [[2 3] [10 9] [15 2]]"} {
		if h := read(name); fmt.Sprint(h.Kind, " ", h.Points) != want {
			t.Errorf("%s: %v %v, want %s", name, h.Kind, h.Points, want)
		}
	}
}

// What measures nothing, or nothing that a Shape can, is refused by its name: a text is stored as a rectangle.
func TestWhatIsNoShapeIsRefusedByName(t *testing.T) {
	good, err := EncodeROI(Shape{Kind: Rectangle, Points: [][2]float64{{1.5, 2.5}, {4.5, 7.5}}})
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(b []byte){
		"a text is not read":                      func(b []byte) { b[49] = 1 },
		"a picture as overlay is not read":        func(b []byte) { b[49] = 4 },
		"a segmented line is not read":            func(b []byte) { b[6] = 5 },
		"a freehand line is not read":             func(b []byte) { b[6] = 4 },
		"a region of several parts is not read":   func(b []byte) { b[39] = 9 },
		"a region of interest of type 77 is not ": func(b []byte) { b[6] = 77 },
	} {
		b := slices.Clone(good)
		change(b)
		if _, err := DecodeROI(b, lazy.Shape{1, 1, 1, 10, 10}, lazy.Index{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want that %s", err, want)
		}
	}
}

// The points of one shape are places of their own: none is joined to the next, and each can be taken hold of.
func TestSeveralPointsAreNotJoined(t *testing.T) {
	sc, s := figureScene(t)
	h := Shape{Kind: Point, At: s.plane().at, Points: [][2]float64{{20, 20}, {120, 20}, {120, 80}}}
	s = act(sc, s, ChangeShape(0, func(Shape) Shape { return h }), Choose(-1))
	g := sc.Geometry(s)
	for _, p := range h.Points {
		if now := act(sc, s, Press(g.Pixel(p[0], p[1]))); now.Chosen != 0 {
			t.Errorf("a press at %v takes hold of nothing", p)
		}
	}
	if now := act(sc, s, Press(g.Pixel(70, 20))); now.Chosen != -1 {
		t.Error("a press between two points takes hold of them")
	}
	_, l, err := Figure{Pixels: 1, Shapes: true}.Draw(context.Background(), newEngine(t), sc, s, nil)
	if err != nil || len(l.Lines) != 6 {
		t.Errorf("on a picture they are %d lines, want a cross each; %v", len(l.Lines), err)
	}
}

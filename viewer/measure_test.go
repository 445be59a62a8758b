package viewer

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// measurable is the image of testdata/measure.py, in chunks.
func measurable() formula {
	f := microns(zyx("measurable", lazy.U16, shape(15, 21), func(_, y, x int) float64 {
		return float64((x*37 + y*91 + (x*y)%13*17) % 1000)
	}), 1, 0.25, 0.1)
	f.meta.Chunk = shape(4, 8)
	return f
}

func newEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{Memory: 64 << 20, Workers: 2})
	t.Cleanup(e.Close)
	return e
}

// near9 compares to nine digits, which is what the reference is written with.
func near9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestShapesMeasureWhatNumpyAndScipyMeasure(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "measure.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]struct {
		Points                  [][2]float64
		Voxels                  int
		Mean, SD, Min, Max, Sum float64
		Area, Length, Angle     float64
		At, Values              []float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	sc, _ := scene(t, dataset(measurable()), 100, 100)
	e := newEngine(t)
	for name, w := range want {
		h := Shape{Kind: ParseShapeKind(name), Points: w.Points}
		g := sc.Extent(h)
		m, err := Measure(context.Background(), e, sc, []Shape{h}, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		got := m[0]
		if !near9(got.Mean, w.Mean) || !near9(got.SD, w.SD) || got.Least != w.Min && name != "line" || got.Most != w.Max && name != "line" {
			t.Errorf("%s: %+v, want %+v", name, got, w)
		}
		if name != "line" && (got.Voxels != w.Voxels || got.Sum != w.Sum || !near9(g.Area, w.Area)) {
			t.Errorf("%s: %d voxels of sum %v on %v, want %+v", name, got.Voxels, got.Sum, g, w)
		}
		if w.Length > 0 && math.Abs(g.Length-w.Length) > 1e-5*w.Length || w.Angle != 0 && !near9(g.Angle, w.Angle) || g.Unit != "µm" {
			t.Errorf("%s: %+v, want length %v, angle %v", name, g, w.Length, w.Angle)
		}
		if name == "line" {
			p, err := sc.Profile(context.Background(), e, h, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Values) != len(w.Values) {
				t.Fatalf("%d samples, want %d", len(p.Values), len(w.Values))
			}
			for i := range p.Values {
				if !near9(p.Values[i], w.Values[i]) || !near9(p.At[i], w.At[i]) {
					t.Errorf("sample %d at %v is %v, want %v at %v", i, p.At[i], p.Values[i], w.Values[i], w.At[i])
				}
			}
		}
	}
}

func TestAnglesAreThoseOfTheSpecimen(t *testing.T) {
	sc, _ := scene(t, dataset(microns(zyx("tall", lazy.U8, shape(9, 9, 9), nil), 2, 1, 1)), 100, 100)
	right := Shape{Kind: Angle, Cut: XZ, Points: [][2]float64{{4, 0}, {0, 0}, {4, 2}}} // 4 to the right, 4 µm down
	if a := sc.Extent(right).Angle; !near9(a, 45) {
		t.Errorf("in voxels twice as tall as wide the angle is %v, want 45", a)
	}
	if g := sc.Extent(Shape{Kind: Line, Cut: XZ, Points: [][2]float64{{0, 2}, {3, 0}}}); !near9(g.Length, 5) || g.Angle < 53 || g.Angle > 53.2 {
		t.Errorf("3 µm and 4 µm make %+v", g)
	}
	none, _ := scene(t, dataset(zyx("none", lazy.U8, shape(9, 9), nil)), 100, 100)
	if g := none.Extent(Shape{Kind: Line, Points: [][2]float64{{0, 0}, {3, 4}}}); g.Length != 5 || g.Unit != "px" {
		t.Errorf("without a size of voxels a line is %+v", g)
	}
}

func TestEveryCutMeasuresItsOwnVoxels(t *testing.T) {
	sc, _ := scene(t, dataset(zyx("digits", lazy.U16, shape(7, 8, 9), func(z, y, x int) float64 { return float64(100*z + 10*y + x) })), 100, 100)
	e := newEngine(t)
	at := lazy.Index{0, 3, 0, 4, 5}
	for cut, want := range map[Orientation][2]float64{XY: {321, 332}, XZ: {241, 342}, YZ: {215, 325}, ZY: {125, 235}} {
		h := Shape{Kind: Rectangle, Cut: cut, At: State{Cut: cut, At: at}.plane().at, Points: [][2]float64{{0.5, 1.5}, {2.5, 3.5}}} // 1 and 2 across, 2 and 3 down
		m, err := Measure(context.Background(), e, sc, []Shape{h}, []int{0})
		if err != nil || m[0].Least != want[0] || m[0].Most != want[1] || m[0].Voxels != 4 {
			t.Errorf("%v: %+v, %v; want %v", cut, m, err, want)
		}
		h.Kind, h.Points = Line, [][2]float64{{1, 2}, {2, 3}}
		if p, err := sc.Profile(context.Background(), e, h, 0); err != nil || p.Values[0] != want[0] || p.Values[len(p.Values)-1] != want[1] {
			t.Errorf("%v: the profile is %v, %v; want from %v", cut, p.Values, err, want)
		}
	}
}

func TestWhatIsNoNumberIsCountedAndLeftOut(t *testing.T) {
	f := zyx("holes", lazy.F32, shape(4, 4), func(_, y, x int) float64 {
		if x == 1 && y == 1 {
			return nan
		}
		return float64(x)
	})
	sc, _ := scene(t, dataset(f), 40, 40)
	m, err := Measure(context.Background(), newEngine(t), sc, []Shape{{Kind: Rectangle, Points: [][2]float64{{-0.5, 0.5}, {2.5, 1.5}}}}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	if got := m[0]; got.Voxels != 3 || got.NotFinite != 1 || got.Mean != 1 || got.Most != 2 {
		t.Errorf("0, NaN, 2 give %+v", got)
	}
	m, err = Measure(context.Background(), newEngine(t), sc, []Shape{{Kind: Rectangle, Points: [][2]float64{{20, 20}, {30, 30}}}}, []int{0})
	if err != nil || m[0].Voxels != 0 || !math.IsNaN(m[0].Mean) {
		t.Errorf("beside the image: %+v, %v", m, err)
	}
}

// A long diagonal crosses few of the chunks of its box.
func TestALineReadsTheChunksBesideIt(t *testing.T) {
	var reads atomic.Int64
	f := zyx("wide", lazy.U8, shape(1024, 1024), func(_, y, x int) float64 { return float64(x & 255) })
	f.meta.Chunk, f.reads = shape(64, 64), &reads
	sc, _ := scene(t, dataset(f), 100, 100)
	p, err := sc.Profile(context.Background(), newEngine(t), Shape{Kind: Line, Points: [][2]float64{{0, 0}, {1023, 1023}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := reads.Load(); n > 3*16+16 {
		t.Errorf("%d of 256 chunks were read for a diagonal through 16", n)
	}
	if p.Values[0] != 0 || p.Values[len(p.Values)-1] != 255 {
		t.Errorf("from %v to %v", p.Values[0], p.Values[len(p.Values)-1])
	}
}

func TestAProfileAlongAnAxisReadsItsColumn(t *testing.T) {
	var reads atomic.Int64
	f := microns(zyx("deep", lazy.U16, shape(32, 64, 64), func(z, y, x int) float64 { return float64(1000*z + 10*y + x) }), 0.5, 0.1, 0.1)
	f.meta.Chunk, f.reads = shape(8, 16, 16), &reads
	sc, s := scene(t, dataset(f), 100, 100)
	at := s.At
	at[lazy.Y], at[lazy.X] = 3, 5
	p, err := sc.Through(context.Background(), newEngine(t), at, lazy.Z, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Values) != 32 || p.Values[31] != 31035 || p.At[31] != 15.5 || p.Unit != "µm" {
		t.Errorf("%d values to %v at %v %s", len(p.Values), p.Values[31], p.At[31], p.Unit)
	}
	if n := reads.Load(); n != 4 {
		t.Errorf("%d of 64 chunks were read, want the 4 of the column", n)
	}
}

// Inside agrees with the area by the corners, as closely as voxels can count it.
func TestTheVoxelsOfAPolygonCoverItsArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(0, 60)
		h := Shape{Kind: Polygon, Points: [][2]float64{{at.Draw(t, "x1"), at.Draw(t, "y1")}, {at.Draw(t, "x2"), at.Draw(t, "y2")}, {at.Draw(t, "x3"), at.Draw(t, "y3")}}}
		a, b, c := h.Points[0], h.Points[1], h.Points[2]
		area := math.Abs((b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0])) / 2
		around := math.Hypot(a[0]-b[0], a[1]-b[1]) + math.Hypot(b[0]-c[0], b[1]-c[1]) + math.Hypot(c[0]-a[0], c[1]-a[1])
		n := 0
		for y := range 61 {
			for x := range 61 {
				if h.Inside(float64(x), float64(y)) {
					n++
				}
			}
		}
		if d := math.Abs(float64(n) - area); d > around+2 {
			t.Errorf("%d voxels in a triangle of area %v", n, area)
		}
	})
}

// What lies outside of an image has no value: a line that begins there is measured where it is inside, and one that never
// is inside, or a point, not at all.
func TestWhatLiesOutsideOfTheImageIsNotMeasured(t *testing.T) {
	f := microns(zyx("ramp", lazy.U16, shape(3, 10, 20), func(z, _, x int) float64 { return float64(100*z + 10*x) }), 1, 0.5, 0.5)
	sc, _ := scene(t, dataset(f), 100, 100)
	e := newEngine(t)
	for name, c := range map[string]struct {
		from, to [2]float64
		at       []float64 // in µm from the beginning of the line
		values   []float64
	}{
		"from the left into it":   {[2]float64{-3, 4}, [2]float64{2, 4}, []float64{1.5, 2, 2.5}, []float64{0, 10, 20}},
		"out at the right":        {[2]float64{18, 4}, [2]float64{22, 4}, []float64{0, 0.5}, []float64{180, 190}},
		"up through all of it":    {[2]float64{5, 11}, [2]float64{5, 8}, []float64{1, 1.5}, []float64{50, 50}},
		"beside it":               {[2]float64{-3, 0}, [2]float64{-3, 9}, nil, nil},
		"past its corner":         {[2]float64{-4, 2}, [2]float64{2, -4}, nil, nil},
		"as far as numbers go":    {[2]float64{-5e8, 4}, [2]float64{-4e8, 4}, nil, nil},
		"half a voxel beyond it":  {[2]float64{-0.5, 4}, [2]float64{0.5, 4}, []float64{0, 0.5}, []float64{0, 5}},
		"within, end to end":      {[2]float64{0, 4}, [2]float64{2, 4}, []float64{0, 0.5, 1}, []float64{0, 10, 20}},
		"from outside to outside": {[2]float64{4, -2}, [2]float64{4, 1}, []float64{1, 1.5}, []float64{40, 40}},
	} {
		h := Shape{Kind: Line, Points: [][2]float64{c.from, c.to}}
		p, err := sc.Profile(context.Background(), e, h, 0)
		if err != nil || !slices.EqualFunc(p.At, c.at, near9) || !slices.EqualFunc(p.Values, c.values, near9) {
			t.Errorf("%s: %v at %v, %v; want %v at %v", name, p.Values, p.At, err, c.values, c.at)
		}
		if m, err := Measure(context.Background(), e, sc, []Shape{h}, []int{0}); err != nil || m[0].Voxels != len(c.values) || m[0].NotFinite != 0 {
			t.Errorf("%s: %+v, %v; want %d samples", name, m, err, len(c.values))
		}
	}
	for at, n := range map[lazy.Index]int{{0, 0, 0, 4, 5}: 3, {0, 0, 0, -1, 5}: 0, {0, 0, 0, 4, 20}: 0} {
		if p, err := sc.Through(context.Background(), e, at, lazy.Z, 0); err != nil || len(p.Values) != n {
			t.Errorf("through %v: %v, %v; want %d values", at, p.Values, err, n)
		}
	}
}

package filters_test

import (
	"context"
	"math"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func TestAHotPixelIsReplacedAndItsNeighboursAreNot(t *testing.T) {
	shape := lazy.Shape{1, 5, 1, 9, 9}
	value := func(i lazy.Index) float64 {
		switch i {
		case lazy.Index{0, 2, 0, 4, 4}:
			return 250
		case lazy.Index{0, 2, 0, 4, 6}:
			return 3
		}
		return float64(100 + i[lazy.X])
	}
	for _, d := range []lazy.DType{lazy.U8, lazy.I16, lazy.F32} {
		for text, want := range map[string][2]float64{
			"remove-outliers": {104, 3}, "remove-outliers which=dark": {250, 106}, "remove-outliers which=both": {104, 106},
			"remove-outliers threshold=146": {250, 3}, "remove-outliers threshold=145.5": {104, 3},
			"remove-outliers size=1,3,3 which=both": {104, 106},
		} {
			got := whole(t, chained(t, lazytest.Array(lazytest.Meta(d, shape, lazy.Shape{1, 2, 1, 4, 4}), value), text))
			lazytest.Each(shape.Whole(), func(i lazy.Index) {
				w := value(i)
				switch w {
				case 250:
					w = want[0]
				case 3:
					w = want[1]
				}
				if got.Value(i) != w {
					t.Errorf("%s of %v: voxel %v is %v, want %v", text, d, i, got.Value(i), w)
				}
			})
		}
	}
}

func whole(t *testing.T, a lazy.Array) *lazy.Block {
	t.Helper()
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What is flat has no contrast and no variance, exactly, also where squares are not whole numbers.
func TestAFlatImageHasNoLocalContrast(t *testing.T) {
	for _, d := range lazy.DTypes() {
		v := 117.0
		if d.Float() {
			v = float64(float32(1e6 / 3.0))
		}
		row := rowOf(d, 3, v, v, v, v, v, v)
		for _, text := range []string{"local-contrast", "local-contrast size=3 border=wrap", "subtract-background smooth=1", "subtract-background radius=2 method=opening"} {
			near(t, text+" of "+d.String(), middle(t, chained(t, row, text)), 0, 0, 0, 0, 0, 0, 0)
		}
		near(t, "variance of "+d.String(), middle(t, chained(t, row, "variance")), 1e-12*v*v, 0, 0, 0, 0, 0, 0)
	}
}

// On a ramp the mean is the voxel itself and the variance of five in a row is 2.
func TestLocalStatisticsOfARamp(t *testing.T) {
	for _, d := range lazy.DTypes() {
		ramp := rowOf(d, 3, 10, 11, 12, 13, 14, 15, 16)
		near(t, "variance", middle(t, chained(t, ramp, "variance size=1,1,5"))[2:5], 1e-6, 2, 2, 2)
		near(t, "local-sd", middle(t, chained(t, ramp, "local-sd size=5"))[2:5], 1e-6, math.Sqrt2, math.Sqrt2, math.Sqrt2)
		near(t, "local-contrast", middle(t, chained(t, ramp, "local-contrast size=1,1,4"))[2:5], 1e-6, 0.5/math.Sqrt(1.25), 0.5/math.Sqrt(1.25), 0.5/math.Sqrt(1.25))
		near(t, "one voxel", middle(t, chained(t, ramp, "variance size=1")), 0, 0, 0, 0, 0, 0, 0, 0)
		near(t, "slope", middle(t, chained(t, ramp, "gaussian-derivative sigma=1 order=0,0,1 truncate=6"))[3:4], 1e-2, 1)
	}
}

// A spot on a slope that bends less than the paraboloid is all that is left of it.
func TestABackgroundIsWhatAParaboloidReaches(t *testing.T) {
	shape := lazy.Shape{1, 3, 1, 41, 41}
	a := lazytest.Array(lazytest.Meta(lazy.F32, shape, lazy.Shape{1, 1, 1, 16, 16}), func(i lazy.Index) float64 {
		v := 100 - 0.02*float64((i[lazy.Y]-20)*(i[lazy.Y]-20)) + 0.25*float64(i[lazy.X])
		if i[lazy.Y] == 20 && i[lazy.X] == 18 {
			v += 40
		}
		return v
	})
	b := whole(t, chained(t, a, "subtract-background radius=10 smooth=1"))
	for y := 12; y < 29; y++ {
		for x := 12; x < 29; x++ {
			want := 0.0
			if y == 20 && x == 18 {
				want = 40 // its neighbours hold the top of the paraboloid up
			}
			if got := b.Value(lazy.Index{0, 1, 0, y, x}); math.Abs(got-want) > 0.2 {
				t.Errorf("voxel %d, %d is %v, want %v", y, x, got, want)
			}
		}
	}
}

func TestMicrometresAreVoxelsOfEachAxis(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 20, 1, 30, 30}, lazy.Shape{1, 20, 1, 30, 30})
	m.Scale[lazy.Z], m.Scale[lazy.Y], m.Scale[lazy.X] = 2, 0.5, 0.25
	a := lazytest.Array(m, nil)
	for um, voxels := range map[string]string{
		"subtract-background radius=4um dims=3":   "subtract-background radius=2,8,16 dims=3",
		"subtract-background radius=4um height=9": "subtract-background radius=5,8,16 height=9",
		"variance size=6um,1.5um,1um":             "variance size=3,3,4",
		"local-contrast size=2um":                 "local-contrast size=1,4,8",
		"clahe size=2um low=0":                    "clahe size=1,4,8 low=0",
		"remove-outliers size=2um":                "remove-outliers size=1,4,8",
		"gaussian-derivative sigma=1um":           "gaussian-derivative sigma=0.5,2,4",
	} {
		x, err := must(um).Provisional().Apply(a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := must(voxels).Provisional().Apply(a)
		if err != nil || x.Node().Hash != y.Node().Hash {
			t.Errorf("%s is not %s: %v", um, voxels, err)
		}
	}
}

func TestACancelledSlidingBoxOrParabolaStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, d := range []lazy.DType{lazy.U8, lazy.F32, lazy.F64} {
		for _, text := range []string{"cast dtype=float32 | subtract-background smooth=1", "clahe low=0 high=9 dtype=float32", "clahe low=0 high=9 dtype=float64"} {
			shape := lazy.Shape{1, 64, 1, 64, 64}
			n := chained(t, lazytest.Array(lazytest.Meta(d, shape, shape), nil), text).Node()
			for len(n.In) > 0 && n.Op.Name() != "parabola x" && n.Op.Name() != "equalise" {
				n = n.In[len(n.In)-1]
			}
			tile := lazy.At(lazy.Index{0, 20, 0, 20, 20}, lazy.Shape{1, 1, 1, 32, 32})
			src := lazy.NewBlock(n.Op.Need(tile, n.InMetas())[0], n.In[0].Meta.DType)
			if err := n.Op.Compute(ctx, lazy.NewBlock(tile, n.Meta.DType), []*lazy.Block{src}); err != context.Canceled {
				t.Errorf("%s of %v: error %v", text, d, err)
			}
		}
	}
}

// NaN stays where it is, and counts as the least of all in the boxes of CLAHE.
func TestNaNDoesNotSpreadFromAParabola(t *testing.T) {
	nan := math.NaN()
	for _, d := range []lazy.DType{lazy.F32, lazy.F64} {
		row := rowOf(d, 4, 5, nan, 5, 5, 9, 5, 5)
		got := middle(t, chained(t, row, "subtract-background radius=2 smooth=1 height=0.001"))
		near(t, "the spot and what is flat", append(got[:1:1], got[2:]...), 1e-3, 0, 0, 0, 4, 0, 0)
		if !math.IsNaN(got[1]) {
			t.Errorf("NaN became %v", got[1])
		}
		for i, v := range middle(t, chained(t, row, "clahe size=1,1,3 low=0 high=10")) {
			if i == 1 && !math.IsNaN(v) || i != 1 && !(v >= 0 && v <= 10) {
				t.Errorf("CLAHE gives %v for voxel %d", v, i)
			}
		}
	}
}

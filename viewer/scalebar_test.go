package viewer

import (
	"math"
	"testing"

	"lamella/lazy"
	"pgregory.net/rapid"
)

func TestRoundLengths(t *testing.T) {
	for _, c := range []struct{ in, want float64 }{
		{1, 1}, {1.9, 1}, {2, 2}, {4.99, 2}, {5, 5}, {9.99, 5}, {10, 10}, {0.3, 0.2}, {0.1, 0.1}, {0.0499, 0.02}, {730, 500}, {0, 0}, {-1, 0},
	} {
		if got := round125(c.in); got != c.want {
			t.Errorf("the round length in %v is %v, want %v", c.in, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(1e-9, 1e12).Draw(t, "v")
		if r := round125(v); r > v*(1+1e-9) || r < v/2.5000001 {
			t.Fatalf("%v for %v", r, v)
		}
	})
}

func TestLengthsHaveTheUnitThatFits(t *testing.T) {
	for _, c := range []struct {
		um   float64
		want string
	}{{20, "20 µm"}, {1, "1 µm"}, {0.5, "500 nm"}, {0.002, "2 nm"}, {1000, "1 mm"}, {2.5e4, "25 mm"}, {1e6, "1 m"}, {0, "0 µm"}} {
		if got := Length(c.um); got != c.want {
			t.Errorf("%v is %q, want %q", c.um, got, c.want)
		}
	}
}

func TestTheScaleBarIsAsLongAsItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(0.001, 100).Draw(t, "voxel")
		f := microns(zyx("bar", lazy.U8, shape(10, 100, 100), nil), 1, size, size)
		sc, err := NewScene(dataset(f), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := act(sc, opening(sc, 0, State{}), Resize(800, 600), Zoom(rapid.Float64Range(0.2, 50).Draw(t, "zoom")))
		bar := sc.Bar(s)
		if bar.Pixels > 160.001 || bar.Pixels < 63 {
			t.Fatalf("%v pixels of 800", bar.Pixels)
		}
		if um := bar.Pixels / s.Zoom * size; bar.Label != Length(um) && math.Abs(round125(um*1.000001)-um) > 1e-6*um {
			t.Fatalf("%q, but it is %v µm long", bar.Label, um)
		}
	})
}

func TestWithoutVoxelSizeTheScaleBarCountsVoxels(t *testing.T) {
	sc, s := scene(t, dataset(zyx("plain", lazy.U8, shape(100, 100), nil)), 400, 400)
	if bar := sc.Bar(s); bar.Label != "20 px" || bar.Pixels != 80 {
		t.Errorf("%+v", bar)
	}
}

func TestPositionsHaveTheDigitsOfTheirSteps(t *testing.T) {
	sc, _ := scene(t, dataset(microns(zyx("where", lazy.U8, shape(40, 10, 10), nil), 0.5, 0.065, 2)), 10, 10)
	for _, c := range []struct {
		axis lazy.Axis
		at   int
		want string
	}{{lazy.Z, 33, "16.5 µm"}, {lazy.Y, 3, "0.195 µm"}, {lazy.X, 7, "14 µm"}, {lazy.T, 0, ""}} {
		if got := sc.Where(c.axis, c.at); got != c.want {
			t.Errorf("%v %d is at %q, want %q", c.axis, c.at, got, c.want)
		}
	}
}

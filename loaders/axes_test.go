package loaders_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

func TestAxesThatAFileDoesNotNameAreTheLastOfTZYX(t *testing.T) {
	for n, want := range []string{1: "x", 2: "yx", 3: "zyx", 4: "tzyx", 5: "tzcyx"} {
		got, err := loaders.AssumeAxes(n)
		if want != "" && (err != nil || got.String() != want) {
			t.Errorf("%d dimensions: %v, %v; want %s", n, got, err, want)
		}
	}
	for _, n := range []int{-1, 0, 6, 1000} {
		if _, err := loaders.AssumeAxes(n); !errors.Is(err, loaders.ErrUnsupported) {
			t.Errorf("%d dimensions: %v, want ErrUnsupported", n, err)
		}
	}
}

func TestAxesAreReadFromLetters(t *testing.T) {
	a, err := loaders.ParseAxes("CzYX", 4)
	if err != nil || a.String() != "czyx" {
		t.Fatalf("%v, %v", a, err)
	}
	s, err := a.Shape([]int64{2, 3, 4, 5})
	if want := (lazy.Shape{1, 3, 2, 4, 5}); err != nil || s != want {
		t.Errorf("%v, %v; want %v", s, err, want)
	}
	if got, want := a.Strides(s), (lazy.Index{0, 20, 60, 5, 1}); got != want {
		t.Errorf("strides %v, want %v", got, want)
	}
	if got, want := a.Reversed().Strides(s), (lazy.Index{0, 2, 1, 6, 24}); got != want {
		t.Errorf("strides of the reversed order %v, want %v", got, want)
	}
	for _, bad := range []string{"zz", "q", "zyx", "", "細yx"} {
		if _, err := loaders.ParseAxes(bad, 2); err == nil {
			t.Errorf("%q for two dimensions gave no error", bad)
		}
	}
}

func TestShapesThatCannotBeAreRefused(t *testing.T) {
	a, _ := loaders.AssumeAxes(3)
	for _, dims := range [][]int64{
		{0, 1, 1}, {-1, 1, 1}, {1, 2}, {1 << 40, 1 << 40, 1}, {1 << 62, 1, 1}, {math.MaxInt64, 2, 2}, {math.MinInt64, 1, 1},
	} {
		if s, err := a.Shape(dims); err == nil {
			t.Errorf("%v became %v", dims, s)
		}
	}
	if _, err := a.Shape([]int64{1000000, 1000, 1000}); err != nil {
		t.Error(err)
	}
}

func TestAnyOrderOfAxesLoadsAndSavesTheSameVoxels(t *testing.T) {
	for _, order := range []string{"tzcyx", "tczyx", "xyczt", "yxc", "xy", "cyxzt"} {
		axes, err := loaders.ParseAxes(order, len(order))
		if err != nil {
			t.Fatal(err)
		}
		shape, _ := axes.Shape([]int64{3, 70, 2, 5, 66}[:len(order)])
		whole := shape.Whole()
		origin := lazy.Index{1, 2, 3, 4, 5}
		place := loaders.Strided{Origin: origin, Stride: axes.Strides(shape)}
		at := lazy.At(origin, shape)
		for _, d := range []lazy.DType{lazy.U8, lazy.I16, lazy.F32, lazy.F64} {
			buffer := make([]byte, whole.Voxels()*d.Size())
			for i := range buffer {
				buffer[i] = byte(rand.N(256))
			}
			b := lazy.NewBlock(at, d)
			place.Load(b, at, buffer)
			// By the definition: voxel i lies at the sum of its distances.
			i := lazy.Index{}
			n := 0
			for a := range lazy.Rank {
				i[a] = origin[a] + rand.N(shape[a])
				n += (i[a] - origin[a]) * place.Stride[a]
			}
			for k := range d.Size() {
				if b.Bytes()[b.Offset(i)*d.Size()+k] != buffer[n*d.Size()+k] {
					t.Fatalf("%s %v: voxel %v is not the one at %d", order, d, i, n)
				}
			}
			back := make([]byte, len(buffer))
			place.Save(back, b, at)
			if string(back) != string(buffer) {
				t.Fatalf("%s %v: saved voxels differ from those loaded", order, d)
			}
			if place.Dense(at) != (string(b.Bytes()) == string(buffer)) {
				t.Errorf("%s: Dense is %v", order, place.Dense(at))
			}
		}
	}
}

func TestNamesThatAreNoAxesStandForFreeOnes(t *testing.T) {
	for _, c := range []struct{ names, axes, assumed string }{
		{"t c z y x", "tczyx", ""},
		{"y x", "yx", ""},
		{"angle z y x", "tzyx", "t"},
		{"t angle z y x", "tczyx", "c"},
		{"angle phase y x", "tcyx", "tc"},
		{"z z y x", "ztyx", "t"},
		{"x y", "xy", ""},
		{"q r s", "zyx", "zyx"},
		{"z y r", "zyx", "zyx"},
		{"r", "x", "x"},
	} {
		axes, assumed, err := loaders.NamedAxes(strings.Fields(c.names))
		if err != nil || axes.String() != c.axes || assumed != c.assumed {
			t.Errorf("%s: %v, assumed %q, %v; want %s and %q", c.names, axes, assumed, err, c.axes, c.assumed)
		}
	}
	if _, _, err := loaders.NamedAxes(strings.Fields("a b c d e f")); !errors.Is(err, loaders.ErrUnsupported) {
		t.Errorf("six axes: %v", err)
	}
}

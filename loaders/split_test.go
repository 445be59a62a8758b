package loaders_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/raw"
)

// twelve are 12 planes of 1 x 2 voxels, of which plane n holds 10 n and 10 n + 1.
func twelve(t *testing.T, axes string) (lazy.Dataset, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planes.bin")
	var p []byte
	for n := range 12 {
		p = append(p, byte(10*n), byte(10*n+1))
	}
	if err := os.WriteFile(path, p, 0o666); err != nil {
		t.Fatal(err)
	}
	return loaders.Registry{raw.Driver{}}.Open(context.Background(), path, loaders.Options{Axes: axes, Raw: "shape=12x1x2,dtype=uint8"})
}

func TestOneDimensionIsSplitInSeveral(t *testing.T) {
	for _, c := range []struct {
		axes  string
		shape lazy.Shape
		plane func(t, z, c int) int // which of the twelve is there
	}{
		{"zyx", lazy.Shape{1, 12, 1, 1, 2}, func(_, z, _ int) int { return z }},
		{"(zc3)yx", lazy.Shape{1, 4, 3, 1, 2}, func(_, z, c int) int { return 3*z + c }},
		{"(c3z)yx", lazy.Shape{1, 4, 3, 1, 2}, func(_, z, c int) int { return 4*c + z }},
		{"(z4c)yx", lazy.Shape{1, 4, 3, 1, 2}, func(_, z, c int) int { return 3*z + c }},
		{"(tz2c3)yx", lazy.Shape{2, 2, 3, 1, 2}, func(t, z, c int) int { return 6*t + 3*z + c }},
		{"(c2tz3)yx", lazy.Shape{2, 3, 2, 1, 2}, func(t, z, c int) int { return 6*c + 3*t + z }},
		{"(C3T2Z)YX", lazy.Shape{2, 2, 3, 1, 2}, func(t, z, c int) int { return 4*c + 2*t + z }},
	} {
		set, err := twelve(t, c.axes)
		if err != nil {
			t.Errorf("%s: %v", c.axes, err)
			continue
		}
		defer set.Close()
		a := set.Images[0].Levels[0].Array
		if a.Meta().Shape != c.shape {
			t.Errorf("%s: shape %v, want %v", c.axes, a.Meta().Shape, c.shape)
			continue
		}
		b, err := loadertest.Read(context.Background(), a, c.shape.Whole())
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			at := lazy.Index{i / 2 / c.shape[2] / c.shape[1], i / 2 / c.shape[2] % c.shape[1], i / 2 % c.shape[2], 0, i % 2}
			if want := float64(10*c.plane(at[0], at[1], at[2]) + at[4]); b.Value(at) != want {
				t.Errorf("%s at %v: %v, want %v", c.axes, at, b.Value(at), want)
			}
		}
	}
}

func TestASplitThatCannotBeIsRefusedInOneLine(t *testing.T) {
	for _, c := range []struct{ axes, want string }{
		{"(zc5)yx", "12 planes do not come out even in groups of 5"},
		{"(zc)yx", "all but one with a length behind"},
		{"(z4c3)yx", "all but one with a length behind"},
		{"(z)yx", "two letters or more"},
		{"(zc0)yx", "a length is from 1"},
		{"(zc99999999999999999999)yx", "a length is from 1"},
		{"(zc3yx", "one pair of parentheses"},
		{"(zc3)(ty2)x", "one pair of parentheses"},
		{"z3yx)", "axes"},
		{"(zq3)yx", "each letter is one of"},
		{"(zx2)yx", "axis x comes twice"},
		{"(cz2c2)yx", "comes twice"},
	} {
		set, err := twelve(t, c.axes)
		if err == nil {
			set.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.axes, err, c.want)
		}
	}
}

func TestTheShapeIsToldBeforeAnythingIsOpened(t *testing.T) {
	for _, c := range []struct {
		axes    string
		lengths []int64
		shape   lazy.Shape
		fails   string
	}{
		{"zyx", []int64{24, 4, 5}, lazy.Shape{1, 24, 1, 4, 5}, ""},
		{"tyx", []int64{24, 4, 5}, lazy.Shape{24, 1, 1, 4, 5}, ""},
		{"(zc3)yx", []int64{24, 4, 5}, lazy.Shape{1, 8, 3, 4, 5}, ""},
		{"(tz4c3)yx", []int64{24, 4, 5}, lazy.Shape{2, 4, 3, 4, 5}, ""},
		{"(c3z)yx", []int64{24, 4, 5}, lazy.Shape{1, 8, 3, 4, 5}, ""},
		{"(zc5)yx", []int64{24, 4, 5}, lazy.Shape{}, "do not come out even"},
		{"zy", []int64{24, 4, 5}, lazy.Shape{}, "name 2 dimensions"},
		{"(zc3", []int64{24, 4, 5}, lazy.Shape{}, "parentheses"},
	} {
		shape, err := loaders.AxesShape(c.axes, c.lengths)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) || err == nil && shape != c.shape {
			t.Errorf("%s of %v: %v, %v; want %v %q", c.axes, c.lengths, shape, err, c.shape, c.fails)
		}
	}
}

package raw_test

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

var registry = loaders.Registry{raw.Driver{}}

func save(t *testing.T) string {
	t.Helper()
	p := make([]byte, 10+2*3*4*5)
	for i := range p {
		p[i] = byte(i)
	}
	path := filepath.Join(t.TempDir(), "a.dat")
	if err := os.WriteFile(path, p, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEveryLawOfTheDoor(t *testing.T) {
	loadertest.Run(t, loadertest.Case{Registry: registry, Path: save(t), Options: loaders.Options{Raw: "shape=3x4x5,dtype=int16,offset=10,order=big"}})
}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "raw", nil) }

func TestWordsAreTakenAsTheyStand(t *testing.T) {
	for _, c := range []struct {
		raw, axes string
		shape     lazy.Shape
		at        lazy.Index
		want      float64
	}{
		{"shape=3x4x5,dtype=uint16,offset=10", "", lazy.Shape{1, 3, 1, 4, 5}, lazy.Index{0, 0, 0, 0, 1}, 0x0d0c},
		{"shape=3x4x5,dtype=uint16,offset=10,order=big", "", lazy.Shape{1, 3, 1, 4, 5}, lazy.Index{0, 0, 0, 0, 1}, 0x0c0d},
		{"dtype=uint8,shape=2x3", "", lazy.Shape{1, 1, 1, 2, 3}, lazy.Index{0, 0, 0, 1, 0}, 3},
		{"dtype=uint8,shape=2x3", "xy", lazy.Shape{1, 1, 1, 3, 2}, lazy.Index{0, 0, 0, 1, 0}, 1},
		{"dtype=bool,shape=4", "", lazy.Shape{1, 1, 1, 1, 4}, lazy.Index{0, 0, 0, 0, 3}, 1},
	} {
		set, err := registry.Open(context.Background(), save(t), loaders.Options{Raw: c.raw, Axes: c.axes})
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		a := set.Images[0].Levels[0].Array
		b, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
		if err != nil || a.Meta().Shape != c.shape || b.Value(c.at) != c.want {
			t.Errorf("%s %s: %v at %v of %v, %v; want %v of %v", c.raw, c.axes, b.Value(c.at), c.at, a.Meta().Shape, err, c.want, c.shape)
		}
	}
}

func TestWordsThatCannotBeAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"shape=3x4x5":                              "shape= and dtype= are both needed",
		"dtype=uint16":                             "shape",
		"shape=3x4x5,dtype=uint12":                 "uint12",
		"shape=3x4,dtype=uint8,order=middle":       "middle",
		"shape=3x4,dtype=uint8,offset=-1":          "offset",
		"shape=3x4,dtype=uint8,size=3":             "size=3",
		"shape=3xx4,dtype=uint8":                   "3xx4",
		"shape=30000000000x40000000000,dtype=int8": "more voxels",
		"shape=1000x1000,dtype=float64":            "need more than the file's",
		"shape=3x4,dtype=uint8,offset=1000":        "need more than the file's",
	} {
		path := save(t)
		_, err := registry.Open(context.Background(), path, loaders.Options{Raw: text})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

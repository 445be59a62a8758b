package mrc_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestFilesOfMrcfileHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"be_i2.mrc", "be_f2.mrc", "volumes.mrc", "packed.mrc.gz", "packed.mrc.bz2", "halves.mrc", "halves.mrc.gz", "colours.mrc", "no_map.mrc"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}

// edited is a file of testdata with some words of its header changed, counted from 1.
func edited(t *testing.T, name string, words map[int]uint32) string {
	t.Helper()
	p, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for word, v := range words {
		binary.LittleEndian.PutUint32(p[4*word-4:], v)
	}
	path := filepath.Join(t.TempDir(), "bad.mrc")
	if err := os.WriteFile(path, p, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatCannotBeIsRefusedWithItsReason(t *testing.T) {
	minus := uint32(1<<32 - 1)
	for _, c := range []struct {
		name, want string
		words      map[int]uint32
	}{
		{"a mode that is none", "mode 77", map[int]uint32{4: 77}},
		{"complex integers", "complex integers (mode 3)", map[int]uint32{4: 3}},
		{"no columns", "0 columns", map[int]uint32{1: 0}},
		{"negative sections", "-1 sections", map[int]uint32{3: minus}},
		{"more voxels than bytes", "need more than the file's", map[int]uint32{3: 1000}},
		{"more than any storage holds", "more voxels than any storage", map[int]uint32{1: 1 << 30, 2: 1 << 30, 3: 1 << 30}},
		{"a negative extended header", "extended header of -1", map[int]uint32{24: minus}},
		{"an extended header beyond the end", "need more than the file's", map[int]uint32{24: 1 << 30}},
		{"axes that are no permutation", "axes 1, 1, 3", map[int]uint32{18: 1}},
		{"halves beyond the end", "rows of 5 voxels", map[int]uint32{4: 101, 3: 100}},
		{"no map and a mode that is none", "of no kind that is known", map[int]uint32{53: 0, 4: 77}},
	} {
		_, err := registry.Open(context.Background(), edited(t, "i2.mrc", c.words), loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "bad.mrc") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestWhatIsOddOpensAndIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, want string
		words      map[int]uint32
		shape      lazy.Shape
	}{
		{"a stack of volumes that do not come out even", "no whole number", map[int]uint32{23: 401, 10: 2}, lazy.Shape{1, 3, 1, 4, 5}},
		{"no axes at all", "", map[int]uint32{17: 0, 18: 0, 19: 0}, lazy.Shape{1, 3, 1, 4, 5}},
		{"a stack of volumes of one section each", "", map[int]uint32{23: 401, 10: 1}, lazy.Shape{3, 1, 1, 4, 5}},
	} {
		set, err := registry.Open(context.Background(), edited(t, "i2.mrc", c.words), loaders.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		said := strings.Join(set.Warnings, " ")
		if s := set.Images[0].Levels[0].Array.Meta().Shape; s != c.shape || !strings.Contains(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %v, and it says %q; want %v, %q", c.name, s, said, c.shape, c.want)
		}
		set.Close()
	}
}

func TestSectionsOfAStackOfPicturesAreAssumedToBeZ(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/pictures.mrcs", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if set.Images[0].Assumed != "z" {
		t.Errorf("assumed %q", set.Images[0].Assumed)
	}
	set, err = registry.Open(context.Background(), "testdata/pictures.mrcs", loaders.Options{Axes: "tyx"})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if m := set.Images[0].Levels[0].Array.Meta(); m.Shape != (lazy.Shape{6, 1, 1, 4, 5}) || m.Scale[lazy.T] != 0 || set.Images[0].Assumed != "" {
		t.Errorf("%v, %v apart, assumed %q", m.Shape, m.Scale, set.Images[0].Assumed)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	for _, name := range []string{"i2.mrc", "be_f2.mrc", "volumes.mrc", "packed.mrc.gz", "packed.mrc.bz2", "halves.mrc", "colours.mrc", "no_map.mrc"} {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { loadertest.Hostile(t, registry, "f.mrc", p) })
}

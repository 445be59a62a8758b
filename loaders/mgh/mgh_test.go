package mgh_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/loaders"
	"lamella/loaders/loadertest"
)

func TestFilesOfNibabelHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"i2.mgh", "f4.mgz", "frames.mgh"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}

func TestHeadersThatCannotBeAreRefusedWithTheReason(t *testing.T) {
	whole, err := os.ReadFile("testdata/i2.mgh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		at         int
		value      uint32
	}{
		{"no width", "no voxels", 4, 0},
		{"a negative height", "below 0", 8, 1 << 31},
		{"too deep for the file", "need more than the file's", 12, 1 << 20},
		{"more than any storage holds", "more voxels than any storage", 16, 1<<31 - 1},
		{"a type that is none", "type 77", 20, 77},
		{"another version", "of no kind that is known", 0, 2},
	} {
		p := append([]byte(nil), whole...)
		binary.BigEndian.PutUint32(p[c.at:], c.value)
		if c.at == 16 {
			binary.BigEndian.PutUint32(p[4:], 1<<31-1)
			binary.BigEndian.PutUint32(p[8:], 1<<31-1)
		}
		path := filepath.Join(t.TempDir(), "bad.mgh")
		os.WriteFile(path, p, 0o666)
		if _, err := registry.Open(context.Background(), path, loaders.Options{}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.mgh") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	for _, name := range []string{"i2.mgh", "f4.mgz", "frames.mgh.gz"} {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { loadertest.Hostile(t, registry, "f.mgh", p) })
}

package nrrd_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/store"
)

func TestFilesOfUnuHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"u2_raw_big.nrrd", "u2_gzip_big.nrrd", "f4_bzip2_little.nrrd", "i1_ascii_little.nrrd", "u2_hex_little.nrrd", "none_first.nrrd", "gz_tail.nrrd", "5d_domains.nrrd"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}

const good = "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 3 2\nencoding: raw\n\n123456"

func open(t *testing.T, name, content string, o loaders.Options) (lazy.Dataset, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return registry.Open(context.Background(), path, o)
}

func TestTheUsersAxesWin(t *testing.T) {
	set, err := open(t, "a.nrrd", good, loaders.Options{Axes: "zx"})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if s := set.Images[0].Levels[0].Array.Meta().Shape; s != (lazy.Shape{1, 2, 1, 1, 3}) {
		t.Errorf("%v", s)
	}
}

func TestWhatCannotBeIsRefusedWithItsReason(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, c := range []struct{ name, file, want string }{
		{"a type that is none", change("uchar", "blob"), "type: blob"},
		{"blocks", change("uchar", "block\nblock size: 9"), "type: block"},
		{"no type", change("type: uchar\n", ""), "type: "},
		{"no encoding", change("encoding: raw\n", ""), "encoding: "},
		{"an encoding that is none", change("raw", "lzma"), `encoding: "lzma"`},
		{"no byte order", change("uchar", "short"), "byte order"},
		{"a byte order that is none", change("uchar", "short\nendian: middle"), `"middle"`},
		{"no dimension", change("dimension: 2\n", ""), "dimension: "},
		{"no sizes", change("sizes: 3 2\n", ""), "do not fit"},
		{"a size too few", change("3 2", "3"), "do not fit"},
		{"a size of 0", change("3 2", "0 2"), "lengths from 1 on"},
		{"a negative size", change("3 2", "-3 2"), "lengths from 1 on"},
		{"a size beyond 64 bits", change("3 2", "99999999999999999999 2"), "lengths from 1 on"},
		{"sizes beyond 64 bits together", change("3 2", "4611686018427387904 4611686018427387904"), "more voxels than any storage"},
		{"more voxels than bytes", change("3 2", "3 3"), "9 bytes of voxels from byte"},
		{"six dimensions", change("2\nsizes: 3 2", "6\nsizes: 1 1 1 1 3 2"), "6 dimensions"},
		{"a billion dimensions", change("dimension: 2", "dimension: 1000000000"), "do not fit"},
		{"spacings too few", change("encoding", "spacings: 1\nencoding"), "1 numbers for 2 axes"},
		{"directions too few", change("encoding", "space directions: (1,0)\nencoding"), "1 for 2 axes"},
		{"three axes of channels", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 2 3\nkinds: list vector scalar\nencoding: raw\n\n123456", "more axes of one kind"},
		{"a line that is no field", change("encoding", "rubbish\nencoding"), "is no field"},
		{"no end of the header", "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 3 2\nencoding: raw\n", "does not end"},
		{"a skip that is none", change("encoding", "byte skip: x\nencoding"), "not a whole number"},
		{"a negative skip", change("encoding", "byte skip: -2\nencoding"), "byte skip: -2"},
		{"a skip beyond the end", change("encoding", "byte skip: 99\nencoding"), "bytes of voxels"},
		{"a skip beyond 64 bits", change("raw", "gzip\nbyte skip: 9223372036854775807"), "byte skip"},
		{"lines beyond the end", change("encoding", "line skip: 9\nencoding"), "ends before that many lines"},
		{"text too short", change("raw", "ascii") + " 1 2", ""},
		{"gzip that cannot become so much", "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 300000 2\nencoding: gzip\n\n123456", "cannot become"},
		{"an absolute path", change("encoding", "data file: /dev/zero\nencoding"), "/dev/zero"},
		{"a path that leaves the folder", change("encoding", "data file: ../a.raw\nencoding"), "../a.raw"},
		{"a file that is not there", change("encoding", "data file: none.raw\nencoding"), "none.raw"},
		{"an empty list", change("encoding: raw", "encoding: raw\ndata file: LIST"), "none.raw"},
		{"a pattern of many files", change("encoding", "data file: s%d.raw 1 1000000000 1\nencoding"), "more than"},
		{"a pattern that counts nowhere", change("encoding", "data file: s%d.raw 1 3 0\nencoding"), "are none"},
		{"a pattern of C's darker corners", change("encoding", "data file: s%n%d.raw 1 3 1\nencoding"), "holds more than"},
		{"too few files", change("encoding", "data file: s%d.raw 1 3 1 1\nencoding"), "3 files of 1 dimensions are named, 2 are needed"},
		{"files of more dimensions", change("encoding", "data file: s%d.raw 1 3 1 5\nencoding"), "each file has 5 dimensions"},
	} {
		file := c.file
		if c.name == "an empty list" {
			file = strings.TrimSuffix(strings.Replace(file, "\n\n123456", "\nnone.raw\nnone.raw\n", 1), "\n")
		}
		set, err := open(t, "bad.nrrd", file, loaders.Options{})
		if err == nil && c.want == "" { // opens, since its numbers are looked at when they are read
			a := set.Images[0].Levels[0].Array
			_, err = loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
			set.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "bad.nrrd") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestBR024ANamedDeviceOrAFileElsewhereIsNotOpened(t *testing.T) {
	for _, name := range []string{"/dev/zero", "../x", "sub/../../x", `/etc/passwd`} {
		_, err := open(t, "a.nhdr", strings.Replace(good, "encoding", "data file: "+name+"\nencoding", 1), loaders.Options{})
		if !errors.Is(err, store.ErrOutside) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatAGzipFileCostsIsSaid(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/u2_gzip_little.nrrd", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if set.Lazy.By != "whole" || !strings.Contains(set.Lazy.Note, "gzip") {
		t.Errorf("lazy by %q: %s", set.Lazy.By, set.Lazy.Note)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	f.Add([]byte(good))
	for _, name := range []string{"u2_gzip_big.nrrd", "f4_bzip2_little.nrrd", "i8_ascii_little.nrrd", "u2_hex_little.nrrd", "oblique.nrrd", "odd.nrrd", "4d_time.nrrd", "gz_tail.nrrd", "list.nhdr"} {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { loadertest.Hostile(t, registry, "f.nrrd", p) })
}

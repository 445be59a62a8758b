package metaimage_test

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

func TestFilesOfVTKHaveItsVoxels(t *testing.T) { loadertest.Golden(t, registry, "testdata") }

func TestEveryLawOfTheDoor(t *testing.T) {
	for _, name := range []string{"u2.mha", "msb.mha", "vector.mha", "text.mha", "4d.mha"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: "testdata/" + name})
		})
	}
}

const good = "ObjectType = Image\nNDims = 2\nDimSize = 3 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n123456"

func open(t *testing.T, content string, o loaders.Options) (lazy.Dataset, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bad.mha")
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return registry.Open(context.Background(), path, o)
}

func TestTheUsersAxesWin(t *testing.T) {
	set, err := open(t, good, loaders.Options{Axes: "tx"})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if s := set.Images[0].Levels[0].Array.Meta().Shape; s != (lazy.Shape{2, 1, 1, 1, 3}) || set.Images[0].Assumed != "" {
		t.Errorf("%v, assumed %q", s, set.Images[0].Assumed)
	}
}

func TestAFourthDimensionIsAssumedToBeTime(t *testing.T) {
	set, err := registry.Open(context.Background(), "testdata/4d.mha", loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if set.Images[0].Assumed != "t" {
		t.Errorf("assumed %q", set.Images[0].Assumed)
	}
}

func TestWhatCannotBeIsRefusedWithItsReason(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	add := func(line string) string { return change("ElementDataFile", line+"\nElementDataFile") }
	for _, c := range []struct{ name, file, want string }{
		{"a mesh", change("Image", "Mesh"), "ObjectType = Mesh"},
		{"no type", change("ElementType = MET_UCHAR\n", ""), "ElementType"},
		{"a type that is none", change("MET_UCHAR", "MET_STRING"), "MET_STRING"},
		{"no DimSize", change("DimSize = 3 2\n", ""), "DimSize has 0 lengths"},
		{"a length too few", change("3 2", "3"), "DimSize has 1 lengths, NDims is 2"},
		{"a length of 0", change("3 2", "0 2"), "no voxels"},
		{"a negative length", change("3 2", "-3 2"), "below 0"},
		{"half a length", change("3 2", "1.5 2"), "is not lengths"},
		{"a length that is no number", change("3 2", "nan 2"), ""},
		{"lengths beyond 64 bits", change("3 2", "1e18 1e18"), "more voxels than any storage"},
		{"more voxels than bytes", change("3 2", "3 3"), "9 bytes of voxels from byte"},
		{"six dimensions", change("NDims = 2\nDimSize = 3 2", "NDims = 6\nDimSize = 1 1 1 1 3 2"), "6 dimensions"},
		{"a line that is none", add("rubbish"), "is not Key = Value"},
		{"no end", strings.Split(good, "ElementDataFile")[0], "no line ElementDataFile"},
		{"a spacing that is no number", add("ElementSpacing = a b"), "holds no numbers"},
		{"a skip that is none", add("HeaderSize = x"), "holds no numbers"},
		{"a negative skip", add("HeaderSize = -2"), "HeaderSize = -2"},
		{"a skip beyond the end", add("HeaderSize = 1000000"), "bytes of voxels"},
		{"voxels at the end of too little", strings.Replace(add("HeaderSize = -1"), "3 2", "300 2", 1), "600 bytes of voxels"},
		{"no channels", add("ElementNumberOfChannels = 0"), "no voxels"},
		{"half a channel", add("ElementNumberOfChannels = 1.5"), "not one whole number"},
		{"compressed, but it is not", add("CompressedData = True"), "no zlib stream"},
		{"compressed text", strings.Replace(add("CompressedData = True"), "NDims", "BinaryData = False\nNDims", 1), "text that are compressed"},
		{"more text than there is", strings.Replace(add("BinaryData = False"), "3 2", "300 2", 1), "are no 600 numbers"},
		{"a device", change("LOCAL", "/dev/zero"), "/dev/zero"},
		{"a path that leaves the folder", change("LOCAL", "../a.raw"), "../a.raw"},
		{"a file that is not there", change("LOCAL", "none.raw"), "none.raw"},
		{"no file at all", change("LOCAL", ""), "names the file"},
		{"a list too short", change("LOCAL", "LIST"), "1 files of 3 voxels each are named, 2 are needed"},
		{"a pattern of many files", change("LOCAL", "s%d.raw 1 1000000000 1"), "more than"},
		{"a pattern with words", change("LOCAL", "s%d.raw one 2 1"), `"one" for a number`},
		{"a pattern of C's darker corners", change("LOCAL", "s%n.raw 1 2 1"), "holds more than"},
	} {
		_, err := open(t, c.file, loaders.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "bad.mha") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestBR024ANamedDeviceOrAFileElsewhereIsNotOpened(t *testing.T) {
	for _, name := range []string{"/dev/zero", "../x", "sub/../../x", "LIST\n/dev/zero\n/dev/zero", "../s%d.raw 1 2 1"} {
		if _, err := open(t, strings.Replace(good, "LOCAL", name, 1), loaders.Options{}); !errors.Is(err, store.ErrOutside) && !strings.Contains(name, "LIST") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := open(t, strings.Replace(good, "LOCAL\n123456", "LIST\n/dev/zero\n/dev/zero\n", 1), loaders.Options{}); !errors.Is(err, store.ErrOutside) {
		t.Errorf("a list: %v", err)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	f.Add([]byte(good))
	for _, name := range []string{"u2.mha", "vector.mha", "text.mha", "oblique.mha", "odd.mha", "pattern.mhd", "list_2d.mhd"} {
		p, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) { loadertest.Hostile(t, registry, "f.mha", p) })
}

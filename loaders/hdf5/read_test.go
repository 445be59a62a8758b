package hdf5_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/hdf5"
	"lamella/loaders/loadertest"
)

var registry = loaders.Registry{hdf5.Driver{}}

func open(t *testing.T, name string) lazy.Dataset {
	t.Helper()
	set, err := registry.Open(context.Background(), name, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// A summary is what the HDF5 library read of a dataset (see testdata/make.py).
type summary struct {
	Type   string
	Shape  []int
	SHA256 string
}

// TestLibraryFiles holds every dataset of the files that the HDF5 library wrote against what it read.
func TestLibraryFiles(t *testing.T) {
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]*summary
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	for name, datasets := range files {
		t.Run(name, func(t *testing.T) {
			set := open(t, filepath.Join("testdata", name))
			found := map[string]lazy.Image{}
			for _, image := range set.Images {
				found[image.Path] = image
			}
			for path, want := range datasets {
				image, ok := found[path]
				switch {
				case want == nil && ok:
					t.Errorf("%s opens, but has to be refused", path)
				case want == nil:
				case !ok:
					t.Errorf("%s is missing; %v", path, set.Warnings)
				default:
					compare(t, path, image.Levels[0].Array, want)
				}
				delete(found, path)
			}
			for path := range found {
				t.Errorf("%s is no dataset of numbers", path)
			}
		})
	}
}

func compare(t *testing.T, path string, a lazy.Array, want *summary) {
	t.Helper()
	m := a.Meta()
	n := 1
	for _, l := range want.Shape {
		n *= l
	}
	if m.DType.String() != want.Type || m.Shape.Voxels() != n {
		t.Errorf("%s: %v of shape %v, want %s of %v", path, m.DType, m.Shape, want.Type, want.Shape)
		return
	}
	b, err := loadertest.Read(context.Background(), a, m.Shape.Whole())
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	p := b.Bytes()
	if strings.HasPrefix(path, "axes/") {
		p = stored(b, path)
	}
	if sum := sha256.Sum256(p); hex.EncodeToString(sum[:]) != want.SHA256 {
		t.Errorf("%s: other values", path)
	}
}

// stored brings voxels of one byte back to the order of the file, where that names its axes.
func stored(b *lazy.Block, path string) []byte {
	order := map[string]loaders.Axes{
		"axes/axistags": {lazy.T, lazy.C, lazy.Z, lazy.Y, lazy.X},
		"axes/labels":   {lazy.T, lazy.Y, lazy.X},
		"axes/colour":   {lazy.Y, lazy.X, lazy.C},
	}[path]
	p := make([]byte, b.Len())
	loaders.Strided{Stride: order.Strides(b.Region.Shape())}.Save(p, b, b.Region)
	return p
}

func TestSharedFiles(t *testing.T) { loadertest.Manifest(t, registry, "hdf5", nil) }

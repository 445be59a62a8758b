package hdf5_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

// rule is what testdata/layouts.py puts at a voxel.
func rule(t, c, z, y, x, level, top int) float64 {
	return float64((1000*t + 300*c + 40*z + 5*y + x + 7000*level + top) % 65536)
}

// whole reads an array and holds every voxel against want.
func whole(t *testing.T, a lazy.Array, want func(i lazy.Index) float64) {
	t.Helper()
	b, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole())
	if err != nil {
		t.Fatal(err)
	}
	for voxel := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if got := b.Value(voxel.Min); got != want(voxel.Min) {
			t.Fatalf("at %v: %v, want %v", voxel.Min, got, want(voxel.Min))
		}
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestBigDataViewerHasAnImageForEachSetup(t *testing.T) {
	for _, name := range []string{"bdv.xml", "bdv.h5"} { // the XML lies beside the HDF5 file
		t.Run(name, func(t *testing.T) {
			set := open(t, filepath.Join("testdata", name))
			if len(set.Images) != 2 || set.Format != "bdv" || set.Images[0].Name != "left" || set.Images[1].Name != "right" {
				t.Fatalf("%s: %+v", set.Format, set.Images)
			}
			for n, image := range set.Images {
				setup := 3 * n
				if len(image.Levels) != 2 || image.Levels[1].Path != map[int]string{0: "t00000/s00/1/cells", 3: "t00000/s03/1/cells"}[setup] {
					t.Fatalf("levels %+v", image.Levels)
				}
				for l, level := range image.Levels {
					m := level.Array.Meta()
					want := []lazy.Shape{{3, 4, 1, 12, 18}, {3, 4, 1, 6, 9}}[l]
					if m.Shape != want || m.DType != lazy.U16 {
						t.Errorf("%v of %v", m.DType, m.Shape)
					}
					by := float64(l + 1)
					near(t, "x", m.Scale[lazy.X], 0.2*by)
					near(t, "y", m.Scale[lazy.Y], 0.25*by)
					near(t, "z", m.Scale[lazy.Z], 1)
					near(t, "place in x", m.Origin[lazy.X], 0.1*float64(setup)+0.1*float64(l))
					near(t, "place in y", m.Origin[lazy.Y], 0.05+0.125*float64(l))
					near(t, "place in z", m.Origin[lazy.Z], 0)
					whole(t, level.Array, func(i lazy.Index) float64 {
						if setup == 3 && i[lazy.T] == 1 {
							return 0 // the XML says that this view was never taken
						}
						return rule(i[lazy.T], setup, i[lazy.Z], i[lazy.Y], i[lazy.X], l, 40000)
					})
				}
				c := image.Channels[0]
				if c.Name != []string{"dye 0", "dye 3"}[n] || c.Color != []string{"#ff0000", "#ff0300"}[n] || c.Limits == nil || *c.Limits != [2]float64{10, 900} {
					t.Errorf("channel %+v", c)
				}
			}
			if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "1 views were never taken") {
				t.Errorf("warnings %q", set.Warnings)
			}
		})
	}
}

func TestBigDataViewerFollowsLinksToItsParts(t *testing.T) {
	set := open(t, "testdata/bdv_parts.xml")
	a := set.Images[0].Levels[0].Array
	if a.Meta().Shape[lazy.T] != 2 { // timepoints 0 and 2, by a pattern
		t.Fatalf("shape %v", a.Meta().Shape)
	}
	whole(t, a, func(i lazy.Index) float64 { return rule(2*i[lazy.T], 0, i[lazy.Z], i[lazy.Y], i[lazy.X], 0, 40000) })
}

func TestBigDataViewerWithoutItsXMLKnowsNoVoxelSize(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, "testdata/bdv.h5", filepath.Join(dir, "alone.h5"))
	set := open(t, filepath.Join(dir, "alone.h5"))
	if m := set.Images[1].Levels[1].Array.Meta(); m.Scale != [lazy.Rank]float64{} || set.Images[1].Name != "setup 3" {
		t.Errorf("scale %v, name %q", m.Scale, set.Images[1].Name)
	}
	if len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "voxel size") {
		t.Errorf("warnings %q", set.Warnings)
	}
	// A view that is neither there nor listed as missing is an error and no zeros.
	a := set.Images[1].Levels[0].Array
	if _, err := loadertest.Read(context.Background(), a, a.Meta().Shape.Whole()); err == nil || !strings.Contains(err.Error(), "t00001/s03/0/cells") {
		t.Errorf("reading a view that is not there: %v", err)
	}
}

func TestBigDataViewerXMLThatCannotBeFollowedIsRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/bdv.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"a path out of the folder", ">bdv.h5<", ">../bdv.h5<", "leads out"},
		{"a base path out of the folder", `relative">.<`, `relative">..<`, "leads out"},
		{"no file of that name", ">bdv.h5<", ">gone.h5<", "gone.h5"},
		{"a link to itself", ">bdv.h5<", ">case.xml<", "no HDF5 file"},
		{"another kind of voxels", `format="bdv.hdf5"`, `format="bdv.n5"`, "bdv.n5"},
		{"more timepoints than can be", "<last>2<", "<last>2000000000<", "timepoints"},
		{"timepoints that run backwards", "<first>0<", "<first>9<", "timepoints"},
		{"an end that never comes", "</SpimData>", "", "XML"},
		{"no setup of that number", "<ViewSetup><id>0</id>", "<ViewSetup><id>7</id>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			copyFile(t, "testdata/bdv.h5", filepath.Join(dir, "bdv.h5"))
			path := filepath.Join(dir, "case.xml")
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), c.from, c.to)), 0o666); err != nil {
				t.Fatal(err)
			}
			set, err := registry.Open(context.Background(), path, loaders.Options{})
			switch {
			case err == nil && c.want == "":
				if len(set.Images) != 1 || !strings.Contains(strings.Join(set.Warnings, " "), "Setup 7 was left out") {
					t.Errorf("%d images, %q", len(set.Images), set.Warnings)
				}
				set.Close()
			case err == nil:
				t.Error("opens")
			case !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n"):
				t.Errorf("refused with %q", err)
			}
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	p, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, p, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestImarisIsCutToTheImage(t *testing.T) {
	set := open(t, "testdata/imaris.ims")
	if len(set.Images) != 1 || set.Format != "imaris" || set.Images[0].Name != "an embryo" || len(set.Images[0].Levels) != 2 {
		t.Fatalf("%s: %+v", set.Format, set.Images)
	}
	image := set.Images[0]
	for l, level := range image.Levels {
		m := level.Array.Meta()
		if want := []lazy.Shape{{2, 5, 3, 11, 18}, {2, 5, 3, 5, 9}}[l]; m.Shape != want {
			t.Errorf("shape %v, want %v", m.Shape, want)
		}
		near(t, "x", m.Scale[lazy.X], []float64{0.2, 0.4}[l])
		near(t, "y", m.Scale[lazy.Y], []float64{0.2, 0.44}[l])
		near(t, "z", m.Scale[lazy.Z], 1)
		near(t, "t", m.Scale[lazy.T], 2.5)
		near(t, "place in x", m.Origin[lazy.X], -1+0.1*float64(l+1))
		whole(t, level.Array, func(i lazy.Index) float64 { return rule(i[lazy.T], i[lazy.C], i[lazy.Z], i[lazy.Y], i[lazy.X], l, 0) })
	}
	for n, want := range []string{"#ff8000", "#00ff00", ""} {
		c := image.Channels[n]
		if c.Color != want || c.Name != []string{"dye 0", "dye 1", "dye 2"}[n] || c.Limits == nil || *c.Limits != [2]float64{10, 900} {
			t.Errorf("channel %d: %+v", n, c)
		}
	}
}

func TestAxesComeFromWhatTheFileSays(t *testing.T) {
	set := open(t, "testdata/new.h5")
	for _, c := range []struct {
		path    string
		shape   lazy.Shape
		z, y, x float64
		rgb     bool
	}{
		{"axes/axistags", lazy.Shape{2, 4, 3, 5, 6}, 3, 2, 1.5, false},
		{"axes/labels", lazy.Shape{3, 1, 1, 4, 5}, 0.5, 0.25, 0.25, false},
		{"axes/colour", lazy.Shape{1, 1, 3, 8, 9}, 0, 0, 0, true},
	} {
		for _, image := range set.Images {
			if image.Path != c.path {
				continue
			}
			m := image.Levels[0].Array.Meta()
			if m.Shape != c.shape || image.Assumed != "" || image.RGB != c.rgb {
				t.Errorf("%s: %v, assumed %q, colour %v", c.path, m.Shape, image.Assumed, image.RGB)
			}
			near(t, c.path+" z", m.Scale[lazy.Z], c.z)
			near(t, c.path+" y", m.Scale[lazy.Y], c.y)
			near(t, c.path+" x", m.Scale[lazy.X], c.x)
		}
	}
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"offsets4.h5", "offsets4_latest.h5", "userblock4096.h5", "superblock1.h5", "superblock2.h5", "imaris.ims", "bdv.h5"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: registry, Path: filepath.Join("testdata", name)})
		})
	}
}

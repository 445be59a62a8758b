package tiff_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
	"lamella/loaders/tiff"
)

// pattern is what every pixel of the files in testdata holds, see make.sh there.
func pattern(z, c, y, x int) float64 { return float64(100*z + 1000*c + 10*y + x) }

func TestFilesOfOtherProgramsHaveTheRightVoxels(t *testing.T) {
	for name, shape := range map[string]lazy.Shape{
		"plain.tif": {1, 5, 1, 6, 7}, "big.tif": {1, 5, 1, 6, 7}, "float.tif": {1, 5, 1, 6, 7}, "rows.tif": {1, 5, 1, 6, 7},
		"imagej.tif": {1, 5, 1, 6, 7}, "lzw2.tif": {1, 5, 1, 6, 7}, "zip2.tif": {1, 5, 1, 6, 7}, "zstd_tiled.tif": {1, 5, 1, 6, 7},
		"zip2_tiled_be.tif": {1, 5, 1, 6, 7}, "packbits_lsb.tif": {1, 5, 1, 6, 7}, "lzma2.tif": {1, 5, 1, 6, 7},
		"zip3.tif": {1, 5, 1, 6, 7},
		"rgb.tif":  {1, 1, 3, 6, 7}, "rgb_planar.tif": {1, 1, 3, 6, 7}, "rgb_tiled.tif": {1, 1, 3, 6, 7},
	} {
		set := open(t, filepath.Join("testdata", name))
		a := set.Images[0].Levels[0].Array
		if a.Meta().Shape != shape || len(set.Images) != 1 || len(set.Warnings) > 0 {
			t.Errorf("%s: %d images of %v, warnings %q", name, len(set.Images), a.Meta().Shape, set.Warnings)
			continue
		}
		b, err := loadertest.Read(ctx, a, shape.Whole())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for z := range shape[lazy.Z] {
			for c := range shape[lazy.C] {
				for y := range 6 {
					for x := range 7 {
						if got := b.Value(lazy.Index{0, z, c, y, x}); got != pattern(z, c, y, x) {
							t.Fatalf("%s: z %d c %d y %d x %d is %v", name, z, c, y, x, got)
						}
					}
				}
			}
		}
		if set.Images[0].RGB != strings.HasPrefix(name, "rgb") {
			t.Errorf("%s: RGB is %v", name, set.Images[0].RGB)
		}
	}
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"plain.tif", "rows.tif", "zip2.tif", "zstd_tiled.tif", "rgb.tif", "rgb_planar.tif", "rgb_tiled.tif", "pyramid.tif", "imagej.tif", "big.tif"} {
		t.Run(name, func(t *testing.T) {
			loadertest.Run(t, loadertest.Case{Registry: formats, Path: filepath.Join("testdata", name)})
		})
	}
	t.Run("OME-TIFF", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.ome.tif")
		b := random(lazy.Shape{2, 2, 2, 70, 40}, lazy.U16)
		save(t, tiff.CreateOME, path, describe(b), b)
		loadertest.Run(t, loadertest.Case{Registry: formats, Path: path})
	})
}

func TestBR004LevelsOfAPyramidHaveTheirCentresInPlace(t *testing.T) {
	set := open(t, filepath.Join("testdata", "pyramid.tif"))
	if len(set.Images) != 1 || len(set.Images[0].Levels) != 3 {
		t.Fatalf("%d images, %d levels", len(set.Images), len(set.Images[0].Levels))
	}
	for n, l := range set.Images[0].Levels {
		m := l.Array.Meta()
		if want := (lazy.Shape{1, 1, 1, 64 >> n, 48 >> n}); m.Shape != want {
			t.Errorf("level %d is %v", n, m.Shape)
		}
		if got := value(t, l.Array, lazy.Index{0, 0, 0, 3, 2}); got != float64(int(32)<<n) {
			t.Errorf("level %d: %v", n, got)
		}
	}
	// Where the file states a size, level n has voxels 2^n as large, and its first one lies half of the difference further in.
	path := filepath.Join(t.TempDir(), "a.ome.tif")
	b := random(lazy.Shape{1, 1, 1, 1200, 1600}, lazy.U8)
	d := describe(b)
	d.Meta.Origin = [lazy.Rank]float64{lazy.Y: 7, lazy.X: -3}
	save(t, tiff.CreateOME, path, d, b)
	levels := open(t, path).Images[0].Levels
	if len(levels) < 2 {
		t.Fatalf("%d levels", len(levels))
	}
	for n, l := range levels {
		m := l.Array.Meta()
		for a, first := range map[lazy.Axis]float64{lazy.Y: 7, lazy.X: -3} {
			size := 0.1 * float64(int(1)<<n)
			if math.Abs(m.Scale[a]-size) > 1e-9 || math.Abs(m.Origin[a]-(first+(size-0.1)/2)) > 1e-9 {
				t.Errorf("level %d: voxels of %v from %v along %v, want %v from %v", n, m.Scale[a], m.Origin[a], a, size, first+(size-0.1)/2)
			}
		}
	}
}

func value(t *testing.T, a lazy.Array, i lazy.Index) float64 {
	t.Helper()
	b, err := loadertest.Read(ctx, a, lazy.At(i, lazy.Shape{1, 1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	return b.Value(i)
}

func TestTheUserNamesTheAxesOfPages(t *testing.T) {
	for order, want := range map[string]lazy.Shape{
		"zyx": {1, 5, 1, 6, 7}, "tyx": {5, 1, 1, 6, 7}, "cyx": {1, 1, 5, 6, 7}, "TYX": {5, 1, 1, 6, 7},
	} {
		set, err := formats.Open(ctx, filepath.Join("testdata", "plain.tif"), loaders.Options{Axes: order})
		if err != nil {
			t.Fatal(err)
		}
		if a := set.Images[0].Levels[0].Array; a.Meta().Shape != want || set.Images[0].Assumed != "" {
			t.Errorf("%s: %v, assumed %q", order, a.Meta().Shape, set.Images[0].Assumed)
		}
		set.Close()
	}
	for _, order := range []string{"tzyx", "qyx", "tzcyx", "yx"} {
		if _, err := formats.Open(ctx, filepath.Join("testdata", "plain.tif"), loaders.Options{Axes: order}); err == nil {
			t.Errorf("%s: five pages were given these axes", order)
		}
	}
}

// vipsLevels is a case whose truth for level 1 is a copy of that for level 0 (its "reader_shape" is right),
// so that it cannot be passed by showing what the file holds.
const vipsLevels = "vips_pyr-subifd-zstd.tif"

type except struct{ tiff.Driver }

func (e except) Open(ctx2 context.Context, in loaders.Input) (lazy.Dataset, error) {
	set, err := e.Driver.Open(ctx2, in)
	if err == nil && strings.HasSuffix(in.Path, vipsLevels) {
		set.Images[0].Levels = set.Images[0].Levels[:1]
	}
	return set, err
}

func TestManifest(t *testing.T) {
	loadertest.Manifest(t, loaders.Registry{except{}}, "tiff", map[string]string{
		"w-vips-pyr-subifd-zstd": "the manifest gives level 1 the size of level 0",
	})
}

func TestFaxOfOtherProgramsHasTheRightPixels(t *testing.T) {
	for _, name := range []string{"bits.tif", "fax_g3.tif", "fax_g3_fill.tif", "fax_g3_2d.tif", "fax_g4_lsb.tif"} {
		a := open(t, filepath.Join("testdata", name)).Images[0].Levels[0].Array
		b, err := loadertest.Read(ctx, a, lazy.Shape{1, 1, 1, 23, 77}.Whole())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for y := range 23 {
			for x := range 77 {
				if black := (x*x+3*y+x*y)%7 < 3; (b.Value(lazy.Index{0, 0, 0, y, x}) == 1) != black {
					t.Fatalf("%s: pixel %d, %d is black: %v", name, y, x, !black)
				}
			}
		}
	}
}

package formats

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// filled writes 4 x 4 voxels of one value under a name, over what is there. A name without an ending is a folder of one
// picture, or of two planes.
func filled(t *testing.T, path string, value uint8) {
	t.Helper()
	switch filepath.Base(path) {
	case "pictures":
		for _, name := range []string{"z1.png", "z2.png"} {
			picture := image.NewGray(image.Rect(0, 0, 4, 4))
			for i := range picture.Pix {
				picture.SetGray(i%4, i/4, color.Gray{Y: value})
			}
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(filepath.Join(path, name))
			if err == nil {
				err = png.Encode(f, picture)
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return
	case "planes":
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		filled(t, filepath.Join(path, "z1.tif"), value)
		filled(t, filepath.Join(path, "z2.tif"), value)
		return
	}
	whole := lazy.Shape{1, 1, 1, 4, 4}
	w, err := Create(context.Background(), path, loaders.Description{Meta: lazy.Meta{Shape: whole, Chunk: whole, DType: lazy.U8}, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(context.Background(), lazy.BlockOf(whole.Whole(), []uint8(strings.Repeat(string(rune(value)), 16)))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// meanOf opens a source, asks an engine for all of it through a chain, and closes it.
func meanOf(t *testing.T, e *engine.Engine, path, chain string) float64 {
	t.Helper()
	set, err := Open(context.Background(), path, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	c, err := filters.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Apply(set.Images[0].Levels[0].Array)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for v := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		sum += b.Value(v.Min)
	}
	return sum / float64(b.Region.Shape().Voxels())
}

// One engine, as in a window, keeps what it has read: files of one name in two folders are two, and what was replaced
// on disk between two openings is read anew though its name, shape and size are the same.
func TestBR010OneEngineTellsFilesOfOneNameApartAndSeesWhatWasReplaced(t *testing.T) {
	for _, name := range []string{"a.npy", "a.tif", "a.ome.tif", "a.zarr", "a.ome.zarr", "pictures", "planes"} {
		for _, chain := range []string{"cast dtype=float32", "mean"} {
			dir := t.TempDir()
			e := engine.New(engine.Options{Workers: 2})
			defer e.Close()
			var paths []string
			for i := range 2 {
				folder := filepath.Join(dir, fmt.Sprint(i))
				if err := os.Mkdir(folder, 0o777); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, filepath.Join(folder, name))
				filled(t, paths[i], uint8(i))
			}
			for _, i := range []int{0, 1, 1, 0} {
				if got := meanOf(t, e, paths[i], chain); got != float64(i) {
					t.Errorf("%s, %s: file %d reads %v", name, chain, i, got)
				}
			}
			filled(t, paths[0], 3)
			if got := meanOf(t, e, paths[0], chain); got != 3 {
				t.Errorf("%s, %s: what was replaced by 3 reads %v", name, chain, got)
			}
		}
	}
}

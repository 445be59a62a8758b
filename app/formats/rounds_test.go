package formats

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/loadertest"
)

// made writes a small file of each kind that the program writes, and a folder of pictures.
func made(t *testing.T, dir string) (paths []string) {
	for _, name := range []string{"a.npy", "a.tif", "a.ome.tif", "a.ome.zarr"} {
		path := filepath.Join(dir, name)
		m := lazy.Meta{Shape: lazy.Shape{1, 3, 2, 40, 50}, Chunk: lazy.Shape{1, 1, 1, 40, 50}, DType: lazy.U16}
		w, err := Create(context.Background(), path, loaders.Description{Meta: m})
		if err != nil {
			t.Fatal(err)
		}
		for cell := range m.Shape.Whole().Tiles(w.Grid()) {
			if err := w.Write(context.Background(), lazy.NewBlock(cell.Intersect(m.Shape.Whole()), m.DType)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	folder := filepath.Join(dir, "pictures")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for z := range 5 {
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("z%d.png", z)))
		if err == nil {
			err = png.Encode(f, image.NewGray(image.Rect(0, 0, 8, 6)))
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return append(paths, folder, filepath.Join(folder, "z0.png"), filepath.Join(folder, "z*.png"))
}

// A holding is what a process has at one time.
type holding struct {
	files, goroutines int
	heap              uint64
}

// held looks when all that is on its way out has gone: connections end a moment after they are closed.
func held(t *testing.T, atMost int) holding {
	var h holding
	for range 200 {
		runtime.GC()
		if h.goroutines = runtime.NumGoroutine(); h.goroutines <= atMost {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.heap = m.HeapAlloc
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil { // elsewhere none are counted
		h.files = len(entries)
	}
	return h
}

func TestBR018AHundredRoundsOfOpeningLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	paths := made(t, dir)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	t.Setenv("LAMELLA_CACHE", "off")
	paths = append(paths, server.URL+"/a.ome.zarr", server.URL+"/a.tif")
	for _, name := range []string{
		"hdf5/testdata/old.h5", "hdf5/testdata/bdv.xml", "hdf5/testdata/bdv_parts.xml", "hdf5/testdata/imaris.ims", "dicom/testdata/sorted",
		"dicom/testdata/deflated.dcm", "dicom/testdata/rle.dcm", "nifti/testdata/i2_le_n1.nii", "nifti/testdata/4d_ms.nii.gz", "nifti/testdata/pair.hdr",
		"nrrd/testdata/f4_gzip_little.nrrd", "nrrd/testdata/datafile.nhdr", "metaimage/testdata/packed.mhd", "metaimage/testdata/list.mhd",
		"mrc/testdata/i2.mrc", "mrc/testdata/packed.mrc.gz", "mgh/testdata/frames.mgh", "mgh/testdata/u1.mgz", "n5/testdata/bdv.xml", "n5/testdata/codecs.n5",
	} {
		paths = append(paths, filepath.Join("../../loaders", filepath.FromSlash(name)))
	}
	paths = append(paths, "sample:cells", filepath.Join(dir, "none.tif"))
	for _, path := range paths {
		name := path
		if filepath.IsAbs(path) {
			name = filepath.Base(path)
		}
		t.Run(name, func(t *testing.T) {
			rounds := func(n int) {
				for range n {
					round(t, path)
				}
			}
			rounds(20) // pools fill, libraries make their tables
			before := held(t, runtime.NumGoroutine())
			rounds(100)
			after := held(t, before.goroutines)
			if after.files > before.files || after.goroutines > before.goroutines {
				t.Errorf("100 rounds leave %d files and %d goroutines", after.files-before.files, after.goroutines-before.goroutines)
			}
			if grown := int64(after.heap) - int64(before.heap); grown > 512<<10 {
				t.Errorf("100 rounds leave %d bytes", grown)
			}
		})
	}
}

// round opens a source, reads a little of each image, and closes it. What cannot be opened leaves nothing either.
func round(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	set, err := Open(ctx, path, loaders.Options{})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		t.Fatal(err)
	}
	for _, image := range set.Images {
		a := image.Levels[len(image.Levels)-1].Array
		one := lazy.Cell(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1})
		if _, err := loadertest.Read(ctx, a, one); err != nil {
			t.Fatal(err)
		}
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
}

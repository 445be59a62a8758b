package zarr_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"lamella/lazy"
	"lamella/loaders/zarr"
)

// Memory that the system hands out for the first time costs more than what is computed into it, so that a chunk is packed,
// and reduced to a part of a coarser level, where those before it were.
func TestChunksAreWrittenFromMemoryOfThoseBefore(t *testing.T) {
	for _, d := range []lazy.DType{lazy.U16, lazy.F32} {
		image := description(lazy.NewBlock(lazy.Shape{1, 1, 1, 1, 1}.Whole(), d))
		image.Meta.Shape = lazy.Shape{1, 256, 1, 512, 512}
		w, err := zarr.Driver{}.Create(filepath.Join(t.TempDir(), "a.zarr"), image)
		if err != nil {
			t.Fatal(err)
		}
		var chunk *lazy.Block
		var first uint64
		taken := func() uint64 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.TotalAlloc
		}
		n, half := 0, image.Meta.Shape.Whole().Cells(w.Grid())/2
		for cell := range image.Meta.Shape.Whole().Tiles(w.Grid()) {
			if chunk == nil {
				chunk = ramp(cell.Shape(), d)
			}
			if n++; n == half {
				first = taken()
			}
			chunk.Region = cell
			if err := w.Write(ctx, chunk); err != nil {
				t.Fatal(err)
			}
		}
		if each := (taken() - first) / uint64(n-half); each > uint64(len(chunk.Bytes()))/8 {
			t.Errorf("%v: %d kB of new memory for a chunk of %d kB", d, each>>10, len(chunk.Bytes())>>10)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

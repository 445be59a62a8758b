package cli

import (
	"context"
	"math"
	"testing"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/loaders"
)

// voxelSized are the endings of the formats that hold the size of a voxel.
var voxelSized = []string{".tif", ".ome.tif", ".ome.zarr"}

func notANumber() float64 { return math.NaN() }

// sized writes a volume with a voxel size: 5 x 10 x 10 real numbers, each its own number.
func sized(t *testing.T, path string) {
	t.Helper()
	m := lazy.Meta{
		Shape: lazy.Shape{1, 5, 1, 10, 10}, Chunk: lazy.Shape{1, 1, 1, 10, 10}, DType: lazy.F32,
		Scale: [lazy.Rank]float64{lazy.Z: 0.3, lazy.Y: 0.1, lazy.X: 0.1},
		Unit:  [lazy.Rank]string{lazy.Z: "um", lazy.Y: "um", lazy.X: "um"},
	}
	w, err := formats.Create(context.Background(), path, loaders.Description{Meta: m})
	if err != nil {
		t.Fatal(err)
	}
	all := lazy.BlockOf(m.Shape.Whole(), count(500))
	for cell := range m.Shape.Whole().Tiles(w.Grid()) {
		b := lazy.NewBlock(cell.Intersect(all.Region), lazy.F32)
		lazy.CopyRegion(b, all, b.Region)
		if err := w.Write(context.Background(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

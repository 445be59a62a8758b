package cli

import (
	"context"
	"testing"

	"lamella/app/formats"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// Of 80 GB one row and one column are made, and the sum is that of the voxels themselves.
func TestTheCrossOfAHugeSquareIsTwoLines(t *testing.T) {
	set, err := formats.Open(context.Background(), crossSource, loaders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	source := set.Images[0].Levels[0].Array.Node().Source
	sum, err := crossOf(lazy.FromSource(anyRegion{source}))
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Workers: 2, Memory: 16 << 20})
	defer e.Close()
	line, stats, err := e.Get(context.Background(), sum, sum.Meta().Shape.Whole(), engine.Priority{})
	if err != nil || stats.ChunksPlanned != 200 || stats.ChunksTotal != 10000 {
		t.Fatalf("%+v, %v", stats, err)
	}
	voxel := func(y, x int) float64 {
		b := lazy.NewBlock(lazy.At(lazy.Index{lazy.Y: y, lazy.X: x}, lazy.Shape{1, 1, 1, 1, 1}), lazy.F64)
		if _, err := source.Read(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		return b.Value(b.Region.Min)
	}
	for _, i := range []int{0, 999, 5000, 77777, 99999} {
		if got, want := line.Value(lazy.Index{lazy.X: i}), float64(float32(voxel(5000, i)+voxel(i, 5000))); got != want {
			t.Errorf("at %d the sum is %v, want %v", i, got, want)
		}
	}
}

package filters_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A square of 100,000 x 100,000 random numbers is 80 GB in 10,000 chunks. The sum of one row and one column,
// x[5000,:] + x[:,5000]ᵀ, asks for 100 pieces of each, and of each piece for one line.
func Example_oneRowAndOneColumn() {
	square, chunk := lazy.Shape{1, 1, 1, 100000, 100000}, lazy.Shape{1, 1, 1, 1000, 1000}
	random := lazytest.Exact{Source: lazytest.New(lazytest.Meta(lazy.F64, square, chunk), noiseAt)}
	x := lazy.FromSource(random)

	row, _ := lazy.Take(x, lazy.Y, 5000)
	column, _ := lazy.Take(x, lazy.X, 5000)
	sum, err := stencil.Map("x + y", row, lazy.SwapAxes(column, lazy.Y, lazy.X))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("shape:", sum.Meta().Shape)

	e := engine.New(engine.Options{})
	defer e.Close()
	line, stats, err := e.Get(context.Background(), sum, sum.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("chunk regions planned:", stats.ChunksPlanned, "of", stats.ChunksTotal)
	fmt.Println("voxels produced:", random.Voxels.Load(), "of", square.Voxels())
	at := lazy.Index{lazy.X: 1234}
	fmt.Println("right:", line.Value(at) == noiseAt(lazy.Index{lazy.Y: 5000, lazy.X: 1234})+noiseAt(lazy.Index{lazy.Y: 1234, lazy.X: 5000}))
	// Output:
	// shape: 1x1x1x1x100000
	// chunk regions planned: 200 of 10000
	// voxels produced: 200000 of 10000000000
	// right: true
}

// noiseAt is a number in [0, 1) made of a voxel's index.
func noiseAt(i lazy.Index) float64 {
	h := uint64(i[lazy.Y])*0x9e3779b97f4a7c15 + uint64(i[lazy.X])*0xbf58476d1ce4e5b9
	h ^= h >> 31
	h *= 0x94d049bb133111eb
	return float64(h>>11) / (1 << 53)
}

// The gradient of a volume along z, y and x as three channels, and of them the plane of x and z at y=0. What it
// takes of the volume is y=0 and the plane beside it, in the 16 chunks of 64 that hold them.
func Example_threeSobelComponents() {
	shape, chunk := lazy.Shape{1, 100, 1, 120, 140}, lazy.Shape{1, 25, 1, 30, 35}
	source := lazytest.Exact{Source: lazytest.New(lazytest.Meta(lazy.F32, shape, chunk), noiseAt)}
	volume := lazy.FromSource(source)

	var components []lazy.Array
	for _, text := range []string{"sobel axis=z", "sobel axis=y", "sobel axis=x"} {
		chain, _ := filters.Parse(text)
		c, _ := chain.Apply(volume)
		components = append(components, c)
	}
	gradient, err := lazy.Concat(lazy.C, components...)
	if err != nil {
		fmt.Println(err)
		return
	}
	cut, _ := lazy.Take(gradient, lazy.Y, 0)
	fmt.Println("gradient:", gradient.Meta().Shape, "cut:", cut.Meta().Shape)

	e := engine.New(engine.Options{})
	defer e.Close()
	_, stats, err := e.Get(context.Background(), cut, cut.Meta().Shape.Whole(), engine.Priority{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("chunk regions planned:", stats.ChunksPlanned, "of", stats.ChunksTotal)
	fmt.Println("voxels produced:", source.Voxels.Load(), "of", shape.Voxels())
	fmt.Println("voxels computed:", stats.VoxelsComputed, "of", stats.VoxelsNeeded, "needed")
	// Output:
	// gradient: 1x100x3x120x140 cut: 1x100x3x1x140
	// chunk regions planned: 16 of 64
	// voxels produced: 28000 of 1680000
	// voxels computed: 126000 of 126000 needed
}

// The array that the algebra makes is the one that is computed by hand.
func TestAStackOfComponentsIsEachOfThem(t *testing.T) {
	shape := lazy.Shape{1, 10, 1, 12, 14}
	volume := lazytest.Array(lazytest.Meta(lazy.U16, shape, lazy.Shape{1, 3, 1, 5, 4}), formula(lazy.U16))
	texts := []string{"sobel axis=z", "sobel axis=y", "sobel axis=x"}
	var parts []lazy.Array
	for _, text := range texts {
		parts = append(parts, chained(t, volume, text))
	}
	stack, err := lazy.Concat(lazy.C, parts...)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Workers: 2})
	defer e.Close()
	for _, region := range []lazy.Region{stack.Meta().Shape.Whole(), stack.Meta().Shape.Whole().With(lazy.Y, 0, 1), stack.Meta().Shape.Whole().With(lazy.Z, 4, 5).With(lazy.C, 1, 3)} {
		got, _, err := e.Get(context.Background(), stack, region, engine.Priority{})
		if err != nil {
			t.Fatal(err)
		}
		for c := region.Min[lazy.C]; c < region.Max[lazy.C]; c++ {
			want, _, err := e.Get(context.Background(), parts[c], region.With(lazy.C, 0, 1), engine.Priority{})
			if err != nil {
				t.Fatal(err)
			}
			one := lazy.NewBlock(region.With(lazy.C, c, c+1), lazy.F32)
			lazy.CopyRegion(one, got, one.Region)
			if !slices.Equal(lazy.View[float32](one), lazy.View[float32](want)) {
				t.Errorf("%v: channel %d is not %s", region, c, texts[c])
			}
		}
	}
}

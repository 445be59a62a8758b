package engine_test

import (
	"context"
	"fmt"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// The plane is computed once; the second time it is in the cache.
func Example() {
	shape := lazy.Shape{1, 64, 1, 100, 100}
	stack := lazytest.Array(lazytest.Meta(lazy.U8, shape, lazy.Shape{1, 1, 1, 100, 100}), func(i lazy.Index) float64 { return float64(i[lazy.Z]) })
	above := lazy.Index{lazy.Z: 1}
	sums, err := lazy.Apply(lazytest.BoxSum{Halo: lazy.Halo{Before: above, After: above}}, stack)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{Memory: 64 << 20})
	defer e.Close()
	for range 2 {
		plane, stats, err := e.Get(context.Background(), sums, shape.Whole().With(lazy.Z, 10, 11), engine.Priority{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("value", lazytest.Values(plane)[0], "chunks", stats.ChunksRead, "voxels", stats.VoxelsComputed)
	}
	// Output:
	// value 30 chunks 3 voxels 10000
	// value 30 chunks 0 voxels 0
}

package filters_test

import (
	"context"
	"fmt"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A number that a filter takes from the voxels is found once, and then stands in the chain.
func Example() {
	shape := lazy.Shape{1, 1, 1, 64, 64}
	halves := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(i lazy.Index) float64 { return float64(i[lazy.X] / 32 * 200) })
	chain, err := filters.Parse("median size=3 | threshold method=mean")
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{})
	defer e.Close()
	read := func(a lazy.Array, r lazy.Region) (*lazy.Block, error) {
		b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
		return b, err
	}
	if chain, err = chain.Resolve(halves, read, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chain)
	mask, err := chain.Apply(halves) // nothing is computed
	fmt.Println(mask.Meta().DType, err)
	// Output:
	// median size=3 | threshold method=mean value=100
	// uint8 <nil>
}

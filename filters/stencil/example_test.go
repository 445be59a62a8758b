package stencil_test

import (
	"context"
	"fmt"

	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func Example() {
	laplace := stencil.Build("second difference", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		return b.Linear(stencil.W(1, x, 0, -1), stencil.W(-2, x, 0, 0), stencil.W(1, x, 0, 1))
	})
	shape := lazy.Shape{1, 1, 1, 1, 6}
	squares := lazytest.Array(lazytest.Meta(lazy.U8, shape, shape), func(i lazy.Index) float64 { return float64(i[lazy.X] * i[lazy.X]) })
	curved, err := lazy.Apply(stencil.Op{Kernel: laplace, Out: lazy.F32}, squares)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{})
	defer e.Close()
	row, _, err := e.Get(context.Background(), curved, shape.Whole(), engine.Priority{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lazytest.Values(row))
	// Output: [1 2 2 2 2 -9]
}

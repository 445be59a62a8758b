package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// laplace is the sum over the axes of 1 -2 1, scipy.ndimage.laplace: sums of integers are exact.
var laplace = Spec{
	Name: "laplace", Title: "Laplace",
	Doc:       "The sum of the second differences along z, y and x: dark in the middle of bright spots.",
	Reference: "scipy.ndimage.laplace",
	Params:    []Param{borderParam, dtypeParam},
	build:     buildLaplace,
}

func buildLaplace(a lazy.Array, v values) (lazy.Array, error) {
	axes, edge := live(a.Meta()), v.border()
	out := v.dtype(derivativeType(a.Meta().DType))
	a, err := holding(a, edge)
	if err != nil {
		return lazy.Array{}, err
	}
	kernel := stencil.Build("laplace", func(b *stencil.Builder) stencil.Value {
		if len(axes) == 0 {
			return zero(b)
		}
		var parts []stencil.Ref
		for _, ax := range axes {
			line := along(b, ax, -1, 1)
			second := b.Linear(stencil.Term{Weight: 1, Ref: line[0]}, stencil.Term{Weight: -2, Ref: line[1]}, stencil.Term{Weight: 1, Ref: line[2]})
			parts = append(parts, stencil.At(second))
		}
		return b.Sum(parts...)
	})
	return lazy.Apply(stencil.Op{Kernel: kernel, Edge: edge, Out: out}, a)
}

// zero is the derivative along axes of which there are none.
func zero(b *stencil.Builder) stencil.Value {
	b.Load(0)
	return b.Constant(0, true)
}

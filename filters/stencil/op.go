package stencil

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// An Op applies a kernel to every voxel of one array, or of several of the same shape. It implements
// lazy.Op.
type Op struct {
	Kernel *Kernel
	Edge   lazy.Border
	Out    lazy.DType // type of the result; 0 keeps the input's

	// Limit bounds the magnitude of the input where that is known to be less than its type allows, as
	// after an earlier pass of the same filter; 0 means that it is not.
	Limit float64
}

// Name implements lazy.Op.
func (o Op) Name() string { return o.Kernel.Name() }

// Key implements lazy.Op.
func (o Op) Key() string {
	return fmt.Sprintf("stencil %v %v %g\n%v", o.Edge, o.Out, o.Limit, o.Kernel)
}

// Infer implements lazy.Op: the result has the shape that all inputs have.
func (o Op) Infer(in []lazy.Meta) (lazy.Meta, error) {
	if n := o.Kernel.Inputs(); len(in) != n {
		return lazy.Meta{}, fmt.Errorf("stencil: %s takes %d arrays, not %d", o.Name(), n, len(in))
	}
	m := in[0]
	for _, other := range in[1:] {
		if other.Shape != m.Shape {
			return lazy.Meta{}, fmt.Errorf("stencil: %s: the shapes %v and %v differ", o.Name(), m.Shape, other.Shape)
		}
	}
	m.Labels = false
	if o.Out != 0 {
		m.DType = o.Out
	}
	return m, nil
}

// Need implements lazy.Op: the region grown by the kernel's halo in each input.
func (o Op) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	need := make([]lazy.Region, len(in))
	for i := range need {
		need[i] = out.Grow(o.Kernel.halos[i])
	}
	return need
}

// Border implements lazy.Op.
func (o Op) Border() lazy.Border { return o.Edge }

// Compute implements lazy.Op.
func (o Op) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	limit := o.Limit
	if limit == 0 {
		limit = magnitude(src[0].DType)
	}
	return o.Kernel.run(ctx, dst, src, limit)
}

// Shader is the op's compute shader for these blocks; see Kernel.GLSL.
func (o Op) Shader(dst *lazy.Block, src []*lazy.Block) (string, error) {
	limit := o.Limit
	if limit == 0 {
		limit = magnitude(src[0].DType)
	}
	var in []lazy.DType
	for _, b := range src {
		in = append(in, b.DType)
	}
	return o.Kernel.GLSL(in, dst.DType, limit)
}

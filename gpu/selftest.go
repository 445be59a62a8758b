package gpu

import (
	"context"
	"fmt"
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// SelfTest runs some kernels on the device and compares them with the processor: sums, products, quotients
// and roots, integers and real numbers, of 8, 16 and 32 bits. Integers must be the same, real numbers within
// two units in the last place; and Fourier transforms within some units of their largest value. Open does it before it gives a device away.
func (d *Device) SelfTest(ctx context.Context) error {
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 2, 1, 5, 67}) // of odd width, so that words are shared by rows
	for _, c := range []struct {
		kernel *stencil.Kernel
		in     lazy.DType
		out    lazy.DType
	}{
		{boxMean, lazy.U8, lazy.U8},
		{boxMean, lazy.I16, lazy.I16},
		{slope, lazy.U16, lazy.F32},
		{slope, lazy.F32, lazy.F32},
		{ratio, lazy.F32, lazy.F32},
	} {
		op := stencil.Op{Kernel: c.kernel, Out: c.out}
		src := []*lazy.Block{testBlock(r.Grow(c.kernel.Halo(0)), c.in)}
		want, got := lazy.NewBlock(r, c.out), lazy.NewBlock(r, c.out)
		if err := op.Compute(ctx, want, src); err != nil {
			return err
		}
		if err := d.Run(ctx, op, got, src); err != nil {
			return fmt.Errorf("gpu: self-test: %w", err)
		}
		if err := near(got, want); err != nil {
			return fmt.Errorf("gpu: self-test: %s of %v: %w", op.Name(), c.in, err)
		}
	}
	return d.linesTest(ctx)
}

// The kernels of the self-test.
var (
	boxMean = stencil.Build("mean of nine", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		var all []stencil.Ref
		for i := range 9 {
			all = append(all, stencil.Ref{Value: x, DY: i/3 - 1, DX: i%3 - 1})
		}
		return b.RoundDiv(b.Sum(all...), 9)
	})
	slope = stencil.Build("slope", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		across := b.Linear(stencil.W(-1, x, 0, -1), stencil.W(1, x, 0, 1))
		return b.L2(across, b.Linear(stencil.W(-1, b.Load(-1), 0, 0), stencil.W(1, b.Load(1), 0, 0)))
	})
	ratio = stencil.Build("ratio", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		return b.Apply(stencil.Quotient, stencil.At(b.Linear(stencil.W(0.3, x, 0, 0), stencil.W(0.7, x, 1, 0))), stencil.At(b.Constant(7, false)))
	})
)

func testBlock(r lazy.Region, d lazy.DType) *lazy.Block {
	values := make([]int16, r.Voxels())
	for i := range values {
		values[i] = int16(i * 40503)
	}
	b := lazy.NewBlock(r, d)
	if d == lazy.F32 {
		for i := range lazy.View[float32](b) {
			lazy.View[float32](b)[i] = float32(values[i]) / 3
		}
		return b
	}
	for i := range b.Bytes() {
		b.Bytes()[i] = byte(values[i%len(values)] >> 5)
	}
	return b
}

func near(got, want *lazy.Block) error {
	if want.DType != lazy.F32 {
		if string(got.Bytes()) != string(want.Bytes()) {
			return fmt.Errorf("the integers are not the processor's")
		}
		return nil
	}
	g := lazy.View[float32](got)
	for i, w := range lazy.View[float32](want) {
		ulp := math.Nextafter32(float32(math.Abs(float64(w))), math.MaxFloat32) - float32(math.Abs(float64(w)))
		if !(math.Abs(float64(g[i]-w)) <= 2*float64(ulp)) {
			return fmt.Errorf("a voxel is %v, the processor has %v", g[i], w)
		}
	}
	return nil
}

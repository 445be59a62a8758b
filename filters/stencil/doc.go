// Package stencil computes voxels from their neighbours.
//
// A stencil is written once, as a Kernel: a short list of values, the first ones loaded from the input,
// the last one the result. Its halo, the types it computes in and its program for the processor are all
// derived from that list, and so is its shader (glsl.go).
//
//	laplace := stencil.Build("second difference", func(b *stencil.Builder) stencil.Value {
//		x := b.Load(0)
//		return b.Linear(stencil.W(1, x, 0, -1), stencil.W(-2, x, 0, 0), stencil.W(1, x, 0, 1))
//	})
//	op := stencil.Op{Kernel: laplace, Edge: lazy.Border{}, Out: lazy.F32}
//	edges, err := lazy.Apply(op, stack)
//
// The processor runs a kernel row by row. First the kernel is compiled for the types of its inputs (program.go,
// compile.go, split.go): what one loop can make together becomes one value. Then each value is a line of rows
// (line.go), each computed by one loop over some hundred voxels that stay in the first-level cache, and kept as
// long as a later row looks back at it. The loops are plain Go (rows.go) or, where the processor has them,
// vectors (internal/loops). Nothing is reassociated and no multiply-add is fused, so a voxel is the same number in
// every tile, on every machine.
package stencil

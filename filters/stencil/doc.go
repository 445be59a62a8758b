// Package stencil computes voxels from their neighbours.
//
// A stencil is written once, as a Kernel: a short list of values. The first ones are loaded from the input, the last
// one is the result. The halo, the types it computes in, the program for the processor and the shader (glsl.go) are
// all derived from that list.
//
//	laplace := stencil.Build("second difference", func(b *stencil.Builder) stencil.Value {
//		x := b.Load(0)
//		return b.Linear(stencil.W(1, x, 0, -1), stencil.W(-2, x, 0, 0), stencil.W(1, x, 0, 1))
//	})
//	op := stencil.Op{Kernel: laplace, Edge: lazy.Border{}, Out: lazy.F32}
//	edges, err := lazy.Apply(op, stack)
//
// The same kernel as text is "x[0,-1] - 2*x + x[0,1]" (parse.go).
//
// The processor runs a kernel row by row. First the kernel is compiled for the types of its inputs (program.go,
// compile.go, split.go): values that one loop can make together become one value. Then each value is a line of rows
// (line.go). One loop computes each row, over some hundred voxels that stay in the first-level cache. A row is kept as
// long as a later row looks back at it. The loops are plain Go (rows.go) or, if the processor has them, vector
// instructions (internal/loops). Nothing is reassociated, and no multiplication is fused with an addition, so a voxel
// is the same number in every tile, on every machine.
package stencil

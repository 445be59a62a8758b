package stencil

import "lamella/lazy"

// Processor names the instructions that the loops use: "Go" for plain ones.
var Processor = "Go"

// narrowRow writes the first voxels of a row to a block of small integers, from an offset on, rounded and
// clamped, and says how many.
var narrowRow = func(b *lazy.Block, at int, src []float32) int { return 0 }

// These convert the first voxels of a row that starts at an offset of a block, as many as they can, and
// say how many. A file for one processor may put faster ones in.
var (
	widenF32 = func(dst []float32, b *lazy.Block, from int) int { return 0 }
	widenI32 = func(dst []int32, b *lazy.Block, from int) int { return 0 }
)

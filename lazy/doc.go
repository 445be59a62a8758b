// Package lazy is the algebra of arrays whose voxels are not computed until a region of them is requested.
//
// The terms:
//
//   - An Array is a Meta (shape, chunk, type, scale) and a Node.
//   - A Node is a Source, which reads stored chunks, or an Op on other nodes.
//   - A Region is a half-open box of voxels on the five axes T Z C Y X.
//   - A Block is the voxels of one region in memory.
//   - A Plan is the tasks that one region needs, and what they cost.
//
// An op answers three questions: what comes out (Infer), which region of each input a region of the output
// needs (Need), and what the voxels are (Compute). That makes a plan a walk. Build takes a region, asks the op
// what it needs, asks the ops before it the same, and stops at the chunks of the sources. What was not reached
// gets no task. So the cost of a plan depends on its region, not on the volume:
//
//	stack := lazy.FromSource(file)         // 1,000,000 planes; nothing is read
//	edges, err := lazy.Apply(sobel, stack) // nothing is computed
//	plan, err := lazy.Build(lazy.Query{Array: edges, Region: plane}, nil)
//	fmt.Println(plan.Cost.Chunks) // the chunks that the plane and its halo touch
//
// Arrays are also cut, turned and joined without computing anything: Crop, Slice, Take, Every, Flip, Transpose,
// SwapAxes, Broadcast and Concat.
//
//	row, err := lazy.Take(x, lazy.Y, 5000)          // x[5000,:]
//	column, err := lazy.Take(x, lazy.X, 5000)       // x[:,5000]
//	turned := lazy.SwapAxes(column, lazy.Y, lazy.X) // its transpose, a row
//	both, err := lazy.Concat(lazy.C, row, turned)   // two channels
//
// Package lazy/engine runs plans. This package starts no goroutine, takes no lock, reads no clock and does no
// I/O, so tests of it only compare values.
package lazy

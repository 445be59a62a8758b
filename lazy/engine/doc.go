// Package engine runs the plans of package lazy. The goroutines, locks and clocks of the computation are here, and
// its memory budget.
//
//	e := engine.New(engine.Options{Memory: 2 << 30})
//	defer e.Close()
//	plane, stats, err := e.Get(ctx, edges, region, engine.Priority{})
//	fmt.Println(stats.ChunksRead, stats.VoxelsComputed)
//
// How a request runs:
//
//   - It is cut into tiles. A tile with all the work it needs is a family. The family is planned, and its memory is
//     reserved, before any of it starts (admit.go). So work that has begun can be completed.
//   - The tasks of all families are jobs in a table by key (job.go). Two requests that need one chunk share the job
//     that reads it.
//   - Jobs that are ready wait in a lane, ordered by priority (lane.go). There are four: reading, fetching from far
//     away, computing, and the device.
//   - A finished block goes into the cache (cache.go). Before something new is admitted, the cache drops the least
//     recently used blocks that nobody needs. So the memory budget holds at every moment.
//
// Cancelling a request withdraws its jobs. A job that nobody else wants is removed from its lane, or told to stop
// while it runs. A family that does not fit into the budget even alone is computed piece by piece, slowly
// (narrow.go), or fails with a MemoryError that says what it needs.
//
// A device can compute beside the processor (device.go). Blocks stay in its memory, as far as there is room, so a
// chain is uploaded once and read back once (keep.go). If the device is to be used only where it is faster, running
// means of the measured times decide (choose.go). When it fails, blocks that were only there are planned again, and
// the processor continues.
//
// Stats count the work. Tests assert on them, the window shows them, the command line prints them.
package engine

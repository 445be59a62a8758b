// Package engine runs the plans of package lazy. It is the one place with goroutines, locks, clocks
// and a budget of memory.
//
//	e := engine.New(engine.Options{Memory: 2 << 30})
//	defer e.Close()
//	plane, stats, err := e.Get(ctx, edges, region, engine.Priority{})
//	fmt.Println(stats.ChunksRead, stats.VoxelsComputed)
//
// A request is cut into tiles. Each tile with all the work it needs is a family: it is planned and its
// memory reserved before any of it starts (admit.go), so what has begun can be completed. The tasks of
// all families are jobs in a table by key (job.go): two requests that need one chunk share the job that
// reads it. Jobs that are ready wait in a lane, one for reading, one for what is far, one for computing and one for the device,
// ordered by priority (lane.go). A finished block goes into the cache (cache.go), from which the least recently used
// blocks that nobody needs are let go before something new is admitted: the budget holds at every moment.
//
// Cancelling a request takes its wishes back; a job that nobody wishes for any more is taken out of its
// lane, or told to stop while it runs. A family that does not fit into the budget even alone is computed
// piece by piece (narrow.go), slowly, or fails with a MemoryError that says what it needs.
//
// Beside the processor a device may compute (device.go). Blocks stay in its memory, within its room, so that a
// chain is carried over once and back once (keep.go); where it is used only if that is faster, running means
// say so (choose.go). When it fails, what was only there is planned again, and the processor goes on.
//
// Stats count the work. Tests assert on them, the window shows them, the command line prints them.
package engine

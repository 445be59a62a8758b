package viewer

import (
	"lamella/lazy"
	"lamella/lazy/engine"
)

// A Report says how the work for the plane on view stands, and what lies under the pointer.
type Report struct {
	Pane        int // the picture that it is of
	Frame       int // the number of the newest Frame when it was made
	Busy        bool
	Slow        bool         // the work under way has outlasted Options.Patience; shorter work is not worth a word
	Done, Total int          // tiles of the work under way
	Cost        engine.Stats // of the plane on view, summed over its channels; zero until it is done
	Level       int          // that is on view
	Levels      int          // of the image
	Preview     bool         // a coarse level stands in for the finest, so filtered values differ
	Err         error        // why the plane could not be shown, nil if it could
	NoFinite    bool         // the active channel holds no finite value on this plane

	Ready [lazy.Rank][]Readiness // of the axes that have a slider, in even stretches; nil where it is not known

	Stages []Stage // what each step takes for the plane, if any does
	Chunks []Chunk // of the active channel on the plane, those in view; only if the State asks for them

	Histogram Histogram // of the active channel on the plane on view
	Sample    Sample    // of the active channel; only if the State asks for it
	Readout   Readout

	Used, Budget int64 // bytes of memory that the engine holds, and may hold
}

// A Readout is what lies under the pointer.
type Readout struct {
	Valid bool       // the pointer is on a voxel that has been computed
	Voxel lazy.Index // of the finest level; C is the active channel
	Raw   []Value    // of each channel that is drawn, as stored
	Shown []Value    // the same after the filters; nil without filters
	Label string     // of the labels that lie over the picture; "" where none do, "0" beside all objects
}

// A Value is one voxel's value of a channel, in text.
type Value struct {
	Channel int
	Text    string
}

// sum adds the cost of one channel to that of the others. What the whole image would take is the
// same for all of them.
func sum(a, b engine.Stats) engine.Stats {
	a.TasksTotal, a.ChunksTotal = max(a.TasksTotal, b.TasksTotal), max(a.ChunksTotal, b.ChunksTotal)
	a.TasksPlanned += b.TasksPlanned
	a.TasksRun += b.TasksRun
	a.ChunksPlanned += b.ChunksPlanned
	a.ChunksRead += b.ChunksRead
	a.BytesRead += b.BytesRead
	a.VoxelsOut += b.VoxelsOut
	a.VoxelsNeeded += b.VoxelsNeeded
	a.VoxelsComputed += b.VoxelsComputed
	a.CacheHits += b.CacheHits
	a.Seconds = max(a.Seconds, b.Seconds)
	a.PeakBytes = max(a.PeakBytes, b.PeakBytes)
	if a.Device == "" {
		a.Device = b.Device
	}
	return a
}

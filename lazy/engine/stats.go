package engine

import "lamella/lazy"

// Stats counts work. The names in JSON are those of the command line's --stats.
type Stats struct {
	TasksTotal     int     `json:"tasks_total"`     // what the whole array would take
	TasksPlanned   int     `json:"tasks_planned"`   // what this request took after the cull
	TasksRun       int     `json:"tasks_run"`       // what was run for it, not shared with another request
	ChunksTotal    int     `json:"chunks_total"`    // storage chunks of the whole array
	ChunksPlanned  int     `json:"chunks_planned"`  // those of the request that were not in memory
	ChunksRead     int     `json:"chunks_read"`     // those that were read
	BytesRead      int64   `json:"bytes_read"`      // fetched from storage
	VoxelsOut      int     `json:"voxels_out"`      // asked for
	VoxelsNeeded   int     `json:"voxels_needed"`   // the least that any tiling computes for it
	VoxelsComputed int     `json:"voxels_computed"` // output voxels of all filter tasks
	CacheHits      int     `json:"cache_hits"`      // pieces found in memory
	Seconds        float64 `json:"seconds"`
	Device         string  `json:"device"`     // "cpu", "gpu", or "mixed"
	PeakBytes      int64   `json:"peak_bytes"` // most memory that blocks held at a moment
	Uploads        int     `json:"uploads"`    // blocks carried over to a device
	ReadBacks      int     `json:"read_backs"` // blocks carried back from it
	BytesUp        int64   `json:"bytes_up"`   // of them all
	BytesBack      int64   `json:"bytes_back"`

	onDevice, onCPU int // filter tasks by where they ran
}

func (s *Stats) plan(c lazy.Cost, hits int) {
	s.TasksPlanned += c.Tasks
	s.ChunksPlanned += c.Chunks
	s.CacheHits += hits
}

func (s *Stats) add(o Stats) {
	s.TasksTotal = max(s.TasksTotal, o.TasksTotal)
	s.ChunksTotal = max(s.ChunksTotal, o.ChunksTotal)
	s.TasksPlanned += o.TasksPlanned
	s.TasksRun += o.TasksRun
	s.ChunksPlanned += o.ChunksPlanned
	s.ChunksRead += o.ChunksRead
	s.BytesRead += o.BytesRead
	s.VoxelsOut += o.VoxelsOut
	s.VoxelsNeeded += o.VoxelsNeeded
	s.VoxelsComputed += o.VoxelsComputed
	s.CacheHits += o.CacheHits
	s.Seconds += o.Seconds
	s.PeakBytes = max(s.PeakBytes, o.PeakBytes)
	s.Uploads += o.Uploads
	s.ReadBacks += o.ReadBacks
	s.BytesUp += o.BytesUp
	s.BytesBack += o.BytesBack
	s.onDevice += o.onDevice
	s.onCPU += o.onCPU
	s.name()
}

// name says where the tasks ran.
func (s *Stats) name() {
	switch {
	case s.onDevice == 0:
		s.Device = "cpu"
	case s.onCPU == 0:
		s.Device = "gpu"
	default:
		s.Device = "mixed"
	}
}

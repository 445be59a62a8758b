package engine

import (
	"time"

	"lamella/lazy"
)

// A Price is what a task is thought to take, in seconds, by what such tasks took before: on all processors together, and on
// the device if there is one. What was never measured is unknown.
type Price struct {
	CPU, GPU           float64
	CPUKnown, GPUKnown bool
}

// A pace is the time that voxels took and their number, of the last hundred tasks or so: one that had to wait for a
// processor does not make thousands of others dear.
type pace struct{ ns, voxels float64 }

func (p pace) with(d time.Duration, voxels int) pace {
	const kept = 1 - 1.0/128
	return pace{kept*p.ns + float64(d), kept*p.voxels + float64(voxels)}
}

// Prices are those of the tasks of a plan, whether their blocks are held or not. Carrying over to the device and back is
// not in them.
func (e *Engine) Prices(p lazy.Plan) []Price {
	all := make([]Price, len(p.Tasks))
	e.mu.Lock()
	defer e.mu.Unlock()
	var pricer Pricer
	if d := e.healthy(); d != nil {
		pricer, _ = d.keeper.(Pricer)
	}
	for i, t := range p.Tasks {
		voxels := float64(t.Key.Tile.Voxels())
		if on := e.paces[costOf(t.Node)]; on.voxels > 0 {
			all[i].CPU, all[i].CPUKnown = on.ns/on.voxels*voxels/float64(e.workers)/1e9, true
		}
		if pricer == nil || t.Node.Op == nil || !pricer.Takes(t.Node) {
			continue
		}
		if ns, known := pricer.Price(t.Node); known {
			all[i].GPU, all[i].GPUKnown = ns*voxels/1e9, true
		}
	}
	return all
}

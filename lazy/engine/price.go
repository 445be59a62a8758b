package engine

import "lamella/lazy"

// A Price is what a task is thought to take, in seconds, by what such tasks took before: on all processors together, and on
// the device if there is one. What was never measured is unknown.
type Price struct {
	CPU, GPU           float64
	CPUKnown, GPUKnown bool
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
		if on := e.prices[costOf(t.Node)]; on.known {
			all[i].CPU, all[i].CPUKnown = on.value*voxels/float64(e.workers)/1e9, true
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

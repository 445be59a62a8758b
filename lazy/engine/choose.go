package engine

import (
	"time"

	"lamella/lazy"
)

// A Pricer is a Keeper that says what work takes on it, as it was measured.
type Pricer interface {
	Keeper
	Price(n *lazy.Node) (nsPerVoxel float64, known bool)
	Carriage() (up, back float64) // ns a byte to the device and from it
}

// Cheaper is a device that is used only where it is thought to be faster than the processor, carrying over
// and back included. A part of a plan whose tasks hang together goes to one of the two as a whole. What was
// never measured on the processor runs there once, and then once on the device. A device that is no Pricer
// runs all that it takes.
func Cheaper(d Executor) Executor { return &choice{d} }

type choice struct{ Executor }

// A mean forgets: each value weighs a quarter, so that a busy moment does not count for long.
type mean struct {
	value float64
	known bool
}

func (m mean) with(v float64) mean {
	if m.known {
		v = m.value + (v-m.value)/4
	}
	return mean{v, true}
}

// A cost is what ops have in common that are thought to cost the same a voxel: a radius that is dragged must
// not make everything unknown. Each source has its own.
type cost struct {
	op     string
	source [16]byte
	result lazy.DType
}

func costOf(n *lazy.Node) cost {
	if n.Source != nil {
		return cost{"", n.Hash, n.Meta.DType}
	}
	return cost{n.Op.Name(), [16]byte{}, n.Meta.DType}
}

// took notes how long a tile took on the processor, or a grain to be read.
func (e *Engine) took(n *lazy.Node, tile lazy.Region, d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := costOf(n)
	e.prices[c] = e.prices[c].with(float64(d) / float64(tile.Voxels()))
	e.paces[c] = e.paces[c].with(d, tile.Voxels())
}

// cheaper says for each task of a plan on which device it is thought to be cheaper; nil for the processor.
// It is nil as a whole if nobody asked.
func (e *Engine) cheaper(p lazy.Plan) []*device {
	d := e.healthy()
	if d == nil || d.keeper == nil || d.choice == nil {
		return nil
	}
	on := make([]*device, len(p.Tasks))
	for _, f := range fragments(p, d.keeper.Takes) {
		if !e.pays(p, f, d) {
			continue
		}
		for _, i := range f.tasks {
			on[i] = d
		}
	}
	return on
}

// A fragment is tasks of a plan that a device takes and that hang together.
type fragment struct {
	tasks []int
	has   map[int]bool
}

func fragments(p lazy.Plan, takes func(*lazy.Node) bool) []fragment {
	root := make([]int, len(p.Tasks)) // the last task known to hang together with each; -1 if the device does not take it
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	for i, t := range p.Tasks {
		root[i] = -1
		if t.Node.Op == nil || !takes(t.Node) {
			continue
		}
		root[i] = i
		for _, part := range t.Parts {
			if part.Task >= 0 && root[part.Task] >= 0 {
				root[find(part.Task)] = i
			}
		}
	}
	at := map[int]int{}
	var all []fragment
	for i := range root {
		if root[i] < 0 {
			continue
		}
		r := find(i)
		n, ok := at[r]
		if !ok {
			n = len(all)
			at[r] = n
			all = append(all, fragment{has: map[int]bool{}})
		}
		all[n].tasks = append(all[n].tasks, i)
		all[n].has[i] = true
	}
	return all
}

// pays reports whether a fragment is thought to take less time on the device.
func (e *Engine) pays(p lazy.Plan, f fragment, d *device) bool {
	pricer, ok := d.keeper.(Pricer)
	if !ok {
		return true
	}
	var here, there float64
	tried := true
	for _, i := range f.tasks {
		n, voxels := p.Tasks[i].Node, float64(p.Tasks[i].Key.Tile.Voxels())
		on := e.prices[costOf(n)]
		if !on.known {
			return false
		}
		here += on.value * voxels / float64(e.workers)
		ns, known := pricer.Price(n)
		tried = tried && known
		there += ns * voxels
	}
	if !tried {
		return true
	}
	up, back := pricer.Carriage()
	over, home, kept := e.carried(p, f, d)
	return there+up*over+back*home < here+back*kept
}

// carried is how many bytes a fragment has carried over to the device and back from it, and how many would
// be carried back from it if the processor ran the fragment.
func (e *Engine) carried(p lazy.Plan, f fragment, d *device) (over, home, kept float64) {
	seen := map[lazy.Key]bool{}
	for _, i := range f.tasks {
		t := p.Tasks[i]
		for _, part := range t.Parts {
			if f.has[part.Task] || seen[part.Key] {
				continue
			}
			seen[part.Key] = true
			bytes := float64(part.Key.Tile.Voxels() * t.Node.In[part.Input].Meta.DType.Size())
			en, j := e.cache.find(part.Key), e.jobs[part.Key]
			switch {
			case j != nil && j.there == d:
			case en == nil || en.away == nil || en.away.dev != d:
				over += bytes
			case en.block == nil:
				kept += bytes
			}
		}
	}
	wanted := map[int]bool{len(p.Tasks) - 1: true} // by the request, or by tasks of the processor
	for i, t := range p.Tasks {
		for _, part := range t.Parts {
			if part.Task >= 0 && !f.has[i] {
				wanted[part.Task] = true
			}
		}
	}
	for _, i := range f.tasks {
		if wanted[i] {
			home += float64(p.Tasks[i].Key.Tile.Voxels() * p.Tasks[i].Node.Meta.DType.Size())
		}
	}
	return over, home, kept
}

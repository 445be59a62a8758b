package viewer

import (
	"cmp"
	"slices"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// TaskState is how far the engine is with one task.
type TaskState = engine.TaskState

// The states, from a task that is still to be done to one that is.
const (
	Absent  = engine.Absent
	Waiting = engine.Waiting
	Running = engine.Running
	Held    = engine.Held
)

// A Stage is what one part of the way from the file to the picture takes for the plane on view: the tasks that are
// left of it after the cull.
type Stage struct {
	Step   int // of the chain; or Reading, or Projecting for the slab, or Comparing with something
	Tasks  []TaskState
	Voxels int // of all tasks: read or computed
	Price      // of all of them, whether they are held or not; known if that of each is
}

// A Price is what work is thought to take, in seconds, on the processors together and on the device.
type Price = engine.Price

// with is a stage with one more task.
func (g Stage) with(state TaskState, voxels int, p Price) Stage {
	g.CPUKnown = p.CPUKnown && (g.CPUKnown || len(g.Tasks) == 0)
	g.GPUKnown = p.GPUKnown && (g.GPUKnown || len(g.Tasks) == 0)
	g.CPU, g.GPU = g.CPU+p.CPU, g.GPU+p.GPU
	g.Tasks, g.Voxels = append(g.Tasks, state), g.Voxels+voxels
	return g
}

// The stages that are no step of the chain.
const (
	Reading    = -1
	Projecting = -2
	Comparing  = -3
)

// plannable is how many pieces a plane may have for its plan to be made only to be looked at.
const plannable = 2048

// stages is the culled graph of the plane that s looks at, step by step, of all channels drawn together.
func (sc *Scene) stages(s State, states func(lazy.Plan) []TaskState, prices func(lazy.Plan) []Price) []Stage {
	if !sc.derived() || sc.Fault != nil || !sc.part.Empty() || (wish{sc, s}).pieces() > plannable {
		return nil
	}
	var all []Stage
	place := map[int]int{}
	for _, c := range s.Shown() {
		q, ok := sc.Request(s, c)
		if !ok {
			continue
		}
		p, err := lazy.Build(lazy.Query{Array: q.Array, Region: q.Region}, nil)
		if err != nil {
			return nil
		}
		of := sc.owners(q.Level)
		done, costs := states(p), prices(p)
		for i, t := range p.Tasks {
			step, known := of[t.Key.Hash]
			if !known {
				step = Comparing
				if sc.slab.Thick() {
					step = Projecting
				}
			}
			at, ok := place[step]
			if !ok {
				at = len(all)
				place[step] = at
				all = append(all, Stage{Step: step})
			}
			all[at] = all[at].with(done[i], t.Key.Tile.Voxels(), costs[i])
		}
	}
	slices.SortFunc(all, func(a, b Stage) int { return cmp.Compare(a.order(len(sc.Rows)), b.order(len(sc.Rows))) })
	return all
}

// order is where a stage stands on the way.
func (g Stage) order(steps int) int {
	if g.Step == Projecting || g.Step == Comparing {
		return steps
	}
	return g.Step
}

// owners are the steps that the nodes of a level belong to, by the nodes' hashes.
func (sc *Scene) owners(level int) map[[16]byte]int {
	of := map[[16]byte]int{}
	var own func(n *lazy.Node, step int)
	own = func(n *lazy.Node, step int) {
		if _, taken := of[n.Hash]; taken {
			return
		}
		of[n.Hash] = step
		for _, in := range n.In {
			own(in, step)
		}
	}
	own(sc.Raw[level].Node(), Reading)
	for i, step := range sc.steps {
		if step.Off {
			continue
		}
		a, err := sc.steps[:i+1].ApplyTo(sc.Raw[level], sc.Raw[0])
		if err != nil {
			return of
		}
		own(a.Node(), i)
	}
	return of
}

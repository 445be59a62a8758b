package engine

import (
	"container/heap"
	"context"
	"errors"

	"lamella/lazy"
)

type jobState uint8

const (
	waiting jobState = iota // for other jobs
	queued                  // in a lane
	running
	finished
	dropped // nobody wanted it any more
)

// A job makes one block, once, for all who want it. It lives while a family or another job refers
// to it. All fields are guarded by the engine's lock; run works on what no longer changes.
type job struct {
	task    lazy.Task
	order   order
	state   jobState
	lane    *lane // once it is queued
	index   int   // in its lane
	cancel  context.CancelFunc
	bytes   int64 // reserved for the block
	scratch int64 // reserved for making it

	refs     int // consumers and families that want it
	missing  int // inputs that are not there yet
	from     []*job
	inputs   map[lazy.Key]*entry // pinned until it has run
	to       []*job
	families []*family // those whose tile it makes
	owner    *request  // whose counters it adds to

	there  *device // on which it is queued or runs; nil for the processor
	cheap  *device // on which it is thought to be cheaper, if that was asked
	passed bool    // the device has declined it
}

// footprint is what a task reserves: the block, and beside it what making it takes (gathered inputs and the
// scratch memory of an op, or the stored form of a chunk).
func footprint(t lazy.Task) (block, scratch int64) {
	d := func(r lazy.Region, m lazy.Meta) int64 { return int64(r.Voxels()) * int64(m.DType.Size()) }
	block = d(t.Key.Tile, t.Node.Meta)
	if t.Node.Source != nil {
		scratch = block
		if s, ok := t.Node.Source.(lazy.Sizer); ok {
			if n := s.Stored(t.Key.Tile); n >= 0 {
				scratch = n
			}
		}
		return block, scratch
	}
	for i, need := range t.Needs {
		scratch += d(need, t.Node.In[i].Meta)
	}
	return block, scratch + t.Scratch()
}

// add makes the jobs of a plan whose memory is reserved, and gives that of its last task. Parts that
// are cached are pinned; parts that another request is making are shared.
func (e *Engine) add(p lazy.Plan, o order, owner *request) *job {
	var last *job
	on := e.cheaper(p)
	for i, t := range p.Tasks {
		j := &job{task: t, order: o, index: -1, owner: owner, inputs: map[lazy.Key]*entry{}}
		j.bytes, j.scratch = footprint(t)
		if on != nil {
			j.cheap = on[i]
		}
		for _, part := range t.Parts {
			if _, seen := j.inputs[part.Key]; seen {
				continue
			}
			en := e.cache.find(part.Key)
			j.inputs[part.Key] = en
			if en != nil {
				e.cache.pin(en)
				e.use(en, owner)
				continue
			}
			f := e.jobs[part.Key]
			f.refs++
			f.to = append(f.to, j)
			j.from = append(j.from, f)
			j.missing++
			e.raise(f, o)
		}
		e.jobs[t.Key] = j
		if j.missing == 0 {
			e.queue(j)
		}
		last = j
	}
	return last
}

func (e *Engine) queue(j *job) {
	j.state = queued
	j.lane = e.laneOf(j)
	heap.Push(&j.lane.ready, j)
	j.lane.cond.Signal()
}

// raise gives a job, and all it waits for, an earlier place.
func (e *Engine) raise(j *job, o order) {
	if !o.before(j.order) {
		return
	}
	j.order = o
	if j.state == queued {
		heap.Fix(&j.lane.ready, j.index)
		j.lane.cond.Signal() // a worker may wait since it was a guess
	}
	if j.state == waiting {
		for _, f := range j.from {
			e.raise(f, o)
		}
	}
}

// run makes the block of a job whose inputs are there.
func (e *Engine) run(ctx context.Context, j *job) made {
	n := j.task.Node
	if n.Source != nil {
		return e.read(ctx, n, j.task.Key.Tile)
	}
	if d := j.there; d != nil {
		if e.healthy() != d {
			return made{declined: true}
		}
		return e.makeAway(ctx, d, j)
	}
	blocks, err := e.bringAll(ctx, j)
	if err != nil {
		return made{err: err}
	}
	src, gathered := make([]*lazy.Block, len(n.In)), []*lazy.Block(nil)
	for i, need := range j.task.Needs {
		if src[i] = asItIs(j.task, i, blocks); src[i] != nil {
			continue
		}
		g := lazy.GatherInto(e.block(ctx, need, n.In[i].Meta.DType), n.In[i].Meta.Shape, n.Op.Border())
		for _, p := range j.task.Parts {
			if p.Input == i {
				g.Add(blocks[p.Key])
			}
		}
		src[i] = g.Dst
		gathered = append(gathered, g.Dst)
	}
	defer e.recycle(gathered...)
	return e.compute(ctx, n, j.task.Key.Tile, src)
}

// asItIs is the block that is all a task needs of an input, which then need not be copied, or nil.
func asItIs(t lazy.Task, input int, blocks map[lazy.Key]*lazy.Block) *lazy.Block {
	for _, p := range t.Parts {
		if p.Input == input && p.Key.Tile == t.Needs[input] {
			return blocks[p.Key]
		}
	}
	return nil
}

// bringAll gives the inputs of a job in memory. If some are lost it looks at all the others too, so that who
// needs them learns of every loss at once.
func (e *Engine) bringAll(ctx context.Context, j *job) (map[lazy.Key]*lazy.Block, error) {
	blocks := make(map[lazy.Key]*lazy.Block, len(j.inputs))
	var failed error
	for key, en := range j.inputs {
		b, err := e.bring(ctx, en, j.owner)
		if blocks[key] = b; err != nil && failed == nil {
			failed = err
		}
	}
	return blocks, failed
}

// finish files the block of a job that has run and wakes those that wait for it.
func (e *Engine) finish(j *job, m made) {
	if m.declined && e.closed {
		m.err = ErrClosed
	} else if m.declined && j.state != dropped {
		j.there, j.passed = nil, true
		e.queue(j)
		return
	}
	e.reserved -= j.bytes + j.scratch
	e.letGo(j)
	if j.state == dropped {
		if m.away != nil {
			e.discard(m.away)
		}
		e.admit()
		return
	}
	j.state = finished
	delete(e.jobs, j.task.Key)
	if m.err != nil {
		e.fail(j, m.err)
		e.admit()
		return
	}
	e.count(j, m)
	en := e.file(j.task, m)
	e.use(en, j.owner)
	for _, t := range j.to {
		if t.state != waiting {
			continue
		}
		e.cache.pin(en)
		t.inputs[en.key] = en
		if t.missing--; t.missing == 0 {
			e.queue(t)
		}
	}
	for _, f := range j.families {
		e.deliver(f, en)
	}
	j.families = nil
	e.admit()
}

// file puts what a task came to into the cache.
func (e *Engine) file(t lazy.Task, m made) *entry {
	en, fresh := e.cache.put(t, m.block)
	switch {
	case m.away == nil:
	case fresh:
		e.place(en, m.away)
	default:
		e.discard(m.away)
	}
	return en
}

// letGo releases what a job held to run: its pinned inputs.
func (e *Engine) letGo(j *job) {
	for _, en := range j.inputs {
		if en != nil {
			e.cache.unpin(en)
		}
	}
	j.inputs = nil
}

// fail ends every family that a failed job leads to. One that failed since a block was lost with its device
// is planned again.
func (e *Engine) fail(j *job, err error) {
	if errors.Is(err, context.Canceled) && e.closed {
		err = ErrClosed
	}
	families := j.families
	j.families = nil
	for _, f := range families {
		f.top = nil // so that the request does not withdraw it once more
		if errors.Is(err, errLost) {
			e.again(f)
			continue
		}
		e.cancel(f.req, err)
		e.done(f)
	}
	for _, t := range j.to {
		if t.state == waiting {
			t.state = finished
			delete(e.jobs, t.task.Key)
			e.reserved -= t.bytes + t.scratch
			e.letGo(t)
			for _, f := range t.from {
				e.unref(f)
			}
			e.fail(t, err)
		}
	}
}

// unref takes one wish for a job away. A job that nobody wants is dropped: taken from its queue, or
// stopped while it runs.
func (e *Engine) unref(j *job) {
	if j.refs--; j.refs > 0 || j.state == finished || j.state == dropped {
		return
	}
	was := j.state
	j.state = dropped
	delete(e.jobs, j.task.Key)
	if was == running {
		j.cancel() // finish gives back what it holds, once it has stopped
		return
	}
	if was == queued {
		heap.Remove(&j.lane.ready, j.index)
	}
	e.reserved -= j.bytes + j.scratch
	e.letGo(j)
	for _, f := range j.from {
		e.unref(f)
	}
}

func (e *Engine) count(j *job, m made) {
	chunks := j.owner.read.fresh([]lazy.Task{j.task})
	for _, s := range []*Stats{&e.totals, &j.owner.stats} {
		s.TasksRun++
		switch {
		case j.task.Node.Source != nil:
			s.ChunksRead += chunks
			s.BytesRead += m.stored
			continue
		case m.onDevice:
			s.onDevice++
		default:
			s.onCPU++
		}
		s.VoxelsComputed += j.task.Key.Tile.Voxels()
	}
}

package engine

import (
	"container/heap"
	"context"
	"sync"

	"lamella/lazy"
)

// A Tier is how near the user is to a piece of work.
type Tier int

// Visible work is on the screen or waited for, Background work is an export, Prefetch is a guess, which gets memory last.
const (
	Visible Tier = iota
	Background
	Prefetch
)

// A Priority orders work: by tier, then coarser level, then distance to Near, then age.
type Priority struct {
	Tier  Tier
	Level int        // resolution level; a coarser one is wanted sooner
	Near  lazy.Index // voxel at the pointer
	Once  bool       // each voxel is wanted once: a chunk that was handed over whole is not kept for others
}

// An order is a priority made comparable for one tile.
type order struct {
	tier, finer int
	distance    int
	age         uint64
}

func (p Priority) order(tile lazy.Region, age uint64, n int) order {
	if p.Tier != Visible { // in storage order, so that what one tile left behind serves the next
		return order{int(p.Tier), -p.Level, n, age}
	}
	d := 0
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		mid := (tile.Min[a] + tile.Max[a]) / 2
		d += max(mid-p.Near[a], p.Near[a]-mid)
	}
	return order{int(p.Tier), -p.Level, d, age}
}

func (o order) before(p order) bool {
	switch {
	case o.tier != p.tier:
		return o.tier < p.tier
	case o.finer != p.finer:
		return o.finer < p.finer
	case o.age != p.age && o.tier != int(Visible): // an export goes on in its own order
		return o.age < p.age
	case o.distance != p.distance:
		return o.distance < p.distance
	}
	return o.age < p.age
}

// sooner orders work whose memory is reserved: there a guess goes before an export, which always has more to do and would
// let none begin.
func (o order) sooner(p order) bool {
	if o.tier != p.tier {
		return o.tier == int(Visible) || o.tier == int(Prefetch) && p.tier == int(Background)
	}
	return o.before(p)
}

// A lane is a queue with workers of its own: reading has one, waiting for what is far has one, computing has one and the
// device has one, so that none waits behind another. It has twice as many workers as work at a time, so that what is on
// view begins at once, also while all the others are at long pieces of an export.
type lane struct {
	ready   jobHeap
	cond    *sync.Cond // of the engine's lock
	shown   int        // workers at what is on view
	behind  int        // workers at an export or a guess
	helping int        // workers in a loop of somebody else's
}

const (
	reading  = iota
	fetching // from sources that are far (lazy.Distant)
	computing
	elsewhere
	lanes // how many there are
)

// maxFetching is the most reads that wait for answers from afar at a time.
const maxFetching = 16

// laneOf is where a job waits that is ready now. It notes the device that is to run it.
func (e *Engine) laneOf(j *job) *lane {
	switch j.task.Node.Source.(type) {
	case nil:
	case lazy.Distant:
		return &e.lanes[fetching]
	default:
		return &e.lanes[reading]
	}
	d := e.healthy()
	if d == nil || d.keeper == nil || j.passed || d.choice != nil && j.cheap != d || !d.keeper.Takes(j.task.Node) {
		return &e.lanes[computing]
	}
	j.there = d
	return &e.lanes[elsewhere]
}

func (e *Engine) work(l *lane) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		shared := e.wait(l)
		switch {
		case e.closed:
			return
		case shared != nil:
			e.help(shared, l)
			continue
		}
		j := heap.Pop(&l.ready).(*job)
		ctx, cancel := context.WithCancel(e.ctx)
		end := e.begin(l, Tier(j.order.tier))
		j.state, j.cancel = running, cancel
		e.mu.Unlock()
		made := e.run(ctx, j)
		cancel()
		e.mu.Lock()
		end()
		e.finish(j, made)
	}
}

// wait is until there is a job in the lane that may begin; a worker that computes may be given a loop to help with before.
func (e *Engine) wait(l *lane) *loop {
	for !e.mayBegin(l) && !e.closed {
		if l == &e.lanes[computing] && l.busy() < e.workers {
			if shared := e.wanting(); shared != nil {
				return shared
			}
		}
		l.cond.Wait()
	}
	return nil
}

// busy is how many workers of the lane are at something.
func (l *lane) busy() int { return l.shown + l.behind + l.helping }

// mayBegin reports whether there is a job in the lane and one more worker may take it. What is on view waits for nothing but
// itself. Other work waits for a free worker and for its turn (turn.go); reading, which may be waiting for a disk, leaves that
// to guesses. What is far is waited for, not worked on.
func (e *Engine) mayBegin(l *lane) bool {
	switch {
	case len(l.ready) == 0:
		return false
	case l == &e.lanes[fetching]:
		return true
	case l.ready[0].order.tier == int(Visible):
		return l.shown < e.workers
	case l.busy() >= e.workers:
		return false
	case l == &e.lanes[reading]:
		return l.ready[0].order.tier != int(Prefetch) || e.visible == 0 || l.behind < e.half()
	}
	return e.turn()
}

// begin counts a worker that takes up a job; end is called, with the lock, when it is done.
func (e *Engine) begin(l *lane, t Tier) (end func()) {
	switch {
	case l == &e.lanes[fetching]:
		return func() {}
	case t == Visible:
		l.shown++
		return func() { l.shown-- }
	case l == &e.lanes[reading]:
		l.behind++
		return func() { l.behind-- }
	}
	l.behind++
	e.behind++
	return func() {
		l.behind--
		e.stepBack()
	}
}

type jobHeap []*job

func (h jobHeap) Len() int           { return len(h) }
func (h jobHeap) Less(i, k int) bool { return h[i].order.sooner(h[k].order) }
func (h jobHeap) Swap(i, k int) {
	h[i], h[k] = h[k], h[i]
	h[i].index, h[k].index = i, k
}
func (h *jobHeap) Push(x any) {
	j := x.(*job)
	j.index = len(*h)
	*h = append(*h, j)
}
func (h *jobHeap) Pop() any {
	old := *h
	j := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	j.index = -1
	return j
}

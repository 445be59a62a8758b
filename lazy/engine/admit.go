package engine

import (
	"container/heap"
	"slices"

	"lamella/lazy"
)

// A family is one tile of a request with all the work it needs. Families are admitted whole: when
// the memory of all their blocks is reserved. So work that has begun can always be completed, and
// no two requests can hold each other up.
type family struct {
	req   *request
	tile  lazy.Region
	order order
	index int // in pending, or -1
	top   *job
	stop  func() // ends a narrow run
}

// admit starts waiting families, the most wanted first, as long as they fit. The caller holds the lock.
func (e *Engine) admit() {
	for len(e.pending) > 0 && !e.narrowing && !e.closed {
		f := e.pending[0]
		if !e.start(f) {
			return
		}
	}
}

// start admits the first pending family, and reports whether the next may be tried. The family has
// then left the queue.
func (e *Engine) start(f *family) bool {
	e.seq++
	var pinned []*entry
	var top *job
	cached := func(k lazy.Key) bool {
		if en := e.cache.find(k); en != nil {
			e.cache.pin(en)
			pinned = append(pinned, en)
			return true
		}
		j := e.jobs[k]
		if j != nil && k.Tile == f.tile && k.Hash == f.req.array.Node().Hash {
			top = j
		}
		return j != nil
	}
	p, err := lazy.BuildUntil(f.req.ctx, f.req.layout, lazy.Query{Array: f.req.array, Region: f.tile}, cached)
	defer func() {
		for _, en := range pinned {
			e.cache.unpin(en)
		}
	}()
	if err != nil {
		heap.Pop(&e.pending)
		e.active++
		e.cancel(f.req, err)
		e.done(f)
		return true
	}
	var need int64
	for _, t := range p.Tasks {
		block, scratch := footprint(t)
		need += block + scratch
	}
	if !e.reserve(need, f.req.priority.Tier) {
		if e.active > 0 {
			return false // what is under way will free some
		}
		heap.Pop(&e.pending)
		e.active++
		if f.req.priority.Tier == Prefetch {
			e.cancel(f.req, &MemoryError{What: "a guess", Needs: need, Has: e.budget - e.used()})
			e.done(f)
			return true
		}
		e.narrowing = true
		e.wg.Go(func() { e.narrow(f) })
		return false
	}
	heap.Pop(&e.pending)
	e.active++
	p.Cost.Chunks = f.req.planned.fresh(p.Tasks)
	f.req.stats.plan(p.Cost, len(p.Cached))
	e.totals.plan(p.Cost, len(p.Cached))
	switch {
	case len(p.Tasks) > 0:
		f.top = e.add(p, f.order, f.req)
	case top != nil:
		f.top = top
		e.raise(top, f.order)
	default:
		en := pinned[0]
		e.use(en, f.req)
		e.deliver(f, en)
		return true
	}
	f.top.refs++
	f.top.families = append(f.top.families, f)
	return true
}

// deliver hands the finished tile to the goroutine that made the request.
func (e *Engine) deliver(f *family, en *entry) {
	e.cache.pin(en)
	f.top = nil
	f.req.ready = append(f.req.ready, delivery{f, en})
	f.req.wake.Broadcast()
}

// done ends a family that was admitted, and lets its request send the next.
func (e *Engine) done(f *family) {
	e.active--
	delete(f.req.families, f)
	e.refill(f.req)
	f.req.wake.Broadcast()
	e.room.Broadcast()
}

// again puts a family back that was admitted: something it counted on is lost.
func (e *Engine) again(f *family) {
	if f.req.err != nil {
		e.done(f)
		return
	}
	e.active--
	heap.Push(&e.pending, f)
	e.room.Broadcast()
}

// withdraw takes a family back that waits or runs. One that is delivered, or runs narrow, ends by itself.
func (e *Engine) withdraw(f *family) {
	switch {
	case f.index >= 0:
		heap.Remove(&e.pending, f.index)
		delete(f.req.families, f)
	case f.top != nil:
		f.top.families = slices.DeleteFunc(f.top.families, func(g *family) bool { return g == f })
		top := f.top
		f.top = nil
		e.unref(top)
		e.done(f)
	case f.stop != nil:
		f.stop()
	}
}

type familyHeap []*family

func (h familyHeap) Len() int           { return len(h) }
func (h familyHeap) Less(i, k int) bool { return h[i].order.before(h[k].order) }
func (h familyHeap) Swap(i, k int) {
	h[i], h[k] = h[k], h[i]
	h[i].index, h[k].index = i, k
}
func (h *familyHeap) Push(x any) {
	f := x.(*family)
	f.index = len(*h)
	*h = append(*h, f)
}
func (h *familyHeap) Pop() any {
	old := *h
	f := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	f.index = -1
	return f
}

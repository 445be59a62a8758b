package engine

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"lamella/lazy"
)

// A request is one call of Stream: the tiles that cover its region, some of them under way.
type request struct {
	ctx      context.Context // ends its planning too
	array    lazy.Array
	region   lazy.Region
	layout   lazy.Layout
	priority Priority
	age      uint64

	next     func() (lazy.Region, bool) // tiles not sent yet
	sent     int
	stop     func()
	families map[*family]bool
	ready    []delivery
	wake     *sync.Cond
	err      error
	stats    Stats

	planned, read chunkSet
}

// A chunkSet is the chunks that a request has counted, so that one whose parts are read apart counts once.
type chunkSet map[lazy.Key]bool

// fresh is how many chunks the tasks read that were not counted before. They are now.
func (s *chunkSet) fresh(tasks []lazy.Task) int {
	n := 0
	for _, t := range tasks {
		if t.Node.Source == nil {
			continue
		}
		if _, parts := t.Node.Source.(lazy.Divider); parts {
			chunk := lazy.ChunkKey(t.Node, t.Key.Tile)
			if (*s)[chunk] {
				continue
			}
			if *s == nil {
				*s = chunkSet{}
			}
			(*s)[chunk] = true
		}
		n++
	}
	return n
}

type delivery struct {
	family *family
	entry  *entry
}

// sortable is the most tiles that are put in order of distance to the pointer; more go in storage order.
const sortable = 4096

// Stream computes region r of a and hands it over piece by piece, nearest to the pointer first, each
// cut to r. Blocks are handed over on the calling goroutine and must not be written to. progress, if not
// nil, is told how many tiles of how many are done.
//
// When ctx ends, Stream returns its error at once and the work that nobody else waits for is stopped.
// When a block does not fit into the budget at all, the error says how much it needs.
func (e *Engine) Stream(ctx context.Context, a lazy.Array, r lazy.Region, p Priority, each func(*lazy.Block) error, progress func(done, total int)) (Stats, error) {
	return e.stream(ctx, a, r, p, progress, func(b *lazy.Block) (bool, error) {
		part := cut(b, r)
		return part == b, each(part)
	})
}

// Lend is Stream for one who looks at each piece and is done with it: when use says that it keeps nothing of a block, its
// memory may serve for another: pieces that are cut from a larger block, one after another, lie in the same.
func (e *Engine) Lend(ctx context.Context, a lazy.Array, r lazy.Region, p Priority, use func(*lazy.Block) (keeps bool, err error), progress func(done, total int)) (Stats, error) {
	var spare []uint64 // of the piece before, which nobody keeps
	return e.stream(ctx, a, r, p, progress, func(b *lazy.Block) (bool, error) {
		if r.Contains(b.Region) {
			return use(b)
		}
		both := b.Region.Intersect(r)
		words := lazy.Words(both, b.DType)
		if len(spare) < words {
			spare = fresh(words)
		}
		part := lazy.NewBlockIn(spare[:words], both, b.DType)
		lazy.CopyRegion(part, b, both)
		keeps, err := use(part)
		if keeps {
			spare = nil
		}
		return false, err
	})
}

// stream hands each tile to use, whole, which says whether it keeps the block.
func (e *Engine) stream(ctx context.Context, a lazy.Array, r lazy.Region, p Priority, progress func(done, total int), use func(*lazy.Block) (bool, error)) (Stats, error) {
	began := time.Now()
	if !a.Valid() || r.Empty() || !a.Meta().Shape.Whole().Contains(r) {
		return Stats{}, fmt.Errorf("engine: region %v is not within the array", r)
	}
	q, total := e.open(ctx, a, r, p)
	return e.serve(ctx, q, total, began, progress, use)
}

// serve hands over the tiles of a request that was opened.
func (e *Engine) serve(ctx context.Context, q *request, total int, began time.Time, progress func(done, total int), use func(*lazy.Block) (bool, error)) (Stats, error) {
	stop := context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.cancel(q, ctx.Err())
		e.admit()
	})
	defer stop()
	done := 0
	for {
		d, ok := e.take(q)
		if !ok {
			break
		}
		kept, err := false, ctx.Err()
		if err == nil {
			kept, err = e.hand(ctx, q, d.entry, use)
		}
		if errors.Is(err, errLost) {
			e.mu.Lock()
			e.cache.unpin(d.entry)
			e.again(d.family)
			e.admit()
			e.mu.Unlock()
			continue
		}
		done++
		if progress != nil && err == nil {
			progress(done, total)
		}
		e.mu.Lock()
		d.entry.given = d.entry.given || kept
		e.cache.unpin(d.entry)
		once := q.priority.Once || q.array.Node().Op != nil
		if q.priority.Tier == Background && once && d.entry.pins == 0 && d.entry.seen == 0 && !d.entry.lost && q.region.Contains(d.family.tile) {
			e.drop(d.entry) // written to a file, all of it, and not looked at again
		}
		if err != nil {
			e.cancel(q, err)
		}
		e.done(d.family)
		e.admit()
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.requests, q)
	if q.priority.Tier == Visible {
		if e.visible--; e.visible == 0 {
			for l := range e.lanes {
				e.lanes[l].cond.Broadcast() // for what waited for its turn
			}
			e.turned.Broadcast()
		}
	}
	q.stats.Seconds = time.Since(began).Seconds()
	q.stats.name()
	e.totals.Seconds += q.stats.Seconds
	return q.stats, q.err
}

// hand brings a finished tile into memory and passes it on.
func (e *Engine) hand(ctx context.Context, q *request, en *entry, use func(*lazy.Block) (bool, error)) (kept bool, err error) {
	b, err := e.bring(ctx, en, q)
	if err != nil {
		return false, err
	}
	return use(b)
}

// Get computes region r of a as one block. It may be the cache's own: it must not be written to.
func (e *Engine) Get(ctx context.Context, a lazy.Array, r lazy.Region, p Priority) (*lazy.Block, Stats, error) {
	if !a.Valid() || r.Empty() || !a.Meta().Shape.Whole().Contains(r) {
		return nil, Stats{}, fmt.Errorf("engine: region %v is not within the array", r)
	}
	bytes := int64(r.Voxels()) * int64(a.Meta().DType.Size())
	if err := e.hold(ctx, bytes, p.Tier); err != nil {
		return nil, Stats{}, err
	}
	defer e.free(bytes)
	return e.assemble(ctx, a, r, p, newBlock)
}

// Fill computes the region of dst of a into dst, which is the caller's own before and after. Filling one block again
// and again touches no new memory, which Get does.
func (e *Engine) Fill(ctx context.Context, a lazy.Array, dst *lazy.Block, p Priority) (Stats, error) {
	if a.Valid() && dst.DType != a.Meta().DType {
		return Stats{}, fmt.Errorf("engine: a block of %v cannot hold an array of %v", dst.DType, a.Meta().DType)
	}
	return e.stream(ctx, a, dst.Region, p, nil, func(b *lazy.Block) (bool, error) {
		lazy.CopyRegion(dst, b, b.Region.Intersect(dst.Region))
		return false, nil
	})
}

// newBlock is a block in memory of its own.
func newBlock(r lazy.Region, d lazy.DType) *lazy.Block {
	return lazy.NewBlockIn(fresh(lazy.Words(r, d)), r, d)
}

// assemble is Get when the memory of its block is held already. A block of several tiles is put together in one that
// space gives.
func (e *Engine) assemble(ctx context.Context, a lazy.Array, r lazy.Region, p Priority, space func(lazy.Region, lazy.DType) *lazy.Block) (*lazy.Block, Stats, error) {
	var out *lazy.Block
	stats, err := e.stream(ctx, a, r, p, nil, func(b *lazy.Block) (bool, error) {
		if b.Region == r {
			out = b
			return true, nil
		}
		if out == nil {
			out = space(r, b.DType)
		}
		lazy.CopyRegion(out, b, b.Region.Intersect(r))
		return false, nil
	})
	if err != nil {
		return nil, stats, err
	}
	return out, stats, nil
}

// cut is the part of a block that lies in r.
func cut(b *lazy.Block, r lazy.Region) *lazy.Block {
	if r.Contains(b.Region) {
		return b
	}
	both := b.Region.Intersect(r)
	part := newBlock(both, b.DType)
	lazy.CopyRegion(part, b, part.Region)
	return part
}

// open registers a request and sends its first tiles.
func (e *Engine) open(ctx context.Context, a lazy.Array, r lazy.Region, p Priority) (q *request, total int) {
	q = &request{ctx: ctx, array: a, region: r, layout: lazy.LayoutFor(r), priority: p, families: map[*family]bool{}}
	q.wake = sync.NewCond(&e.mu)
	q.stats.VoxelsOut = r.Voxels()
	q.stats.VoxelsNeeded = lazy.Needed(a, r)
	q.stats.TasksTotal, q.stats.ChunksTotal = lazy.Totals(a, r)
	q.layout = e.fitting(ctx, q.layout, a, r)
	tiles := q.layout.Tiles(a.Node(), r)
	if total = q.layout.Count(a.Node(), r); total <= sortable && p.Tier == Visible {
		tiles = byDistance(tiles, p)
	}
	q.next, q.stop = iter.Pull(tiles)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seq++
	q.age = e.seq
	if p.Tier == Visible {
		e.visible++
		e.mark = e.seq
		copy(e.marks[:], e.marks[1:])
		e.marks[recent-1] = e.mark
	}
	e.totals.VoxelsOut += q.stats.VoxelsOut
	e.totals.VoxelsNeeded += q.stats.VoxelsNeeded
	if e.closed {
		q.err = ErrClosed
	}
	e.requests[q] = true
	q.stats.PeakBytes = e.used()
	e.refill(q)
	e.admit()
	return q, total
}

// fitting is the layout with the deepest tiles of which one, with all it needs, fits well into the budget.
func (e *Engine) fitting(ctx context.Context, l lazy.Layout, a lazy.Array, r lazy.Region) lazy.Layout {
	e.mu.Lock()
	room := (e.budget - e.held) / 3
	e.mu.Unlock()
	middle := r
	for ax := range lazy.Rank {
		mid := (r.Min[ax] + r.Max[ax]) / 2
		middle.Min[ax], middle.Max[ax] = mid, mid+1
	}
	for {
		next, ok := l.Smaller()
		if !ok {
			return l
		}
		p, err := lazy.BuildUntil(ctx, l, lazy.Query{Array: a, Region: middle}, nil)
		if err != nil {
			return l
		}
		var need int64
		for _, t := range p.Tasks {
			block, scratch := footprint(t)
			need += block + scratch
		}
		if need <= room {
			return l
		}
		l = next
	}
}

func byDistance(tiles iter.Seq[lazy.Region], p Priority) iter.Seq[lazy.Region] {
	all := slices.Collect(tiles)
	slices.SortStableFunc(all, func(a, b lazy.Region) int {
		return p.order(a, 0, 0).distance - p.order(b, 0, 0).distance
	})
	return slices.Values(all)
}

// refill keeps enough families waiting that the workers never lack work, and no more.
func (e *Engine) refill(q *request) {
	for q.err == nil && len(q.families) < 8*e.workers {
		t, ok := q.next()
		if !ok {
			return
		}
		q.sent++
		f := &family{req: q, tile: t, order: q.priority.order(t, q.age, q.sent), index: -1}
		q.families[f] = true
		heap.Push(&e.pending, f)
	}
}

// take waits for the next finished tile; false says that there are no more.
func (e *Engine) take(q *request) (delivery, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(q.ready) == 0 && len(q.families) > 0 && q.err == nil {
		q.wake.Wait()
	}
	if len(q.ready) == 0 {
		q.stop()
		return delivery{}, false
	}
	d := q.ready[0]
	q.ready = q.ready[1:]
	return d, true
}

// cancel ends a request with an error, unless it has one, and takes its work back.
func (e *Engine) cancel(q *request, err error) {
	if q.err != nil {
		return
	}
	q.err = err
	for f := range q.families {
		e.withdraw(f)
	}
	q.wake.Broadcast()
}

package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"lamella/lazy"
)

// ErrClosed is what requests give once the engine has been closed.
var ErrClosed = errors.New("engine: closed")

// Options set the limits of an engine.
type Options struct {
	Memory  int64 // most bytes that blocks may hold at any moment; 0 is a quarter of the machine's memory
	Workers int   // pieces of work computed at a time, and as many read; 0 is one a processor

	// Device runs ops before the processor is asked; nil if there is none. When it fails, other than by
	// declining an op, it is not used again until Use chooses it: Unwell is told once, and the work is done by the processor.
	Device Executor
	Unwell func(error)
}

// An Engine computes regions of arrays and remembers what it computed, within a budget of bytes. Its
// methods may be called from many goroutines.
type Engine struct {
	workers int
	device  atomic.Pointer[device]
	unwell  func(error)
	now     func() time.Time
	ctx     context.Context
	stop    context.CancelFunc
	wg      sync.WaitGroup

	mu        sync.Mutex
	budget    int64
	reserved  int64 // for blocks being made and for what is needed to make them
	peak      int64
	cache     cache
	pool      pool
	jobs      map[lazy.Key]*job
	lanes     [lanes]lane
	loops     []*loop
	pending   familyHeap // waiting for memory
	requests  map[*request]bool
	held      int64          // part of reserved: blocks put together outside the cache
	room      *sync.Cond     // broadcast when memory is given back
	active    int            // families admitted and not done
	narrowing bool           // one family runs alone, piece by piece
	seq       uint64         // counts requests and uses: the clock of ages
	mark      uint64         // age of the newest visible request
	marks     [recent]uint64 // of the last ones, the oldest first
	totals    Stats
	prices    map[cost]mean // ns a voxel on one processor
	paces     map[cost]pace // the same, steadier
	touch     mean          // ns a byte of memory that was never used
	enough    [2]int64      // bytes of each kind that are kept in any case
	visible   int           // requests of what is on view
	behind    int           // pieces of other work that the processor is at
	turned    *sync.Cond    // told when other work may begin
	closed    bool

	prefetch struct {
		sync.Mutex
		cancel context.CancelFunc
	}
}

// DefaultMemory is the budget of an engine that is given none: a quarter of the machine's memory.
func DefaultMemory() int64 { return machineMemory() / 4 }

// New starts an engine. Close ends it.
func New(o Options) *Engine {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory()
	}
	e := &Engine{workers: o.Workers, budget: o.Memory, jobs: map[lazy.Key]*job{}, requests: map[*request]bool{}}
	e.enough = enoughOf
	e.cache.init()
	e.pool.init()
	e.unwell, e.now, e.prices, e.paces = o.Unwell, time.Now, map[cost]mean{}, map[cost]pace{}
	e.Use(o.Device)
	e.room, e.turned = sync.NewCond(&e.mu), sync.NewCond(&e.mu)
	e.ctx, e.stop = context.WithCancel(lazy.WithCrew(context.Background(), e))
	for l := range e.lanes {
		e.lanes[l].cond = sync.NewCond(&e.mu)
		workers := 2 * o.Workers
		if l == fetching {
			workers = max(o.Workers, maxFetching)
		}
		for range workers {
			e.wg.Go(func() { e.work(&e.lanes[l]) })
		}
	}
	return e
}

// Close cancels all work and waits until it has stopped. It leaves nothing on the device, which it does not
// close.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.stop()
	for q := range e.requests {
		e.cancel(q, ErrClosed)
	}
	for l := range e.lanes {
		e.lanes[l].cond.Broadcast()
	}
	e.room.Broadcast()
	e.turned.Broadcast()
	e.mu.Unlock()
	e.wg.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, en := range e.cache.entries {
		e.unplace(en)
	}
}

// SetMemory changes the budget. What the cache holds beyond it is let go at once; blocks in use
// are let go when their work is done.
func (e *Engine) SetMemory(bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.budget = bytes
	e.evict(0, Visible)
	e.admit()
}

// Memory is how many bytes blocks hold now, reservations included, and the budget. Memory that is kept
// for the next blocks comes on top of it, within the budget.
func (e *Engine) Memory() (used, budget int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reserved + e.cache.bytes, e.budget
}

// Clear lets go of every block that nobody is using, as after closing a file or before a measurement.
func (e *Engine) Clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for at := e.cache.order.Front(); at != nil; {
		en := at.Value.(*entry)
		if at = at.Next(); en.pins == 0 {
			e.drop(en)
		}
	}
	e.admit()
}

// Counters is the sum of the work since New.
func (e *Engine) Counters() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.totals
	s.PeakBytes = e.peak
	s.name()
	return s
}

// Cached reports whether region r of a could be had without any work.
func (e *Engine) Cached(a lazy.Array, r lazy.Region) bool {
	n := a.Node()
	e.mu.Lock()
	defer e.mu.Unlock()
	for t := range lazy.LayoutFor(r).Tiles(n, r) {
		if e.cache.find(lazy.Key{Hash: n.Hash, Tile: t}) == nil {
			return false
		}
	}
	return true
}

// Forecast plans a request as if the cache were empty and computes nothing.
func (e *Engine) Forecast(ctx context.Context, a lazy.Array, r lazy.Region) (Stats, error) {
	p, err := lazy.BuildUntil(ctx, lazy.LayoutFor(r), lazy.Query{Array: a, Region: r}, nil)
	if err != nil {
		return Stats{}, err
	}
	s := Stats{
		TasksPlanned: p.Cost.Tasks, ChunksPlanned: p.Cost.Chunks, BytesRead: p.Cost.Stored,
		VoxelsOut: r.Voxels(), VoxelsNeeded: p.Cost.VoxelsNeeded, VoxelsComputed: p.Cost.VoxelsComputed,
		Device: "cpu", PeakBytes: min(p.Cost.Bytes, e.budget),
	}
	s.TasksTotal, s.ChunksTotal = lazy.Totals(a, r)
	return s, nil
}

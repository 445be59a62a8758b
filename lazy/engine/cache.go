package engine

import (
	"container/list"

	"lamella/lazy"
)

// A cache holds finished blocks by key, least recently used first. It never decides by itself to let
// one go: evict does, before something new is admitted, so the budget holds at every moment. It is
// guarded by the engine's lock.
type cache struct {
	entries map[lazy.Key]*entry
	order   list.List // of *entry, least recently used first; pinned ones too
	bytes   int64
	pinned  int64    // bytes of entries with pins
	kinds   [2]int64 // bytes of each kind
}

// An entry is a block, in memory or on a device or both. What is only on a device counts as if it were in
// memory too, so that it can be read back at any moment without waiting for room.
type entry struct {
	key   lazy.Key
	node  *lazy.Node // whose block it is
	kind  int
	dtype lazy.DType
	size  int64
	block *lazy.Block // nil if it is only on a device; it is set once, then stays
	away  *away       // its copy on a device, if any

	fetching chan struct{} // while somebody reads it back: closed when that is over
	lost     bool          // it was only on a device that failed, and has left the cache

	pins  int    // users that still need it; it stays while there is one
	given bool   // a caller has the block itself, so that its memory is not for the pool
	seen  uint64 // when a visible request used it last; 0 if none did
	at    *list.Element
}

func (c *cache) init() { c.entries = map[lazy.Key]*entry{} }

func (c *cache) find(k lazy.Key) *entry { return c.entries[k] }

// put files the block of a task; a nil one is only on a device. It says whether the entry is new.
func (c *cache) put(t lazy.Task, b *lazy.Block) (en *entry, fresh bool) {
	k, d := t.Key, t.Node.Meta.DType
	if old := c.entries[k]; old != nil { // made twice, by a narrow walk and a job: equal by their key
		return old, false
	}
	en = &entry{key: k, node: t.Node, kind: kindOf(t.Node), dtype: d, size: int64(k.Tile.Voxels()) * int64(d.Size()), block: b}
	en.at = c.order.PushBack(en)
	c.entries[k] = en
	c.bytes += en.size
	c.kinds[en.kind] += en.size
	return en, true
}

func (c *cache) pin(en *entry) {
	if en.pins == 0 {
		c.pinned += en.size
	}
	en.pins++
}

func (c *cache) unpin(en *entry) {
	en.pins--
	if en.pins == 0 {
		c.pinned -= en.size
	}
}

func (c *cache) drop(en *entry) {
	c.order.Remove(en.at)
	delete(c.entries, en.key)
	c.bytes -= en.size
	c.kinds[en.kind] -= en.size
}

// used is what blocks, reservations and the pool hold. The caller holds the lock.
func (e *Engine) used() int64 { return e.reserved + e.cache.bytes + e.pool.bytes }

// drop lets a block go, and its copy on a device; its memory is kept for the next of its size.
func (e *Engine) drop(en *entry) {
	e.cache.drop(en)
	e.unplace(en)
	if !en.given && en.block != nil {
		e.pool.put(en.block.Memory())
	}
}

// use notes that a request needs a block: it is now the last to go.
func (e *Engine) use(en *entry, q *request) {
	e.cache.order.MoveToBack(en.at)
	if q.priority.Tier == Visible {
		e.seq++
		en.seen = e.seq
	}
}

// evict makes room for need bytes, if it can: it lets go of blocks that nobody is using, the least
// recently used first. Work that is not on view may not push out what the newest visible request used.
func (e *Engine) evict(need int64, t Tier) bool {
	if e.reserved+e.cache.pinned+need > e.budget {
		return false
	}
	room := func() int64 { return e.budget - e.reserved - e.cache.bytes - need }
	for at := e.cache.order.Front(); at != nil && room() < 0; {
		en := at.Value.(*entry)
		at = at.Next()
		if en.pins > 0 || t != Visible && en.seen > 0 && en.seen >= e.mark {
			continue
		}
		e.drop(en)
	}
	e.pool.shrink(max(0, room()))
	return room() >= 0
}

// reserve takes room for need bytes, or says that there is none now.
func (e *Engine) reserve(need int64, t Tier) bool {
	if !e.evict(need, t) {
		return false
	}
	e.reserved += need
	e.peaks(e.used() - min(need, e.pool.bytes)) // as far as the pool has what it takes
	return true
}

// peaks notes that so many bytes are held.
func (e *Engine) peaks(bytes int64) {
	e.peak = max(e.peak, bytes)
	for q := range e.requests {
		q.stats.PeakBytes = max(q.stats.PeakBytes, bytes)
	}
}

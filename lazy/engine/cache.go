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
	pinned  int64 // bytes of entries with pins
}

type entry struct {
	key   lazy.Key
	block *lazy.Block
	pins  int    // users that still need it; it stays while there is one
	given bool   // a caller has the block itself, so that its memory is not for the pool
	seen  uint64 // when a visible request used it last; 0 if none did
	at    *list.Element
}

func (c *cache) init() { c.entries = map[lazy.Key]*entry{} }

func (c *cache) find(k lazy.Key) *entry { return c.entries[k] }

func (c *cache) put(k lazy.Key, b *lazy.Block) *entry {
	if old := c.entries[k]; old != nil { // made twice, by a narrow walk and a job: equal by their key
		return old
	}
	en := &entry{key: k, block: b}
	en.at = c.order.PushBack(en)
	c.entries[k] = en
	c.bytes += size(b)
	return en
}

func (c *cache) pin(en *entry) {
	if en.pins == 0 {
		c.pinned += size(en.block)
	}
	en.pins++
}

func (c *cache) unpin(en *entry) {
	en.pins--
	if en.pins == 0 {
		c.pinned -= size(en.block)
	}
}

func (c *cache) drop(en *entry) {
	c.order.Remove(en.at)
	delete(c.entries, en.key)
	c.bytes -= size(en.block)
}

func size(b *lazy.Block) int64 { return int64(b.Len()) * int64(b.DType.Size()) }

// used is what blocks, reservations and the pool hold. The caller holds the lock.
func (e *Engine) used() int64 { return e.reserved + e.cache.bytes + e.pool.bytes }

// drop lets a block go; its memory is kept for the next of its size.
func (e *Engine) drop(en *entry) {
	e.cache.drop(en)
	if !en.given {
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
	e.peak = max(e.peak, e.used())
	for q := range e.requests {
		q.stats.PeakBytes = max(q.stats.PeakBytes, e.used())
	}
	return true
}

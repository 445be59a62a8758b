package engine

import (
	"context"
	"time"

	"lamella/lazy"
)

// Prefetch computes regions into the cache, in order, when nothing more urgent is to be done. It
// returns at once, and takes the place of the Prefetch before it: what that had not done is dropped, but for
// what is wanted still, which goes on.
func (e *Engine) Prefetch(ctx context.Context, a lazy.Array, regions ...lazy.Region) {
	e.prefetch.Lock()
	defer e.prefetch.Unlock()
	before := e.prefetch.cancel
	ctx, e.prefetch.cancel = context.WithCancel(ctx)
	for _, r := range regions {
		if !e.guess(ctx, a, r) {
			break
		}
	}
	if before != nil {
		before()
	}
}

// guess has one region computed. It reports whether that is possible.
func (e *Engine) guess(ctx context.Context, a lazy.Array, r lazy.Region) bool {
	if !a.Valid() || r.Empty() || !a.Meta().Shape.Whole().Contains(r) {
		return false
	}
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.wg.Add(1)
	}
	e.mu.Unlock()
	if closed {
		return false
	}
	q, total := e.open(ctx, a, r, Priority{Tier: Prefetch})
	go func() {
		defer e.wg.Done()
		// A guess that fails is tried again, and told, when it is asked for.
		_, _ = e.serve(ctx, q, total, time.Now(), nil, func(*lazy.Block) (bool, error) { return false, nil })
	}()
	return true
}

// Ahead is how many planes further a Prefetch is worth to one who goes from plane to plane along an axis on which a chunk
// measures so many voxels: the next planes, and one half a chunk away, so that the chunks of the next layer come one by
// one before the plane that needs them all.
func Ahead(chunk int) []int { return []int{1, 2, 3, max(4, min(chunk/2, farthest))} }

// farthest is the most planes that are looked ahead, since one may turn around.
const farthest = 32

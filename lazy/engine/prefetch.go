package engine

import (
	"context"

	"lamella/lazy"
)

// Prefetch computes regions into the cache, in order, when nothing more urgent is to be done. It
// returns at once, and takes the place of the Prefetch before it: what that had not done is dropped.
func (e *Engine) Prefetch(ctx context.Context, a lazy.Array, regions ...lazy.Region) {
	e.prefetch.Lock()
	defer e.prefetch.Unlock()
	if e.prefetch.cancel != nil {
		e.prefetch.cancel()
	}
	ctx, e.prefetch.cancel = context.WithCancel(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.wg.Go(func() {
		for _, r := range regions {
			if _, err := e.Stream(ctx, a, r, Priority{Tier: Prefetch}, func(*lazy.Block) error { return nil }, nil); err != nil {
				return // a guess that fails is tried again, and told, when it is asked for
			}
		}
	})
}

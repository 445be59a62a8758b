package engine

import "context"

// hold reserves memory for a block that is put together outside the cache. While other work is under
// way it waits for room, and it leaves half of the budget to the work that fills such blocks. It fails
// when the block cannot fit even alone.
func (e *Engine) hold(ctx context.Context, bytes int64, t Tier) error {
	defer context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.room.Broadcast()
	})()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.closed:
			return ErrClosed
		case e.held > 0 && e.held+bytes > e.budget/2:
		case e.reserve(bytes, t):
			e.held += bytes
			return nil
		case e.active == 0 && e.held == 0:
			if e.reserve(bytes, Visible) {
				e.held += bytes
				return nil
			}
			return &MemoryError{What: "the region asked for", Needs: bytes, Has: e.budget - e.reserved}
		}
		e.room.Wait()
	}
}

func (e *Engine) free(bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reserved -= bytes
	e.held -= bytes
	e.room.Broadcast()
	e.admit()
}

package engine

import "context"

// While something on view is made, half of the workers at most compute or prepare anything else, for an export or as a
// guess. So an export goes on while one turns through planes, and is hardly felt.

// turn reports whether work that is not on view may begin. What runs alone for want of memory is waited for by all. The caller
// holds the lock.
func (e *Engine) turn() bool { return e.visible == 0 || e.narrowing || e.behind < e.half() }

func (e *Engine) half() int { return max(1, e.workers/2) }

// stepBack ends a piece of work that is not on view, and lets the next begin. The caller holds the lock.
func (e *Engine) stepBack() {
	e.behind--
	if e.visible > 0 {
		for l := range e.lanes {
			e.lanes[l].cond.Signal()
		}
		e.turned.Signal()
	}
}

// inTurn does what an export does on the processor outside of a lane, when it is its turn or nobody wants it any more.
func (e *Engine) inTurn(ctx context.Context, work func()) {
	defer context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.turned.Broadcast()
	})()
	e.mu.Lock()
	for !e.turn() && ctx.Err() == nil && !e.closed {
		e.turned.Wait()
	}
	e.behind++
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.stepBack()
	}()
	work()
}

package engine

import (
	"context"
	"errors"
	"slices"
)

// A loop is one of an op that workers of the computing lane help with while they have no job of their own. Its
// fields are guarded by the engine's lock.
type loop struct {
	ctx     context.Context
	part    func(hand, i int)
	next, n int
	hands   []int // that are free
	helpers int
	idle    chan struct{} // closed when the last helper leaves a loop that is over
	err     error         // a fault of a part that a helper ran
}

// Hands implements lazy.Crew.
func (e *Engine) Hands() int { return e.workers }

// Share implements lazy.Crew. The caller works too, so a loop that nobody helps with is done all the same.
func (e *Engine) Share(ctx context.Context, n int, part func(hand, i int)) error {
	l := &loop{ctx: ctx, part: part, n: n, idle: make(chan struct{})}
	for h := 1; h < e.workers; h++ {
		l.hands = append(l.hands, h)
	}
	e.mu.Lock()
	e.loops = append(e.loops, l)
	e.lanes[computing].cond.Broadcast()
	e.mu.Unlock()
	defer e.settle(l) // also when a part panics
	for {
		e.mu.Lock()
		i, ok := l.take()
		e.mu.Unlock()
		if !ok {
			break
		}
		part(0, i)
	}
	e.settle(l)
	return errors.Join(l.err, ctx.Err())
}

// take is the next part; ok is false when none is left or wanted.
func (l *loop) take() (i int, ok bool) {
	if l.next >= l.n || l.err != nil || l.ctx.Err() != nil {
		l.next = l.n
		return 0, false
	}
	l.next++
	return l.next - 1, true
}

// settle ends a loop and waits for its helpers.
func (e *Engine) settle(l *loop) {
	e.mu.Lock()
	l.next = l.n
	e.loops = slices.DeleteFunc(e.loops, func(o *loop) bool { return o == l })
	wait := l.helpers > 0
	e.mu.Unlock()
	if wait {
		<-l.idle
	}
}

// wanting is a loop that one more worker can help with, or nil.
func (e *Engine) wanting() *loop {
	for _, l := range e.loops {
		if l.next < l.n && len(l.hands) > 0 {
			return l
		}
	}
	return nil
}

// help works on a loop until it is over or a job that may begin is ready for the worker. The caller holds the lock.
func (e *Engine) help(l *loop, lane *lane) {
	hand := l.hands[len(l.hands)-1]
	l.hands = l.hands[:len(l.hands)-1]
	l.helpers++
	for !e.mayBegin(lane) && !e.closed { // as in wait, or the worker would go to and fro between them
		i, ok := l.take()
		if !ok {
			break
		}
		lane.helping++
		e.mu.Unlock()
		err := l.run(hand, i)
		e.mu.Lock()
		lane.helping--
		if err != nil && l.err == nil {
			l.err = err
		}
	}
	l.hands = append(l.hands, hand)
	if l.helpers--; l.helpers == 0 && l.next >= l.n && !slices.Contains(e.loops, l) {
		close(l.idle)
	}
}

func (l *loop) run(hand, i int) (err error) {
	defer recovered("a part of a loop", &err)
	l.part(hand, i)
	return nil
}

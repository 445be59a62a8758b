package store

import (
	"container/list"
	"errors"
	"os"
	"sync"
)

// ErrClosed is what reads of a file give once it, or its store, has been closed.
var ErrClosed = errors.New("closed while in use")

// maxHandles is how many files the process holds open for reading. Systems allow 256 as a rule,
// and the window, sockets and devices want their share.
const maxHandles = 64

// handles is shared by all stores, since the limit is one of the process.
var handles = pool{limit: share(allowed())}

// share is what reading may have of the files that the process may have open: a quarter, for what is written, listed
// and asked of servers needs the rest.
func share(allowed uint64) int { return int(max(4, min(maxHandles, allowed/4))) }

// A pool lends out system handles. A file keeps its handle between reads until another file needs
// the place: then the one that has been idle longest is closed, and opened again at its next read.
type pool struct {
	mu      sync.Mutex
	free    sync.Cond // a place, or a handle that was being opened, became available
	limit   int
	open    int       // handles open or being opened
	waiting int       // callers in free.Wait
	idle    list.List // of *lease, longest idle first
}

// A lease is one file's claim on the pool. All fields but reopen belong to the pool's lock.
type lease struct {
	reopen  func() (*os.File, error)
	handle  *os.File
	readers int
	opening bool
	closed  bool
	place   *list.Element // in idle, while handle is open and readers is 0
}

// acquire gives the open handle of l, which stays open until release.
func (p *pool) acquire(l *lease) (*os.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free.L = &p.mu
	for {
		if l.closed {
			return nil, ErrClosed
		}
		if l.handle != nil {
			if l.place != nil {
				p.idle.Remove(l.place)
				l.place = nil
			}
			l.readers++
			return l.handle, nil
		}
		if !l.opening && (p.open < p.limit || p.evict()) {
			break
		}
		p.waiting++
		p.free.Wait()
		p.waiting--
	}
	l.opening = true
	p.open++
	p.mu.Unlock()
	h, err := l.reopen() // may be slow: not under the lock
	p.mu.Lock()
	l.opening = false
	p.wake()
	if err == nil && l.closed {
		h.Close()
		err = ErrClosed
	}
	if err != nil {
		p.open--
		return nil, err
	}
	l.handle, l.readers = h, 1
	return h, nil
}

// release ends one reader's use of l.
func (p *pool) release(l *lease) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.readers--; l.readers > 0 {
		return
	}
	if l.closed {
		p.drop(l)
	} else {
		l.place = p.idle.PushBack(l)
	}
	p.wake()
}

// close ends l: reads under way find out at their next step, and the last of them drops the handle.
func (p *pool) close(l *lease) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.closed = true
	if l.handle != nil && l.readers == 0 {
		p.drop(l)
	}
	p.wake()
}

// ended reports whether l was closed.
func (p *pool) ended(l *lease) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return l.closed
}

// evict closes the handle that was idle longest, if any is idle.
func (p *pool) evict() bool {
	e := p.idle.Front()
	if e == nil {
		return false
	}
	p.drop(e.Value.(*lease))
	return true
}

func (p *pool) drop(l *lease) {
	if l.place != nil {
		p.idle.Remove(l.place)
		l.place = nil
	}
	l.handle.Close()
	l.handle = nil
	p.open--
}

func (p *pool) wake() {
	if p.waiting > 0 {
		p.free.Broadcast()
	}
}

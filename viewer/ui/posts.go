package ui

import "sync/atomic"

// posts are functions that are to run on the toolkit's goroutine, in order. The toolkit takes a single one from its own queue
// between two frames: where a frame takes long to draw, on a software renderer or over a network, a queue of them would run later and
// later. So it is given one that runs all that have gathered.
type posts struct {
	newest atomic.Pointer[posted]
}

// A posted is one of them, with the one that was given before it.
type posted struct {
	run    func()
	before *posted
}

// add takes a function in, and reports whether it is the first since run, so that run is to be called.
func (p *posts) add(f func()) (first bool) {
	for {
		before := p.newest.Load()
		if p.newest.CompareAndSwap(before, &posted{f, before}) {
			return before == nil
		}
	}
}

// run runs all that have been added, the oldest first. What they add themselves waits for the next time.
func (p *posts) run() {
	var oldest *posted
	for n := p.newest.Swap(nil); n != nil; {
		n, n.before, oldest = n.before, oldest, n
	}
	for n := oldest; n != nil; n = n.before {
		n.run()
	}
}

package viewer

import (
	"reflect"
	"slices"
	"time"

	"lamella/lazy"
)

// Readiness is what it would take to show a plane.
type Readiness uint8

// From what is to be computed, or was only for other filters, to what is there.
const (
	Unready  Readiness = iota
	Stale              // it was there for the filters before these
	Underway           // it is being computed, or will be when there is nothing else to do
	Ready              // it could be shown at once
)

// Readiness is looked up for so many stretches of an axis, and so many pieces, at most.
const (
	stretches = 256
	lookups   = 1 << 14
)

// quiet is how long the loop waits after a change before it looks up readiness, which scrubbing is not to wait
// for, and again is how long until it looks anew at what is being computed ahead.
const (
	quiet = 120 * time.Millisecond
	again = 500 * time.Millisecond
)

// A survey is the readiness of each axis that has a slider, in even stretches, and the state of the chunks on view.
type survey struct {
	ready  [lazy.Rank][]Readiness
	chunks []Chunk
	stages []Stage
}

// survey looks up what is ready, on a goroutine of its own, and passes it on.
func (l *loop) survey() {
	w, before, ahead := l.shown.wish, l.before, l.ahead
	if l.job != nil {
		w = l.job.wish
		ahead = append(slices.Clone(ahead), w.state.At)
	}
	if l.report.Pane > 0 || w.scene == nil {
		return
	}
	if l.surveying { // what that one finds may be of a wish that is past
		l.unlooked = true
		return
	}
	l.surveying, l.unlooked, l.looked = true, false, time.Now()
	l.work.Go(func() {
		select {
		case l.surveys <- l.look(w, before, ahead):
		case <-l.ctx.Done():
		}
	})
}

// look is the survey of a wish. It touches nothing of the loop but the engine.
func (l *loop) look(w, before wish, ahead []lazy.Index) (found survey) {
	_, _, normal := w.state.Cut.Axes()
	ready := func(w wish, s State) bool {
		for _, c := range s.Shown() {
			if q, ok := w.scene.Request(s, c); ok && !l.o.Engine.Cached(q.Array, q.Region) {
				return false
			}
		}
		return true
	}
	for _, axis := range []lazy.Axis{normal, lazy.T} {
		n := w.scene.Meta().Shape[axis]
		if n < 2 || !w.scene.part.Empty() {
			continue
		}
		parts := make([]Readiness, min(n, stretches, max(1, lookups/max(1, w.pieces()))))
		for i := range parts {
			if l.ctx.Err() != nil {
				return found
			}
			s := w.state
			s.At[axis] = (2*i + 1) * n / (2 * len(parts))
			if len(parts) == n {
				s.At[axis] = i
			}
			switch {
			case ready(w, s):
				parts[i] = Ready
			case before.scene != nil && before.scene.image == w.scene.image && ready(before, s):
				parts[i] = Stale
			}
		}
		for _, at := range ahead {
			if i := at[axis] * len(parts) / n; i < len(parts) && parts[i] != Ready {
				parts[i] = Underway
			}
		}
		found.ready[axis] = parts
	}
	found.chunks = w.scene.chunks(w.state, l.o.Engine.Cached)
	found.stages = w.scene.stages(w.state, l.o.Engine.States, l.o.Engine.Prices)
	return found
}

// pieces is how many pieces of work a picture of the wish is made of.
func (w wish) pieces() (n int) {
	for _, c := range w.state.Shown() {
		if q, ok := w.scene.Request(w.state, c); ok {
			n += lazy.LayoutFor(q.Region).Count(q.Array.Node(), q.Region)
		}
	}
	return n
}

// lookSoon has readiness looked up when it is quiet, or now and then where it never is, as while playing.
func (l *loop) lookSoon() {
	if time.Since(l.looked) > again {
		l.survey()
	}
	l.lull.Reset(quiet)
}

// surveyed takes a survey in, and has another made as long as something changes.
func (l *loop) surveyed(s survey) {
	l.surveying = false
	if l.unlooked {
		l.survey()
	}
	changed := !slices.Equal(s.chunks, l.report.Chunks) || !reflect.DeepEqual(s.stages, l.report.Stages)
	for a := range s.ready {
		changed = changed || !slices.Equal(s.ready[a], l.report.Ready[a])
	}
	if changed {
		l.report.Ready, l.report.Chunks, l.report.Stages = s.ready, s.chunks, s.stages
		l.tell()
		l.lull.Reset(again)
	}
}

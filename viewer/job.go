package viewer

import (
	"context"
	"sync/atomic"
	"time"

	"lamella/lazy/engine"
)

// A job fetches the voxels that a wish lacks.
type job struct {
	wish
	ctx      context.Context
	cancel   context.CancelFunc
	patience *time.Timer
	late     bool // the picture of another plane has been greyed
	news     bool // pieces came in since the picture was drawn

	cuts     map[int]*Cut // of the channels drawn; all whole once left is 0
	samples  map[int]*Cut // whole planes to find limits from, where the cuts do not hold them
	preview  map[int]*Cut // of a coarse level
	labelled bool         // the overlay is there
	left     int          // fetches under way, previews not counted
	waiting  int          // previews under way
	fetched  int          // cuts that are being fetched
	arrived  map[piece]int
	ready    []piece        // pieces that all cuts have
	guess    map[int]Limits // of channels whose limits are to be found, from the pieces so far
	cost     engine.Stats

	done, total atomic.Int64
}

// piece is a rectangle of samples.
type piece struct{ rows, cols span }

// A plan is what a wish needs: cuts that are there, cuts that are missing, and the whole planes
// from which pending limits are to be found, where the cuts do not hold them.
type plan struct {
	have    map[int]*Cut
	missing map[int]Request
	samples map[int]Request
}

func (l *loop) plan(w wish) plan {
	p := plan{map[int]*Cut{}, map[int]Request{}, map[int]Request{}}
	for _, c := range w.state.Shown() {
		q, ok := w.scene.Request(w.state, c)
		if !ok {
			continue
		}
		if cut := l.shown.cuts[c]; cut != nil && l.shown.state.Cut == w.state.Cut && cut.covers(q) {
			p.have[c], q = cut, cut.Request
		} else {
			p.missing[c] = q
		}
		if rule := w.state.Channels[c].Rule; rule.Pending && rule.Kind != Whole {
			if sq, ok := w.scene.sampleRequest(w.state, c, rule.Kind); ok && !q.covers(sq) {
				p.samples[c] = sq
			}
		}
	}
	if q, stands, ok := w.scene.overlayRequest(w.state); ok {
		if cut := l.shown.cuts[overlaid]; cut != nil && l.shown.state.Cut == w.state.Cut && cut.covers(q) {
			stands(cut)
			p.have[overlaid] = cut
		} else {
			p.missing[overlaid] = q
		}
	}
	return p
}

// nothingMissing reports whether the wish can be drawn now.
func (p plan) nothingMissing() bool { return len(p.missing) == 0 && len(p.samples) == 0 }

// answers reports whether what j fetches is all that p misses.
func (j *job) answers(p plan, o Orientation) bool {
	if j.state.Cut != o {
		return false
	}
	for c, q := range p.missing {
		if cut := j.cuts[c]; cut == nil || !cut.covers(q) {
			return false
		}
	}
	for c, q := range p.samples {
		if cut := j.samples[c]; cut == nil || !cut.covers(q) {
			return false
		}
	}
	return true
}

// start begins a job for what p misses.
func (l *loop) start(w wish, p plan) {
	j := &job{wish: w, cuts: p.have, samples: map[int]*Cut{}, arrived: map[piece]int{}, guess: map[int]Limits{}}
	j.ctx, j.cancel = context.WithCancel(l.ctx)
	j.patience = time.NewTimer(l.o.Patience)
	l.job, l.report.Err = j, nil
	if q, missing := p.missing[overlaid]; missing {
		_, stands, _ := w.scene.overlayRequest(w.state)
		j.cuts[overlaid] = l.newOverlay(w.scene, q, stands, w.state.Cut)
		j.left++
		l.fetch(j, j.cuts[overlaid], forLabels)
		delete(p.missing, overlaid)
	}
	j.labelled = p.have[overlaid] != nil
	for c, q := range p.missing {
		j.cuts[c] = l.newCut(w.scene, q, w.state.Cut)
		j.left++
		j.fetched++
		l.fetch(j, j.cuts[c], forPicture)
	}
	for c, q := range p.samples {
		j.samples[c] = l.newCut(w.scene, q, w.state.Cut)
		j.left++
		l.fetch(j, j.samples[c], forLimits)
	}
}

// startPreview begins to fetch a coarse level to stand in for what takes long.
func (l *loop) startPreview() {
	j := l.job
	level, ok := j.scene.preview(j.scene.level(j.state))
	if !ok {
		return
	}
	j.preview = map[int]*Cut{}
	for _, c := range j.state.Shown() {
		if q, ok := j.scene.requestAt(j.state, c, level); ok {
			j.preview[c] = l.newCut(j.scene, q, j.state.Cut)
			j.waiting++
			l.fetch(j, j.preview[c], forPreview)
		}
	}
}

// guessFrom widens the limits that an unfinished picture is drawn with by those of a piece.
func (j *job) guessFrom(e event) {
	for c, cut := range j.cuts {
		if c == overlaid {
			continue
		}
		if rule := j.state.Channels[c].Rule; cut != e.cut || !rule.Pending || rule.Kind == Whole {
			continue
		}
		l, ok := Find(e.block, Rule{Kind: Robust})
		if was, had := j.guess[c]; ok && had {
			l = Limits{min(l.Low, was.Low), max(l.High, was.High)}
		}
		if ok {
			j.guess[c] = l
		}
	}
}

// guessed is the wish with such limits for the channels whose own are to be found.
func (j *job) guessed() wish {
	w := j.wish
	for c, l := range j.guess {
		if w.state.Channels[c].Rule.Pending {
			w.state = w.state.withChannel(c, func(c *Channel) { c.Limits = l })
		}
	}
	return w
}

// complete is the cuts of channels of which nothing is missing.
func (j *job) complete() map[int]*Cut {
	all := map[int]*Cut{}
	for c, cut := range j.cuts {
		if c != overlaid && cut.whole() {
			all[c] = cut
		}
	}
	return all
}

// progress is how many tiles of how many are done.
func (j *job) progress() (done, total int) { return int(j.done.Load()), int(j.total.Load()) }

// hear takes in what a fetch says.
func (l *loop) hear(e event) {
	j := e.job
	if j != l.job { // of a job that has been dropped
		return
	}
	if e.block != nil {
		rows, cols := e.cut.put(e.block, j.state.Cut)
		j.guessFrom(e)
		close(e.seen)
		if e.kind == forPicture && cols.max > cols.min {
			p := piece{rows, cols}
			if j.arrived[p]++; j.arrived[p] == j.fetched {
				j.ready = append(j.ready, p)
				j.news = true
			}
		}
		return
	}
	if e.kind == forPreview {
		if j.waiting--; e.err != nil {
			j.preview = nil
		}
		j.news = true
		return
	}
	if e.err != nil {
		l.drop()
		l.report.Err = e.err
		l.drawStale(j.wish)
		l.tell()
		return
	}
	if e.kind == forLabels {
		j.labelled, j.news = true, true
	}
	if e.kind == forPicture {
		j.news = true // a channel is complete
		j.cost = sum(j.cost, e.stats)
	}
	if j.left--; j.left == 0 {
		l.drop()
		if j.fetched > 0 { // else it had the plane already, and looked for limits or labels alone
			l.report.Cost = j.cost
		}
		l.shown = view{j.wish, j.cuts}
		l.finish(j.samples)
		l.lull.Reset(quiet)
		l.read()
		l.tell()
	}
}

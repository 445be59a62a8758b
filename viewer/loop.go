package viewer

import (
	"context"
	"sync"
	"time"

	"lamella/lazy"
)

// A loop is the goroutine behind a Session. It alone holds cuts and draws frames, so nothing it
// touches needs a lock; the window reaches it by channels that hold only the newest wish.
type loop struct {
	o      Options
	frames *frames
	found  func(sc *Scene, channel int, r Rule, l Limits)

	wants    chan wish
	hovers   chan *point
	backdrop chan Backdrop
	cancels  chan struct{}
	events   chan event   // from fetches
	readings chan Readout // from probes
	asks     chan *asking
	ctx      context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup // fetches under way
	last     func() error   // set before stop
	ended    chan struct{}

	// Below here everything belongs to the goroutine.
	composer  composer
	looks     [2][]*look
	drawn     [2][]layer
	names     *[256]uint32 // the colours of labels; nil before the first
	counted   *Cut         // what the reported histogram is of
	made      []*Cut       // some of which nobody looks at any more
	shown     view         // what has been computed last
	job       *job         // what is being computed, nil if nothing
	report    Report
	pointer   *point
	probe     context.CancelFunc
	finding   context.CancelFunc // of the question that is worked on
	asked     string             // its key
	scroll    scroll
	ahead     []lazy.Index // planes that are computed before they are asked for
	before    wish         // what was on view last with other filters
	lull      *time.Timer  // after which readiness is looked up
	surveys   chan survey
	surveying bool
	unlooked  bool      // another survey was asked for while one was under way
	looked    time.Time // when readiness was looked up last
	sampling  *sampling
	chunks    chan sampledChunk
	stands    bool // shown is greyed, for the chain on view cannot be done
}

// A wish is a State with its Scene.
type wish struct {
	scene *Scene
	state State
}

// point is a device pixel of the viewport.
type point struct{ x, y float64 }

// A view is a wish with the voxels for it, one cut for each channel drawn.
type view struct {
	wish
	cuts map[int]*Cut
}

// startLoop begins the goroutine behind picture number pane.
func startLoop(o Options, pane int, found func(*Scene, int, Rule, Limits)) *loop {
	if o.Patience == 0 {
		o.Patience = 80 * time.Millisecond
	}
	l := &loop{
		o: o, frames: newFrames(), found: found,
		wants: make(chan wish, 1), hovers: make(chan *point, 1), backdrop: make(chan Backdrop, 1), cancels: make(chan struct{}, 1),
		events: make(chan event, 16), readings: make(chan Readout), asks: make(chan *asking, 1), surveys: make(chan survey), chunks: make(chan sampledChunk), ended: make(chan struct{}),
	}
	l.report.Pane = pane
	l.ctx, l.stop = context.WithCancel(context.Background())
	go l.run()
	return l
}

// newest puts v into a channel that holds one value, in place of one that nobody has taken.
func newest[V any](c chan V, v V) {
	for {
		select {
		case c <- v:
			return
		case <-c:
		}
	}
}

func (l *loop) want(sc *Scene, s State) { newest(l.wants, wish{sc, s}) }
func (l *loop) hover(p *point)          { newest(l.hovers, p) }
func (l *loop) setBackdrop(b Backdrop)  { newest(l.backdrop, b) }
func (l *loop) cancel()                 { newest(l.cancels, struct{}{}) }

// close ends the goroutine, which then does what is to be done last.
func (l *loop) close(last func() error) {
	l.last = last
	l.stop()
}

// refresh is how often an unfinished picture is drawn again while its pieces come in.
const refresh = 50 * time.Millisecond

func (l *loop) run() {
	defer close(l.ended)
	l.lull = time.NewTimer(quiet)
	defer l.lull.Stop()
	tick := time.NewTicker(refresh)
	tick.Stop()
	defer tick.Stop()
	for {
		var patience <-chan time.Time
		if l.job != nil && !l.job.late {
			patience = l.job.patience.C
		}
		select {
		case <-l.ctx.Done():
			l.drop()
			l.work.Wait()
			if l.last != nil {
				l.last()
			}
			return
		case w := <-l.wants:
			l.take(w)
			l.lookSoon()
			if l.job == nil || !l.job.late { // one that goes on is drawn as before
				tick.Stop()
			}
		case <-patience:
			l.job.late = true
			l.startPreview()
			l.drawUnfinished()
			l.tell()
			tick.Reset(refresh)
		case <-tick.C:
			if l.job == nil {
				tick.Stop()
				break
			}
			if l.job.news {
				l.drawUnfinished()
				if l.job.state.Chunks {
					l.survey()
				}
			}
			l.tell()
		case e := <-l.events:
			l.hear(e)
		case r := <-l.readings:
			if was := l.report.Readout; was.Valid && was.Voxel == r.Voxel {
				l.report.Readout = r
				l.tell()
			}
		case <-l.lull.C:
			l.survey()
			l.sample()
		case c := <-l.chunks:
			l.hearSample(c)
		case s := <-l.surveys:
			l.surveyed(s)
		case q := <-l.asks:
			l.find(q)
		case p := <-l.hovers:
			l.pointer = p
			l.read()
			l.tell()
		case <-l.cancels:
			if l.job != nil {
				l.drawUnfinished()
				l.drop()
				l.tell()
			}
		case l.o.Backdrop = <-l.backdrop:
			l.drawShown()
		}
	}
}

// take turns to a new wish: at once with what is there, else by a job.
func (l *loop) take(w wish) {
	if w.scene == nil {
		l.rest()
		return
	}
	l.scroll = l.scroll.next(w)
	if l.stands = w.scene.Fault != nil; l.stands {
		l.stand(w)
		return
	}
	if s := l.shown.scene; s != nil && s.chain != w.scene.chain && s != w.scene {
		l.before = l.shown.wish
	}
	p := l.plan(w)
	if l.shown.scene != nil && l.shown.scene.image != w.scene.image {
		l.shown = view{}
	}
	switch {
	case p.nothingMissing():
		l.drop()
		l.report.Err = nil
		l.shown = view{w, p.have}
		l.finish(nil)
	case l.job != nil && l.job.answers(p, w.state.Cut):
		for c, cut := range p.have {
			if l.job.cuts[c] == nil {
				l.job.cuts[c] = cut
			}
		}
		l.job.wish = w
		l.drawMoved(w)
	default:
		l.drop()
		l.start(w, p)
		l.drawMoved(w)
	}
	l.read()
	l.tell()
}

// rest ends all work, for there is no such picture now.
func (l *loop) rest() {
	l.drop()
	l.shown, l.counted, l.report.Err, l.report.Readout = view{}, nil, nil, Readout{}
	l.tell()
}

// stand keeps the last picture, greyed, while the chain cannot be done.
func (l *loop) stand(w wish) {
	l.drop()
	l.report.Err = nil
	if l.shown.scene != nil {
		l.publish(w.state, l.shown, true, nil)
	}
	l.read()
	l.tell()
}

// drop cancels the job.
func (l *loop) drop() {
	if l.job != nil {
		l.job.cancel()
		l.job.patience.Stop()
		l.job = nil
	}
	l.report.Busy = false
}

// tell passes the report on.
func (l *loop) tell() {
	l.report.Slow = l.job != nil && l.job.late
	if l.job != nil {
		l.report.Busy = true
		l.report.Done, l.report.Total = l.job.progress()
	}
	if l.o.OnReport != nil {
		l.report.Used, l.report.Budget = l.o.Engine.Memory()
		l.o.OnReport(l.report)
	}
}

// A scroll is how the position moves from wish to wish, to guess which plane is next.
type scroll struct {
	at   lazy.Index
	axis lazy.Axis
	step int
	run  int // how many steps in a row have gone the same way
}

func (s scroll) next(w wish) scroll {
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X, lazy.T} {
		if d := w.state.At[a] - s.at[a]; d != 0 {
			next := scroll{w.state.At, a, d, 0}
			if s.axis == a && s.step == d {
				next.run = s.run + 1
			}
			return next
		}
	}
	s.at = w.state.At
	return s
}

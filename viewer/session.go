package viewer

import (
	"context"
	"time"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// Options say what a Session works with and whom it tells.
type Options struct {
	Engine *engine.Engine

	// OpenFile opens a file that a filter names, such as the PSF of a deconvolution. It is called from a goroutine of the
	// Session. Without it such filters cannot be done.
	OpenFile func(ctx context.Context, name string) (lazy.Dataset, error)

	// Post runs a function on the goroutine that calls the Session's methods; a toolkit's "do on
	// the main thread" is one. It must not wait for that function.
	Post func(func())

	// The callbacks may be nil. OnFrame and OnReport come from a goroutine of the Session and must
	// be quick; OnState comes by Post, when limits were found.
	OnFrame  func()
	OnReport func(Report)
	OnState  func()

	// Patience is how long the picture of another plane stands before it is greyed; 0 is 80 ms.
	Patience time.Duration

	Backdrop Backdrop
}

// A Session shows one dataset: it holds the State, has the engine compute what is missing and
// gives Frames. Its methods are called from one goroutine, that of the window, and never wait.
type Session struct {
	opened  *lazy.Dataset // as it is in the file
	set     *lazy.Dataset // with the images that were made of its own
	state   State
	scene   *Scene
	history history
	limits  map[string][]Limits // what each sequence of filters was last shown with
	answers map[string]answer   // to the questions that filters have asked of the voxels
	files   map[string]file     // that filters name
	remake  bool                // there is a new answer, so the scene is to be made again

	measuring, profiling, listing context.CancelFunc // questions that are worked on, nil before the first

	loop    *loop   // of the first picture
	beside  []*loop // of the others; those that the State has no picture for rest
	options Options
	sides   map[against]*side // of comparisons

	watching   *watching // a deconvolution, nil if none is
	psfs       map[[16]byte]psf
	sounded    [16]byte           // the PSF that is being read
	sounding   context.CancelFunc // of it
	neighbours map[int]*neighbour // images beside the one on view, by their numbers

	overview     *loop // of the whole plane; nil before it is asked for
	overviewSize int   // its longer side, in device pixels; 0 is none
}

// Open shows the first image of a dataset. The dataset is closed by Close. A dataset without an
// image is refused.
func Open(set *lazy.Dataset, o Options) (*Session, error) {
	sc, err := NewScene(set, 0, nil)
	if err != nil {
		return nil, err
	}
	s := &Session{opened: set, set: set, scene: sc, limits: map[string][]Limits{}, answers: map[string]answer{}, files: map[string]file{}}
	s.state = sc.clamp(opening(sc, 0, State{}))
	s.start(o)
	return s, nil
}

// start begins the goroutine behind the first picture.
func (s *Session) start(o Options) {
	s.options = o
	s.loop = startLoop(o, 0, s.found(0))
}

// found takes in the limits that picture number pane has found.
func (s *Session) found(pane int) func(of *Scene, c int, r Rule, l Limits) {
	return func(of *Scene, c int, r Rule, l Limits) {
		s.options.Post(func() {
			switch {
			case (s.scene == of || s.watching.has(of)) && pane == 0:
				s.change(Found(c, r, l)(s.scene, s.state))
			case s.foundNeighbour(of, c, r, l):
			case !s.foundBeside(of, c, r, l): // other filters by now, so other values
				return
			}
			if s.options.OnState != nil {
				s.options.OnState()
			}
		})
	}
}

// State is what is on view.
func (s *Session) State() State { return s.state }

// Scene is what the State's image and filters amount to.
func (s *Session) Scene() *Scene { return s.scene }

// Set is the dataset on view, with the images that were made of its own after these.
func (s *Session) Set() *lazy.Dataset { return s.set }

// Opened is the dataset as it was opened.
func (s *Session) Opened() *lazy.Dataset { return s.opened }

// Act changes what is on view. What it makes of the picture is one step to undo.
func (s *Session) Act(a Action) { s.act(a, false) }

// Drag is Act for one of the many changes of a gesture, which together are one step to undo.
// Settle ends the gesture.
func (s *Session) Drag(a Action) { s.act(a, true) }

// Settle ends a gesture.
func (s *Session) Settle() { s.history.open = false }

func (s *Session) act(a Action, gesture bool) {
	before := s.made() // limits of a side change at once
	next := s.sided(a)
	if next.Image != s.state.Image {
		s.open(next.Image)
		return
	}
	s.change(next)
	s.history = s.history.did(before, s.made(), gesture)
}

// open shows another image of the dataset from the start.
func (s *Session) open(img int) {
	sc, err := NewScene(s.set, img, nil)
	if err != nil { // no such image: what is on view stays
		return
	}
	s.history, s.limits = history{}, map[string][]Limits{}
	s.scene = sc
	derived := s.state.Derived
	s.state = sc.clamp(opening(sc, img, s.state))
	s.state.Derived = derived
	s.want()
}

// change takes a new State for the same image.
func (s *Session) change(next State) {
	if !(made{sizes: next.Sizes, slab: next.Slab, chain: next.Chain}).equal(made{sizes: s.state.Sizes, slab: s.state.Slab, chain: s.state.Chain}) || next.Overlay.under() != s.state.Overlay.under() || s.remake {
		s.remake = false
		sc, err := s.make(next)
		if err != nil {
			return
		}
		if sc.Fault != nil {
			sc = sc.standing(s.scene)
		}
		next = s.recall(sc, next)
		s.scene = sc
	}
	if !equalChains(next.Aside, s.state.Aside) {
		s.sides = nil
	}
	s.state = s.scene.clamp(next)
	s.want()
}

// recall gives channels the limits that they last had with the same filters, whatever the filters'
// values: gradients and sums have another range than what they are made from. With filters that are
// new the limits are to be found again.
func (s *Session) recall(sc *Scene, next State) State {
	was, will := s.scene.kinds, sc.kinds
	if was == will {
		return next
	}
	var now []Limits
	found := true
	for _, c := range s.state.Channels {
		now, found = append(now, c.Limits), found && !c.Rule.Pending
	}
	if found {
		s.limits[was] = now
	}
	known := s.limits[will]
	for i := range next.Channels {
		next = next.withChannel(i, func(c *Channel) {
			if i < len(known) && !s.state.Channels[i].Rule.Pending {
				c.Limits = known[i]
				return
			}
			c.Rule = Rule{Kind: Robust, Pending: true}
		})
	}
	return next
}

// Undo takes the newest step back and reports whether there was one. A step whose writing has been undone
// letter by letter is as good as taken back.
func (s *Session) Undo() bool {
	now := s.made()
	m, h, ok := s.history.undo(now)
	for ok && m.equal(now) && len(h.past) > 0 {
		m, h, ok = h.undo(m)
	}
	return s.back(m, h, ok)
}

// Redo does again what Undo took back, and reports whether there was anything.
func (s *Session) Redo() bool {
	now := s.made()
	m, h, ok := s.history.redo(now)
	for ok && m.equal(now) && len(h.future) > 0 {
		m, h, ok = h.redo(m)
	}
	return s.back(m, h, ok)
}

func (s *Session) back(m made, h history, ok bool) bool {
	if !ok {
		return false
	}
	s.change(s.state.with(m))
	// Limits come back as they were, not as recalled for the filters.
	s.state.Channels = m.channels
	s.restore(m.side)
	s.want()
	s.history = h
	return true
}

// CanUndo and CanRedo report whether there is a step to take back or to do again.
func (s *Session) CanUndo() bool { return len(s.history.past) > 0 }

// CanRedo reports whether there is a step to do again.
func (s *Session) CanRedo() bool { return len(s.history.future) > 0 }

// Closed is closed once all work has stopped and the dataset is closed.
func (s *Session) Closed() <-chan struct{} { return s.loop.ended }

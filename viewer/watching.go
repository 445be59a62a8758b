package viewer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// A watching is the Trial of the State as far as it has come. It belongs to the Session's goroutine; each stage is worked on
// beside it, behind what is on view, and the engine holds what was found.
type watching struct {
	of       *Scene // that it is of
	trial    filters.Trial
	hash     [16]byte // of the first iteration, which says all
	at       int      // the time point
	channels []int
	support  filters.Support
	psf      *PSF

	reached int // iterations
	going   int // the stage that is worked on, 0 if none
	stop    context.CancelFunc
	courses map[int][]filters.Progress // of the channels
	pace    float64                    // seconds an iteration
	scenes  map[int]*Scene             // by iterations
	err     error

	apart     *Apart // nil before it is asked for
	comparing context.CancelFunc
}

// A Watched says how far the Trial of the State has come.
type Watched struct {
	Stages    []int // whose picture is there
	All       []int // stages up to Until
	Iteration int   // on view; 0 is the stored voxels
	Going     int   // what is worked on; 0 if nothing is
	Until     int
	Course    []Progress // of the active channel
	Seconds   float64    // an iteration has taken; 0 before the first
	Left      float64    // seconds, at that pace; 0 if nothing is under way
	Memory    int64      // bytes that it takes at once
	Box       lazy.Region
	Part      bool   // more is on view than the box
	Others    bool   // there are pictures that show the stored voxels, beside the one that shows it
	Padded    [3]int // voxels that are computed for it, along z, y and x
	PSF       *PSF   // nil while it is being read
	Support   Support
	Whole     Work // what the step takes for all of the image
	Apart     *Apart
	Comparing bool
	Err       error // why it cannot be done
}

// What the window shows of a deconvolution, so that widgets know one package alone.
type (
	// A Progress says how far an iteration has brought a deconvolution.
	Progress = filters.Progress
	// A Support is the part of a PSF that holds nearly all of its light.
	Support = filters.Support
	// A Work is what a deconvolution takes for all of an image.
	Work = filters.Work
)

// has reports whether a scene is a picture of the trial.
func (w *watching) has(of *Scene) bool {
	if w == nil || of == nil {
		return false
	}
	for _, sc := range w.scenes {
		if sc == of {
			return true
		}
	}
	return false
}

// end stops what is worked on.
func (w *watching) end() {
	if w == nil {
		return
	}
	if w.stop != nil {
		w.stop()
	}
	if w.comparing != nil {
		w.comparing()
	}
	w.stop, w.going, w.comparing = nil, 0, nil
}

// watch brings what is watched in line with the State: begins with another part of the image or other parameters anew, and
// goes on or pauses.
func (s *Session) watch() {
	if s.watching != nil && s.state.Trial.Open && s.scene.Fault != nil && errors.Is(s.scene.Fault, filters.ErrOpen) {
		s.watching.end() // something is being found: what there is stays on view
		return
	}
	if !s.state.Trial.Open || s.scene.Fault != nil || s.state.Trial.Step >= len(s.scene.steps) {
		s.watching.end()
		s.watching = nil
		return
	}
	w, err := s.wanted()
	switch old := s.watching; {
	case errors.Is(err, errSounding):
		old.end()
		s.watching = &watching{of: s.scene}
		return
	case err != nil:
		old.end()
		s.watching = &watching{of: s.scene, err: err}
		return
	case old == nil || old.hash != w.hash || old.at != w.at || !slices.Equal(old.channels, w.channels):
		old.end()
		s.watching = w
	default:
		old.of = s.scene
	}
	s.goOn()
}

// wanted is a watching of what is on view, which has not begun.
func (s *Session) wanted() (*watching, error) {
	p := s.state.Pane(0)
	chain, step, raw := s.scene.steps, s.state.Trial.Step, s.scene.Raw[0]
	h, err := s.sound(chain[:step+1], raw)
	if err != nil {
		return nil, err
	}
	w := &watching{of: s.scene, at: p.At[lazy.T], channels: p.Shown(), support: h.support, psf: h.seen, courses: map[int][]filters.Progress{}, scenes: map[int]*Scene{}}
	if len(w.channels) == 0 {
		w.channels = []int{p.Active()}
	}
	_, budget := s.options.Engine.Memory()
	for need := s.scene.onView(p, mostTried); ; need = narrower(need) {
		box := s.scene.rounded(need)
		if old := s.watching; old != nil && old.trial.Box.Contains(need) && !need.Empty() {
			box = old.trial.Box
		}
		if box.Empty() {
			return nil, errors.New("viewer: nothing of the image is on view")
		}
		if w.trial, err = chain.Trial(raw, step, box, h.support); err != nil {
			return nil, err
		}
		if w.trial.Memory() <= budget/2 || need == narrower(need) {
			break
		}
	}
	first, err := w.trial.At(1)
	if err != nil {
		return nil, err
	}
	w.hash = first.Node().Hash
	return w, nil
}

func (s *Session) told() {
	if s.options.OnState != nil {
		s.options.OnState()
	}
}

// goOn begins the next stage, unless one is under way, or ends it where no more is wanted.
func (s *Session) goOn() {
	w, until := s.watching, s.scene.until(s.state)
	if s.state.Trial.Paused || w.err != nil {
		if w.stop != nil {
			w.stop()
		}
		w.stop, w.going = nil, 0
		return
	}
	next := 0
	for _, n := range filters.Stages(until) {
		if n > w.reached {
			next = n
			break
		}
	}
	if next == 0 || w.going > 0 {
		return
	}
	w.going = next
	began, e := time.Now(), s.options.Engine
	w.stop = s.ask(nil, func(ctx context.Context) func() {
		courses := map[int][]filters.Progress{}
		err := w.run(ctx, e, next, courses)
		took := time.Since(began).Seconds()
		return func() {
			if s.watching != w {
				return
			}
			w.going, w.stop = 0, nil
			if w.err = err; err == nil {
				w.pace = took / float64(next-w.reached)
				w.reached, w.courses = next, courses
			}
			s.relimit()
			s.want()
			s.told()
		}
	})
}

// run computes a stage of all channels.
func (w *watching) run(ctx context.Context, e *engine.Engine, n int, courses map[int][]filters.Progress) error {
	a, err := w.trial.Course(n)
	if err != nil {
		return err
	}
	for _, c := range w.channels {
		i, acts := w.trial.Channel(c)
		if !acts {
			continue
		}
		r := lazy.At(lazy.Index{lazy.T: w.at, lazy.C: i}, lazy.Shape{1, 1, 1, n, 2})
		b, _, err := e.Get(ctx, a, r, engine.Priority{Tier: engine.Background})
		if err != nil {
			return err
		}
		courses[c] = filters.ReadCourse(b)
	}
	return nil
}

// relimit has limits that nobody has set follow the newest iteration, whose brightest voxels are brighter than those of the
// one before.
func (s *Session) relimit() {
	if s.state.Trial.Iteration > 0 {
		return
	}
	for _, c := range s.watching.channels {
		if s.state.Channels[c].Rule.Kind == Robust {
			s.state = s.state.withChannel(c, func(ch *Channel) { ch.Rule.Pending = true })
		}
	}
}

// tried is what picture i shows: while a deconvolution is watched the first one shows it, once there is anything to see, and
// others the stored voxels.
func (s *Session) tried(i int) (*Scene, State) {
	p := s.state.Pane(i)
	w := s.watching
	if w == nil {
		return s.scene, p
	}
	n := w.shown(s.state.Trial)
	if i > 0 || n == 0 {
		p.Compare, p.Aside = Original, nil
		return s.scene, p
	}
	if w.scenes[n] == nil {
		sc, err := w.scene(n, s.state.Trial.Step)
		if err != nil {
			w.err = err
			return s.scene, p
		}
		w.scenes[n] = sc
	}
	return w.scenes[n], p
}

// shown is the iteration on view: the one asked for, or the last before it that there is.
func (w *watching) shown(t Trial) int {
	if t.Iteration == 0 || t.Iteration > w.reached {
		return w.reached
	}
	return t.Iteration
}

// scene is that of an iteration.
func (w *watching) scene(n, step int) (*Scene, error) {
	a, err := w.trial.At(n)
	if err != nil {
		return nil, err
	}
	sc := *w.of
	sc.Raw, sc.Shown, sc.Rows, sc.slab, sc.thinned = w.of.Raw[:1], []lazy.Array{a}, nil, Slab{}, 0
	sc.part, sc.steps = w.trial.Box, w.of.steps[:step+1]
	sc.chain = fmt.Sprintf("%s, iteration %d of %v", sc.steps, n, sc.part)
	return &sc, nil
}

// Watched is how the Trial stands; ok is false if there is none.
func (s *Session) Watched() (v Watched, ok bool) {
	w := s.watching
	if w == nil {
		return v, false
	}
	if v.Err = w.err; w.hash == [16]byte{} {
		return v, true
	}
	v = Watched{
		Iteration: w.shown(s.state.Trial), Going: w.going, Until: s.scene.until(s.state), Course: w.courses[s.state.Active()], Seconds: w.pace,
		Others: s.state.Panes() > 1,
		Part:   !w.trial.Box.Contains(s.scene.onView(s.state.Pane(0), math.MaxInt)), Memory: w.trial.Memory(), Box: w.trial.Box, Padded: w.trial.Padded(), PSF: w.psf, Support: w.support, Apart: w.apart, Comparing: w.comparing != nil, Err: w.err,
	}
	v.All = filters.Stages(v.Until)
	for _, n := range v.All {
		if n <= w.reached {
			v.Stages = append(v.Stages, n)
		}
	}
	if w.going > 0 {
		v.Left = w.pace * float64(v.Until-w.reached)
	}
	if work, err := s.scene.steps.Work(s.scene.Raw[0], s.state.Trial.Step); err == nil {
		v.Whole = work
	}
	return v, true
}

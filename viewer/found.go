package viewer

import (
	"context"
	"strconv"
	"strings"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// The chain of a State says how a filter finds its numbers, such as Otsu's threshold; the chain of its Scene holds
// what was found. That is found once for each filter and what stands before it, in the background: until then
// the scene has a Fault with filters.ErrOpen, and the picture before it stands.

// An answer is a filter with what it has found in the voxels, or why it found nothing.
type answer struct {
	step filters.Step
	err  error
}

// An asking is something to find out beside the window. find is called on another goroutine; what it gives is done on
// the window's own, and takes in what was found.
type asking struct {
	key  string
	find func(ctx context.Context) func()
}

// make is the scene of a State: with the answers that are known, and the first open question asked.
func (s *Session) make(next State) (*Scene, error) {
	sc, open, err := s.build(next)
	if err == nil {
		newest(s.loop.asks, open)
	}
	return sc, err
}

// build is the scene of a State with the answers that are known, and the first open question, nil if there is none.
func (s *Session) build(next State) (*Scene, *asking, error) {
	raw := restated(s.set.Images[next.Image].Levels[:1], next.Sizes)[0]
	chain, open, step, err := s.known(next.Chain, raw)
	sc, fault := newScene(s.set, next.Image, next.Sizes, chain, next.Slab)
	if fault != nil {
		return nil, nil, fault
	}
	sc.lay(next.Overlay)
	for i, step := range chain {
		if n := len(next.Chain[i].Args); len(step.Args) > n {
			r := &sc.Rows[i]
			r.Effective = strings.TrimPrefix(r.Effective+", "+values(step.Args[n:]), ", ")
		}
	}
	if err != nil {
		sc.Rows[step].Err = err
		sc.Fault = &Fault{step, next.Chain[step].Filter, err}
	}
	return sc, open, nil
}

// known is a chain with all that has been found for it. If a step lacks something, err says so, and open is what finds
// it; nil if that has failed.
func (s *Session) known(chain filters.Chain, raw lazy.Array) (_ filters.Chain, open *asking, step int, err error) {
	if step, name, found := s.unopened(chain); found {
		return chain, s.openFile(name), step, filters.ErrOpen
	}
	if chain, step, err = s.furnished(chain, raw); err != nil {
		return chain, nil, step, err
	}
	if open, step, err = s.unsound(chain, raw); err != nil {
		return chain, open, step, err
	}
	for {
		q, asks, fault := chain.Question(raw)
		if !asks || fault != nil { // a fault is for the scene to name
			return chain, nil, 0, nil
		}
		switch a, known := s.answers[q.Key()]; {
		case !known:
			return chain, s.question(q), q.Step, filters.ErrOpen
		case a.err != nil:
			return chain, nil, q.Step, a.err
		default:
			chain = chain.With(q.Step, a.step)
		}
	}
}

// values are the numbers that were found, with as many digits as people read, and the sizes that were chosen.
func values(found []filters.Arg) string {
	var v []string
	for _, a := range found {
		n, err := strconv.ParseFloat(a.Value, 64)
		if err != nil { // several, one for each axis
			v = append(v, a.Name+" "+strings.ReplaceAll(a.Value, ",", " x "))
			continue
		}
		v = append(v, strconv.FormatFloat(n, 'g', 6, 64))
	}
	return strings.Join(v, " … ")
}

// question is the work of reading the sample of a question and answering it.
func (s *Session) question(q filters.Question) *asking {
	return &asking{q.Key(), func(ctx context.Context) func() {
		var a answer
		var blocks []*lazy.Block
		for _, r := range q.Regions {
			b, _, err := s.options.Engine.Get(ctx, q.Array, r, engine.Priority{Tier: engine.Background})
			if err != nil {
				a.err = err
				break
			}
			blocks = append(blocks, b)
		}
		if a.err == nil {
			a.step, a.err = q.Answer(blocks)
		}
		return func() {
			s.answers[q.Key()] = a
			s.again()
		}
	}}
}

// again makes the scene anew with what was found, and shows it.
func (s *Session) again() {
	s.remake = true
	s.change(s.state)
	if s.options.OnState != nil {
		s.options.OnState()
	}
}

// find works on something that is asked for, in place of what was before it; nil is nothing.
func (l *loop) find(q *asking) {
	if l.finding != nil && q != nil && l.asked == q.key {
		return
	}
	if l.finding != nil {
		l.finding()
		l.finding = nil
	}
	if q == nil {
		return
	}
	ctx, cancel := context.WithCancel(l.ctx)
	l.finding, l.asked = cancel, q.key
	l.work.Go(func() {
		if take := q.find(ctx); ctx.Err() == nil {
			l.o.Post(take)
		}
	})
}

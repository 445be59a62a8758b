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

// An asking is a question that is worked on, and what to do with its answer.
type asking struct {
	filters.Question
	then func(answer)
}

// make is the scene of a State: with the answers that are known, and the first open question asked.
func (s *Session) make(next State) (*Scene, error) {
	chain, open, err := next.Chain, (*asking)(nil), error(nil)
	for raw := restated(s.set.Images[next.Image].Levels[:1], next.Sizes)[0]; ; {
		q, asks, fault := chain.Question(raw)
		if !asks || fault != nil { // a fault is for the scene to name
			break
		}
		a, known := s.answers[q.Key()]
		if known && a.err == nil {
			chain = chain.With(q.Step, a.step)
			continue
		}
		open, err = &asking{q, s.answered(q.Key())}, filters.ErrOpen
		if known {
			err = a.err
		}
		break
	}
	sc, fault := newScene(s.set, next.Image, next.Sizes, chain, next.Slab)
	if fault != nil {
		return nil, fault
	}
	for i, step := range chain {
		if n := len(next.Chain[i].Args); len(step.Args) > n {
			r := &sc.Rows[i]
			r.Effective = strings.TrimPrefix(r.Effective+", "+values(step.Args[n:]), ", ")
		}
	}
	if open != nil {
		sc.Rows[open.Step].Err = err
		sc.Fault = &Fault{open.Step, next.Chain[open.Step].Filter, err}
		if err != filters.ErrOpen {
			open = nil
		}
	}
	newest(s.loop.asks, open)
	return sc, nil
}

// values are the numbers that were found, with as many digits as people read.
func values(found []filters.Arg) string {
	var v []string
	for _, a := range found {
		n, err := strconv.ParseFloat(a.Value, 64)
		if err != nil {
			continue
		}
		v = append(v, strconv.FormatFloat(n, 'g', 6, 64))
	}
	return strings.Join(v, " … ")
}

// answered takes an answer in, on the goroutine of the window, and shows what it makes of the picture.
func (s *Session) answered(key string) func(answer) {
	return func(a answer) {
		s.loop.o.Post(func() {
			s.answers[key] = a
			s.remake = true
			s.change(s.state)
			if s.loop.o.OnState != nil {
				s.loop.o.OnState()
			}
		})
	}
}

// find has the engine read the sample of a question in place of the one before it; nil is none.
func (l *loop) find(q *asking) {
	if l.finding != nil && q != nil && l.asked == q.Key() {
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
	l.finding, l.asked = cancel, q.Key()
	l.work.Go(func() {
		var a answer
		var blocks []*lazy.Block
		for _, r := range q.Regions {
			b, _, err := l.o.Engine.Get(ctx, q.Array, r, engine.Priority{Tier: engine.Background})
			if err != nil {
				a.err = err
				break
			}
			blocks = append(blocks, b)
		}
		if a.err == nil {
			a.step, a.err = q.Answer(blocks)
		}
		if ctx.Err() == nil {
			q.then(a)
		}
	})
}

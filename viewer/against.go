package viewer

import (
	"context"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// An Apart is how far a Trial is from what more of the image makes of it.
type Apart struct {
	filters.Distance
	Iteration int
	Whole     bool // it was compared with what all of the image makes of it
	Err       error
}

// Compare measures, in the background, how far the iteration on view is from what more of the image makes of it: all of it,
// where memory allows.
func (s *Session) Compare() {
	w := s.watching
	if w == nil || w.reached == 0 || w.comparing != nil {
		return
	}
	n, c := w.shown(s.state.Trial), s.state.Active()
	_, budget := s.options.Engine.Memory()
	chain, step, e := w.of.steps, s.state.Trial.Step, s.options.Engine
	w.comparing = s.ask(nil, func(ctx context.Context) func() {
		a := w.compare(ctx, e, chain, step, n, c, budget/3)
		return func() {
			w.apart, w.comparing = &a, nil
			s.told()
		}
	})
}

func (w *watching) compare(ctx context.Context, e *engine.Engine, chain filters.Chain, step, n, c int, bytes int64) Apart {
	out := Apart{Iteration: n}
	against, whole, err := chain.Against(w.of.Raw[0], step, w.trial.Box, bytes)
	if out.Err = err; err != nil {
		return out
	}
	out.Whole = whole
	var blocks [2]*lazy.Block
	for i, t := range []filters.Trial{w.trial, against} {
		a, err := t.At(n)
		if err == nil {
			r := t.Box.With(lazy.T, w.at, w.at+1).With(lazy.C, c, c+1)
			blocks[i], _, err = e.Get(ctx, a, r, engine.Priority{Tier: engine.Background})
		}
		if out.Err = err; err != nil {
			return out
		}
	}
	out.Distance = filters.Apart(blocks[0], blocks[1])
	return out
}

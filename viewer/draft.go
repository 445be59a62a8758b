package viewer

import (
	"errors"
	"slices"
	"strconv"

	"lamella/filters"
	"lamella/lazy"
)

// A Draft is a stencil's text while it is being written. The chain takes over each text that can be done;
// while one cannot, the last that could stays in the picture.
type Draft struct {
	Open bool   // the editor is on view
	Step int    // of the chain
	Text string // as far as it is written
	Kept string // the chain's own, which Text has become or departs from
}

// Unfinished reports whether the text on view is not the one in the picture.
func (d Draft) Unfinished() bool { return d.Text != d.Kept }

// HasText reports whether a step is a formula of the user's own.
func HasText(s FilterStep) bool { return IsWritten(Filter{Name: s.Filter}) }

// IsWritten reports whether a filter is written by the user, in the editor, and not chosen by its name.
func IsWritten(f Filter) bool { return f.Name == "stencil" }

// EditStencil opens the editor on a step that has a text. What was left unfinished there is there again.
func EditStencil(step int) Action {
	return func(_ *Scene, s State) State {
		if step < 0 || step >= len(s.Chain) || !HasText(s.Chain[step]) {
			return s
		}
		if s.Draft.Step != step {
			s.Draft = Draft{Step: step}
		}
		s.Draft = s.Draft.follow(s.Chain)
		s.Draft.Open = true
		return s
	}
}

// CloseStencil folds the editor. An unfinished text is kept for the next time.
func CloseStencil() Action {
	return func(_ *Scene, s State) State {
		s.Draft.Open = false
		return s
	}
}

// WriteStencil is the text in the open editor after a change of it. If it can be done, it is in the picture.
func WriteStencil(text string) Action {
	return func(sc *Scene, s State) State {
		d := s.Draft
		if !d.Open || d.Step >= len(s.Chain) || d.Step >= len(sc.Rows) {
			return s
		}
		s.Draft.Text = text
		step := withText(s.Chain[d.Step], text)
		if mistake(step, sc.Rows[d.Step].in) != nil {
			return s
		}
		s.Chain = slices.Clone(s.Chain)
		s.Chain[d.Step] = step
		s.Draft.Kept = text
		return s
	}
}

// withText is a step with another text, and those of its values that the text still has a place for.
func withText(step FilterStep, text string) FilterStep {
	step = step.With("text", text)
	params := step.Params()
	step.Args = slices.DeleteFunc(slices.Clone(step.Args), func(a filters.Arg) bool {
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == a.Name })
		if i < 0 {
			return true
		}
		if params[i].Kind != filters.Number {
			return false
		}
		v, err := strconv.ParseFloat(a.Value, 64)
		return err != nil || v < params[i].Min || v > params[i].Max
	})
	return step
}

// mistake is what is wrong with the text of a step on an image; nil if it can be read.
func mistake(step FilterStep, on lazy.Meta) *Mistake {
	_, err := step.Formula(on)
	return MistakeIn(err)
}

// MistakeIn is the mistake that an error tells of, nil if it is another error or none.
func MistakeIn(err error) *Mistake {
	var m *Mistake
	errors.As(err, &m)
	return m
}

// Mistake is what is wrong with the text in the editor, nil if nothing is.
func (sc *Scene) Mistake(s State) *Mistake {
	if d := s.Draft; d.Open && d.Step < len(s.Chain) && d.Step < len(sc.Rows) {
		return mistake(withText(s.Chain[d.Step], d.Text), sc.Rows[d.Step].in)
	}
	return nil
}

// follow is the draft after whatever has become of the chain: where its step holds another text than was
// last known, that text is on view.
func (d Draft) follow(c filters.Chain) Draft {
	if d.Step >= len(c) || !HasText(c[d.Step]) {
		return Draft{}
	}
	if text := c[d.Step].Arg("text"); text != d.Kept {
		d.Text, d.Kept = text, text
	}
	return d
}

// without is the draft after a step has been taken out of the chain.
func (d Draft) without(step int) Draft {
	switch {
	case step == d.Step:
		return Draft{}
	case step < d.Step:
		d.Step--
	}
	return d
}

// moved is the draft after a step has gone to another place.
func (d Draft) moved(step, to int) Draft {
	d.Step = movedTo(d.Step, step, to)
	return d
}

// movedTo is where a step of the chain stands after one has gone to another place.
func movedTo(at, step, to int) int {
	switch {
	case step == at:
		return to
	case step < at && to >= at:
		return at - 1
	case step > at && to <= at:
		return at + 1
	}
	return at
}

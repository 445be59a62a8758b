package filters

import (
	"errors"
	"strconv"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// A SyntaxError says where a stencil's text is wrong: Line and Column count characters from 1.
type SyntaxError = stencil.SyntaxError

// The forms that a stencil can have.
const (
	WeightedSum   = stencil.WeightedSum
	OfWeightedSum = stencil.OfWeightedSum
	Nonlinear     = stencil.Nonlinear
)

// A Formula is what a stencil's text amounts to on an image, known before any voxel is computed.
type Formula struct {
	Halo       lazy.Halo    // how far it reads beyond the voxel, over all inputs
	Inputs     int          // arrays that it reads
	Form       stencil.Form // whether it is linear
	Operations int          // for one voxel
	Type       lazy.DType   // of the result
}

// ErrNoFormula is what Formula gives for a filter that has no text.
var ErrNoFormula = errors.New("filters: this filter is no text of the user's")

// Formula reads the step's text for an image like m. Errors are those of Check; what is wrong with the text
// is a SyntaxError.
func (s Step) Formula(m lazy.Meta) (Formula, error) {
	if s.Filter != userStencil.Name {
		return Formula{}, ErrNoFormula
	}
	out, err := s.everywhere().apply(lazy.FromSource(described{meta: m}))
	if err != nil {
		return Formula{}, err
	}
	numbers := steps(m)
	for _, p := range declared(s.Arg("text")) {
		if numbers[p.Name], err = strconv.ParseFloat(s.Arg(p.Name), 64); err != nil {
			return Formula{}, err // which apply has told of
		}
	}
	k, err := stencil.Parse(s.Filter, s.Arg("text"), numbers)
	if err != nil {
		return Formula{}, err
	}
	f := Formula{Inputs: k.Inputs(), Form: k.Form(), Operations: k.Operations(), Type: out.Meta().DType}
	for i := range k.Inputs() {
		h := k.Halo(i)
		for a := range lazy.Rank {
			f.Halo.Before[a] = max(f.Halo.Before[a], h.Before[a])
			f.Halo.After[a] = max(f.Halo.After[a], h.After[a])
		}
	}
	return f, nil
}

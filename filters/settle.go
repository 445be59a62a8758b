package filters

import (
	"fmt"

	"lamella/lazy"
)

// A filter that works on blocks of its own, as a deconvolution does, chooses them once, from the shape of the image,
// its parameters and the memory that there is (Chain.Within). They become part of the chain like what is found from
// the voxels, so that a file that carries it, and every machine, computes the same.

// Settle chooses how the steps of a chain divide their work on an image and tells each that it has chosen for, with
// what the choice is from; tell may be nil. No voxel is read.
func (c Chain) Settle(a lazy.Array, tell func(s Step, about string)) (Chain, error) {
	out := append(Chain(nil), c...)
	for n, s := range out {
		if s.Off {
			continue
		}
		of, err := s.chosen(a)
		var v values
		if err == nil {
			v, err = s.values(of.Meta())
		}
		about := ""
		if err == nil {
			out[n], about, err = s.settled(v)
		}
		if err == nil && tell != nil && about != "" {
			tell(out[n], about)
		}
		if err == nil {
			a, err = Chain{out[n]}.Provisional()[0].apply(a)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
	}
	return out, nil
}

// settled is the step with its work divided; about is empty if there was nothing to choose.
func (s Step) settled(v values) (_ Step, about string, err error) {
	stat, open := v.ask()
	if !open || stat.plan == nil {
		return s, "", nil
	}
	texts, about, err := stat.plan()
	if err != nil {
		return s, "", fmt.Errorf("filters: %s: %w", s.Filter, err)
	}
	return s.answered(stat, func(i int) string { return texts[i] }), about, nil
}

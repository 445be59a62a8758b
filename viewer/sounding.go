package viewer

import (
	"context"
	"errors"
	"fmt"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// A psf is one that has been read and looked at.
type psf struct {
	support filters.Support
	seen    *PSF
	err     error
}

// errSounding is why there is no trial yet: its PSF is being read.
var errSounding = errors.New("viewer: the PSF is being read")

// sound is the PSF of the last step of a chain, which is read if that has not been done.
func (s *Session) sound(chain filters.Chain, raw lazy.Array) (psf, error) {
	all, err := chain.PSFs(raw)
	if err != nil {
		return psf{}, err
	}
	p := all[len(all)-1]
	hash := p.Array.Node().Hash
	if h, known := s.psfs[hash]; known {
		return h, h.err
	}
	if s.sounded != hash {
		s.sounded = hash
		s.sounding = s.ask(s.sounding, func(ctx context.Context) func() {
			h := readPSF(ctx, s.options.Engine, p, raw.Meta())
			return func() {
				s.sounded = [16]byte{}
				s.learn(hash, h)
				s.want()
				s.told()
			}
		})
	}
	return psf{}, errSounding
}

// unsound is the first step of a chain whose PSF, from a file, is none, and why; or one whose PSF has not been read, and
// what reads it.
func (s *Session) unsound(chain filters.Chain, raw lazy.Array) (open *asking, step int, err error) {
	all, err := chain.PSFs(raw)
	if err != nil { // for the scene to name
		return nil, 0, nil
	}
	for _, p := range all {
		if len(chain[p.Step:p.Step+1].Files()) == 0 { // a formula
			continue
		}
		hash := p.Array.Node().Hash
		h, known := s.psfs[hash]
		switch {
		case !known:
			return &asking{fmt.Sprintf("psf %x", hash), func(ctx context.Context) func() {
				h := readPSF(ctx, s.options.Engine, p, raw.Meta())
				return func() {
					s.learn(hash, h)
					s.again()
				}
			}}, p.Step, filters.ErrOpen
		case h.err != nil:
			return nil, p.Step, h.err
		}
	}
	return nil, 0, nil
}

// readPSF reads a PSF for an image and looks at it.
func readPSF(ctx context.Context, e *engine.Engine, p filters.PSF, image lazy.Meta) (h psf) {
	b, _, err := e.Get(ctx, p.Array, p.Array.Meta().Shape.Whole(), engine.Priority{Tier: engine.Background})
	if err == nil {
		h.support, err = p.Support(b)
	}
	if h.err = err; err == nil {
		h.seen = newPSF(b, h.support, p.Array.Meta(), image)
	}
	return h
}

func (s *Session) learn(hash [16]byte, h psf) {
	if s.psfs == nil {
		s.psfs = map[[16]byte]psf{}
	}
	s.psfs[hash] = h
}

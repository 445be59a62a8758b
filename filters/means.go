package filters

import (
	"fmt"
	"maps"

	"lamella/lazy"
)

// Open gives the steps of a chain the files that their parameters name, such as the PSF of a deconvolution: this package
// opens none. The chain's text stays as it is. Errors of open name the step; a step that names no file, or is
// switched off, needs none.
func (c Chain) Open(open func(name string) (lazy.Array, error)) (Chain, error) {
	out := append(Chain(nil), c...)
	for n, s := range out {
		if s.Off {
			continue
		}
		for _, name := range s.files() {
			if _, has := s.opened[name]; has {
				continue
			}
			a, err := open(name)
			if err != nil {
				return nil, fmt.Errorf("filters: %s: opening %s: %w (step %d of the chain)", s.Filter, name, err, n+1)
			}
			s = s.with(name, a)
		}
		out[n] = s
	}
	return out, nil
}

// Within says how many bytes steps may plan for that choose the size of what they work on at once.
func (c Chain) Within(bytes int64) Chain {
	out := append(Chain(nil), c...)
	for n := range out {
		out[n].memory = bytes
	}
	return out
}

// files are the names of the files that the step's parameters hold.
func (s Step) files() []string {
	var names []string
	for _, p := range s.Params() {
		if name := s.Arg(p.Name); p.Kind == File && name != "" && !isModel(name) {
			names = append(names, name)
		}
	}
	return names
}

// Files are the names of the files that the chain's steps need, those that are switched off left out.
func (c Chain) Files() []string {
	var names []string
	for _, s := range c {
		if !s.Off {
			names = append(names, s.files()...)
		}
	}
	return names
}

// Finest reports whether the chain suits the voxels of the finest level alone, as a PSF that is used as it is does: on
// coarser ones it would be as many of their voxels wide.
func (c Chain) Finest() bool {
	for _, s := range c {
		if !s.Off && len(s.files()) > 0 && s.Arg("prepare") != "true" {
			return true
		}
	}
	return false
}

func (s Step) with(name string, a lazy.Array) Step {
	opened := maps.Clone(s.opened)
	if opened == nil {
		opened = map[string]lazy.Array{}
	}
	opened[name] = a
	s.opened = opened
	return s
}

// file is the array that a parameter names.
func (v values) file(param string) (lazy.Array, error) {
	name := v.text[param]
	if name == "" {
		return lazy.Array{}, fmt.Errorf("%s=: expected a file", param)
	}
	a, ok := v.opened[name]
	if !ok {
		return lazy.Array{}, fmt.Errorf("%s=%s: %w", param, name, ErrNotOpen)
	}
	return a, nil
}

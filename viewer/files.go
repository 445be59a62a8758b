package viewer

import (
	"context"
	"errors"
	"slices"

	"lamella/filters"
	"lamella/lazy"
)

// A file that a parameter of a filter names, such as the PSF of a deconvolution, is opened once, beside the window. Until
// it is open its filter has a Fault with filters.ErrOpen, like one that has something to find.

// mostAtOnce bounds the memory that filters plan for which work on blocks of their own: the first of several blocks is seen
// sooner than one that is as large as the engine's memory allows.
const mostAtOnce = 1 << 30

// A file is one that was opened, or why it could not be.
type file struct {
	set lazy.Dataset
	err error
}

// array is what filters see of a file: its first image at the finest level.
func (f file) array() (lazy.Array, error) {
	switch {
	case f.err != nil:
		return lazy.Array{}, f.err
	case len(f.set.Images) == 0:
		return lazy.Array{}, errors.New("there is no image in it")
	}
	return f.set.Images[0].Levels[0].Array, nil
}

// unopened is the first step of a chain that names a file which nobody has tried to open yet, and the file.
func (s *Session) unopened(chain filters.Chain) (step int, name string, found bool) {
	for i := range chain {
		for _, name := range chain[i : i+1].Files() {
			if _, tried := s.files[name]; !tried {
				return i, name, true
			}
		}
	}
	return 0, "", false
}

// furnished is a chain with the files that its steps need, and with their work divided for the engine's memory. A step
// whose file could not be opened comes with the reason.
func (s *Session) furnished(chain filters.Chain, raw lazy.Array) (_ filters.Chain, step int, err error) {
	chain = slices.Clone(chain)
	for i := range chain {
		one, err := chain[i : i+1].Open(func(name string) (lazy.Array, error) { return s.files[name].array() })
		if err != nil {
			return chain, i, err
		}
		chain[i] = one[0]
	}
	_, memory := s.options.Engine.Memory()
	memory = min(memory, mostAtOnce)
	if settled, err := chain.Within(memory).Settle(raw, nil); err == nil { // else the scene says what is wrong
		chain = settled
	}
	return chain, 0, nil
}

// openFile is the work of opening a file.
func (s *Session) openFile(name string) *asking {
	return &asking{"file " + name, func(ctx context.Context) func() {
		f := file{err: errors.New("files cannot be opened here")}
		if s.options.OpenFile != nil {
			f.set, f.err = s.options.OpenFile(ctx, name)
		}
		if ctx.Err() != nil && f.set.Close != nil {
			f.set.Close() // nobody waits for it any more
		}
		return func() {
			s.files[name] = f
			s.again()
		}
	}}
}

// closeFiles closes what the chain's files were opened for.
func (s *Session) closeFiles() error {
	var all []error
	for _, f := range s.files {
		if f.set.Close != nil {
			all = append(all, f.set.Close())
		}
	}
	return errors.Join(all...)
}

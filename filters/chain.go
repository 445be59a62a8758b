package filters

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lamella/lazy"
)

// A Chain is a list of filters, applied from the first to the last.
type Chain []Step

// A Step is one filter of a chain with the parameters that differ from its defaults.
type Step struct {
	Filter string
	Args   []Arg
	Off    bool // stays in the panel but is not applied; not part of the text form

	opened map[string]lazy.Array // by name, the files that parameters name
	memory int64                 // what a step may plan for; 0 if nobody said
}

// An Arg is one parameter as the user wrote it.
type Arg struct{ Name, Value string }

// Arg is the value of a parameter, or its default.
func (s Step) Arg(name string) string {
	for _, a := range s.Args {
		if a.Name == name {
			return a.Value
		}
	}
	for _, p := range s.Params() {
		if p.Name == name {
			return p.Default
		}
	}
	return ""
}

// Params lists the parameters of the step: those of its filter, and those that a stencil's text declares.
func (s Step) Params() []Param {
	spec, _ := Lookup(s.Filter)
	if spec.Name != userStencil.Name {
		return spec.selecting(spec.Params)
	}
	text, _ := spec.Param("text")
	for _, a := range s.Args {
		if a.Name == "text" {
			text.Default = a.Value
		}
	}
	return spec.selecting(append(declared(text.Default), spec.Params...))
}

// With is the step with one parameter set; a value equal to the default is left out.
func (s Step) With(name, value string) Step {
	spec, _ := Lookup(s.Filter)
	args := make([]Arg, 0, len(s.Args)+1)
	for _, a := range s.Args {
		if a.Name != name {
			args = append(args, a)
		}
	}
	s.Args = args
	switch {
	case s.Arg(name) == value:
	case name == spec.leading(): // comes first, as it is written
		s.Args = append([]Arg{{name, value}}, args...)
	default:
		s.Args = append(s.Args, Arg{name, value})
	}
	return s
}

// Apply is the array after the chain. Errors name the step; ErrOpen is one whose values Resolve has to find first.
func (c Chain) Apply(a lazy.Array) (lazy.Array, error) {
	for n, s := range c {
		if s.Off {
			continue
		}
		out, err := s.apply(a)
		if err != nil {
			return lazy.Array{}, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
		a = out
	}
	return a, nil
}

// Moves reports whether voxels of the result stand elsewhere than those of the image that they are made of.
func (c Chain) Moves() bool {
	for _, s := range c {
		if spec, ok := Lookup(s.Filter); ok && !s.Off && spec.Moves {
			return true
		}
	}
	return false
}

// ApplyTo is the chain on a coarser level of the image that fine is: parameters that count voxels of the finest level are
// meant there, as far as that goes.
func (c Chain) ApplyTo(coarse, fine lazy.Array) (lazy.Array, error) {
	for n, s := range c {
		if s.Off {
			continue
		}
		v, err := s.values(fine.Meta())
		if err == nil && v.spec.coarser != nil {
			for _, a := range v.spec.coarser(v, coarse.Meta()) {
				s = s.With(a.Name, a.Value)
			}
		}
		if err == nil {
			coarse, err = s.apply(coarse)
		}
		if err == nil {
			fine, err = c[n].apply(fine)
		}
		if err != nil {
			return lazy.Array{}, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
	}
	return coarse, nil
}

func (s Step) apply(a lazy.Array) (lazy.Array, error) {
	if which := s.Channels(); which != nil {
		return s.applySome(a, which)
	}
	v, err := s.values(a.Meta())
	if err != nil {
		return lazy.Array{}, err
	}
	if _, err := v.channel(); err != nil {
		return lazy.Array{}, fmt.Errorf("filters: %s: %w", s.Filter, err)
	}
	if _, open := v.ask(); open {
		return lazy.Array{}, fmt.Errorf("filters: %s: %w", s.Filter, ErrOpen)
	}
	out, err := v.spec.build(a, v)
	if err != nil {
		return lazy.Array{}, fmt.Errorf("filters: %s: %w", s.Filter, err)
	}
	return out, nil
}

// Check reports what is wrong with a step on an image like m; nil if it can be applied. A step whose values
// are to be found from the voxels is checked as far as that goes.
func (s Step) Check(m lazy.Meta) error {
	_, err := Chain{s}.Provisional()[0].apply(lazy.FromSource(described{meta: m}))
	return err
}

// Effective says what lengths in the step come to in voxels, such as "0.8 x 4 x 4 voxels" (z, y, x);
// "" if it has none, or they cannot be told.
func (s Step) Effective(m lazy.Meta) string {
	v, err := s.values(m)
	if err != nil {
		return ""
	}
	for _, p := range v.spec.Params {
		if p.Kind != Length {
			continue
		}
		n, err := v.perAxis(p.Name)
		if err != nil {
			return ""
		}
		var parts []string
		for _, a := range live(m) {
			parts = append(parts, fmt.Sprintf("%.3g", n[a]))
		}
		return strings.Join(parts, " x ") + " voxels"
	}
	return ""
}

// described is a source that is never read: checking a step needs metadata alone.
type described struct{ meta lazy.Meta }

func (d described) Meta() lazy.Meta { return d.meta }
func (d described) ID() string      { return "described" }
func (d described) Read(context.Context, *lazy.Block) (int64, error) {
	return 0, errors.New("filters: this array was made to check a step, not to be read")
}

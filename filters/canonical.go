package filters

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
)

// Canonical is the chain as it is written down where one is compared with another: the parameters of a step in the order of the
// catalogue without those that say what the default says, numbers in their shortest form, lengths of the world in µm, and one
// number where the same stands for z, y and x. It computes the same; names of files, texts and commands stay as they are. What a
// step finds if it is not given stays, also where it is the default, and comes last.
func (c Chain) Canonical() Chain {
	out := slices.Clone(c)
	for n, s := range out {
		out[n].Args = s.canonicalArgs()
	}
	return out
}

func (s Step) canonicalArgs() []Arg {
	found := s.found()
	var args, last []Arg
	for _, p := range s.Params() {
		i := slices.IndexFunc(s.Args, func(a Arg) bool { return a.Name == p.Name })
		if i < 0 {
			continue
		}
		switch value := p.canonical(s.Args[i].Value); {
		case slices.Contains(found, p.Name):
			last = append(last, Arg{p.Name, value})
		case value != p.canonical(p.Default):
			args = append(args, Arg{p.Name, value})
		}
	}
	return append(args, last...)
}

// found are the parameters of the step that are found if they are not given.
func (s Step) found() []string {
	v, err := s.values(lazy.Meta{})
	if err != nil || v.spec.asks == nil {
		return nil
	}
	var names []string
	first := v.spec.asks(v)
	for stat := &first; stat != nil; stat = stat.next {
		names = append(names, stat.sets...)
	}
	return names
}

// canonical is a value in the form of Chain.Canonical. One that cannot be read stays as it is.
func (p Param) canonical(text string) string {
	switch p.Kind {
	case Border:
		if b, err := lazy.ParseBorder(text); err == nil {
			return b.String()
		}
	case Channels:
		if which, err := channelList(text); err == nil {
			return WriteChannels(which)
		}
	case Level:
		if q, err := p.number(text); err == nil && !slices.Contains(p.Choices, text) {
			return q.String()
		}
	case Number, Integer, Length:
		if q, err := p.numbers(text); err == nil {
			return written(q)
		}
	}
	return text
}

func written(all []quantity) string {
	var parts []string
	for _, q := range all {
		parts = append(parts, q.String())
	}
	if len(slices.Compact(slices.Clone(parts))) == 1 {
		parts = parts[:1]
	}
	return strings.Join(parts, ",")
}

// String is the quantity as a parameter has it, which reads it back bit for bit.
func (q quantity) String() string {
	form := byte('g')
	if q.value == math.Trunc(q.value) && math.Abs(q.value) < 1e15 {
		form = 'f'
	}
	number := strconv.FormatFloat(q.value, form, -1, 64)
	if q.um {
		return number + "um"
	}
	return number
}

package viewer

import (
	"slices"

	"lamella/filters"
)

// AddFilter puts a filter with its default values at the end of the chain.
func AddFilter(name string) Action {
	return chained(func(c filters.Chain) filters.Chain { return append(c, filters.Step{Filter: name}) })
}

// RemoveFilter takes a step out.
func RemoveFilter(step int) Action {
	return chained(func(c filters.Chain) filters.Chain {
		if step < 0 || step >= len(c) {
			return c
		}
		return slices.Delete(c, step, step+1)
	})
}

// MoveFilter moves a step to another place, at most to an end.
func MoveFilter(step, to int) Action {
	return chained(func(c filters.Chain) filters.Chain {
		if step < 0 || step >= len(c) {
			return c
		}
		moved := c[step]
		c = slices.Delete(c, step, step+1)
		return slices.Insert(c, max(0, min(len(c), to)), moved)
	})
}

// SwitchFilter takes a step out of the picture, or back in, and keeps it in the list.
func SwitchFilter(step int, on bool) Action {
	return chained(func(c filters.Chain) filters.Chain {
		if step >= 0 && step < len(c) {
			c[step].Off = !on
		}
		return c
	})
}

// SetParam gives a parameter a value as in the chain's text; the empty value is the default.
func SetParam(step int, name, value string) Action {
	return chained(func(c filters.Chain) filters.Chain {
		if step < 0 || step >= len(c) {
			return c
		}
		args := slices.Clone(c[step].Args)
		i := slices.IndexFunc(args, func(a filters.Arg) bool { return a.Name == name })
		switch {
		case i >= 0 && value == "":
			args = slices.Delete(args, i, i+1)
		case i >= 0:
			args[i].Value = value
		case value != "":
			args = append(args, filters.Arg{Name: name, Value: value})
		}
		c[step].Args = args
		return c
	})
}

// SetChain puts another chain in place of the whole.
func SetChain(chain filters.Chain) Action {
	return chained(func(filters.Chain) filters.Chain { return slices.Clone(chain) })
}

// chained changes the chain in a copy of its own.
func chained(change func(filters.Chain) filters.Chain) Action {
	return func(_ *Scene, s State) State {
		s.Chain = change(slices.Clone(s.Chain))
		return s
	}
}

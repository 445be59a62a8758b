package viewer

import (
	"slices"
	"strconv"
	"strings"

	"lamella/filters"
	"lamella/lazy"
)

// AddFilter puts a filter with its default values at the end of the chain. Where the size of voxels is
// known and not the same along all axes, a sigma is that many of the finest voxel in micrometres, so
// that the filter reaches equally far in all directions of the specimen. On a stencil the editor opens, and a deconvolution is
// watched.
func AddFilter(name string) Action {
	return func(sc *Scene, s State) State {
		step := filters.Step{Filter: name}
		finest, differ := sc.finest()
		if spec, ok := filters.Lookup(name); ok && differ {
			for _, p := range spec.Params {
				n, err := strconv.ParseFloat(p.Default, 64)
				if p.Kind == filters.Length && strings.HasPrefix(p.Name, "sigma") && err == nil {
					step = step.With(p.Name, strconv.FormatFloat(n*finest, 'g', 4, 64)+"um")
				}
			}
		}
		s = chained(func(c filters.Chain) filters.Chain { return append(c, step) })(sc, s)
		last := len(s.Chain) - 1
		return EditStencil(last)(sc, Watch(last)(sc, s))
	}
}

// finest is the shortest side of a voxel in micrometres, and whether all are known and differ.
func (sc *Scene) finest() (um float64, differ bool) {
	m := sc.Meta()
	um = m.Scale[lazy.X]
	longest := um
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if m.Shape[a] > 1 {
			um, longest = min(um, m.Scale[a]), max(longest, m.Scale[a])
		}
	}
	return um, um > 0 && longest > um*1.001
}

// RemoveFilter takes a step out.
func RemoveFilter(step int) Action {
	return func(sc *Scene, s State) State {
		if step < 0 || step >= len(s.Chain) {
			return s
		}
		s.Draft, s.Trial = s.Draft.without(step), s.Trial.without(step)
		return chained(func(c filters.Chain) filters.Chain { return slices.Delete(c, step, step+1) })(sc, s)
	}
}

// MoveFilter moves a step to another place, at most to an end.
func MoveFilter(step, to int) Action {
	return func(sc *Scene, s State) State {
		if step < 0 || step >= len(s.Chain) {
			return s
		}
		to := max(0, min(len(s.Chain)-1, to))
		s.Draft = s.Draft.moved(step, to)
		s.Trial.Step = movedTo(s.Trial.Step, step, to)
		return chained(func(c filters.Chain) filters.Chain {
			moved := c[step]
			c = slices.Delete(c, step, step+1)
			return slices.Insert(c, to, moved)
		})(sc, s)
	}
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
		switch name { // what another one has found, or the user has said instead, is gone
		case "method":
			c[step] = c[step].Reopened()
		case "stop", "stop-divergence":
			c[step].Args = slices.DeleteFunc(c[step].Args, func(a filters.Arg) bool { return a.Name == "stopped" })
		}
		return c
	})
}

// ActOn has a step act on some channels alone, given as indices; none are all. A negative step is every step of the chain. What
// a filter has found out of other voxels is found anew.
func ActOn(step int, channels []int) Action {
	return func(sc *Scene, s State) State {
		if len(channels) == sc.Raw[0].Meta().Shape[lazy.C] {
			channels = nil
		}
		channels = slices.Sorted(slices.Values(channels))
		return chained(func(c filters.Chain) filters.Chain {
			for i := range c {
				spec, ok := filters.Lookup(c[i].Filter)
				if i == step || step < 0 && ok && spec.Selects() {
					c[i] = c[i].With(filters.ChannelsParam().Name, filters.WriteChannels(channels)).Reopened()
				}
			}
			return c
		})(sc, s)
	}
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

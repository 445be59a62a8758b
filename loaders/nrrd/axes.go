package nrrd

import (
	"fmt"
	"math"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A role is what the header says of one axis.
type role int

const (
	untold role = iota
	space
	time
	samples // channels, the components of a vector, the entries of a matrix
)

// roles are what the kinds say (format.html, section 5.5); an axis without a space direction where others have one
// is no space.
func (h *header) roles(n int) []role {
	out := make([]role, n)
	kinds := h.words("kinds", n)
	directions, some := h.vectors("spacedirections")
	for i := range out {
		kind := ""
		if kinds != nil {
			kind = strings.ToLower(kinds[i])
		}
		switch kind {
		case "domain", "space":
			out[i] = space
		case "time":
			out[i] = time
		case "", "none", "???":
			if some && len(directions) == n && directions[i] == nil {
				out[i] = samples
				if i == n-1 && n > 3 {
					out[i] = time
				}
			}
		default:
			out[i] = samples
		}
	}
	return out
}

// axes is which axis each dimension is, fastest first. The first three in space are x, y and z; a fourth is the time, a
// fifth the channels. What the file does not name is in image.Assumed.
func (h *header) axes(n int, order string, image *lazy.Image) (loaders.Axes, error) {
	if order != "" {
		a, err := loaders.ParseAxes(order, n)
		return a.Reversed(), err
	}
	roles := h.roles(n)
	out := make(loaders.Axes, n)
	taken := map[lazy.Axis]bool{}
	take := func(i int, wanted ...lazy.Axis) error {
		for _, a := range wanted {
			if !taken[a] {
				out[i], taken[a] = a, true
				return nil
			}
		}
		return fmt.Errorf("more axes of one kind than can be shown (kinds: %.100s); say what they are with --axes: %w", h.fields["kinds"], loaders.ErrUnsupported)
	}
	// Those that are told come first, so that the others get what is left.
	for i, r := range roles {
		var err error
		switch r {
		case time:
			err = take(i, lazy.T)
		case samples:
			err = take(i, lazy.C, lazy.T)
		}
		if err != nil {
			return nil, err
		}
	}
	for i, r := range roles {
		if r == time || r == samples {
			continue
		}
		if err := take(i, lazy.X, lazy.Y, lazy.Z, lazy.T, lazy.C); err != nil {
			return nil, err
		}
		if a := out[i]; a == lazy.T || a == lazy.C {
			image.Assumed += a.String()
		}
	}
	return out, nil
}

// colour tells whether the channels are the samples of a colour.
func (h *header) colour(named loaders.Axes, m lazy.Meta) bool {
	kinds := h.words("kinds", len(named))
	if kinds == nil {
		return false
	}
	for i, a := range named {
		k := strings.ToLower(kinds[i])
		if a == lazy.C && (k == "rgb-color" && m.Shape[a] == 3 || k == "rgba-color" && m.Shape[a] == 4) {
			return true
		}
	}
	return false
}

// place fills in sizes, units and origin; named and sizes have the fastest axis first.
func (h *header) place(m *lazy.Meta, named loaders.Axes, sizes []int64, say func(string, ...any)) error {
	spacings, err := h.numbers("spacings", len(named))
	if err != nil {
		return err
	}
	units := h.quoted("units")
	worldUnits := h.quoted("spaceunits")
	directions, some := h.vectors("spacedirections")
	if some && len(directions) != len(named) {
		return fmt.Errorf("space directions: %.100s are %d for %d axes: %w", h.fields["spacedirections"], len(directions), len(named), loaders.ErrDamaged)
	}
	straight := some && h.straight(named, directions)
	origin, _ := h.vectors("spaceorigin")
	unitless := false
	for i, a := range named {
		step, unit := 0.0, ""
		switch {
		case some && directions[i] != nil:
			step, unit = along(directions[i], worldUnits)
		case spacings != nil && loaders.Step(spacings[i]) > 0:
			step = loaders.Step(spacings[i])
		default:
			step = h.between(i, len(named), sizes[i])
		}
		if unit == "" && i < len(units) {
			unit = units[i]
		}
		if step == 0 || a == lazy.C {
			continue
		}
		um, spatial := loaders.Micrometres(unit)
		sec, timed := loaders.Seconds(unit)
		switch {
		case unit == inMicrometres:
			m.Scale[a], m.Unit[a] = step, "um"
		case a != lazy.T && spatial:
			m.Scale[a], m.Unit[a] = step*um, "um"
		case a == lazy.T && timed:
			m.Scale[a], m.Unit[a] = step*sec, "s"
		default:
			m.Scale[a] = step
			unitless = unitless || a != lazy.T
		}
		if straight && a != lazy.T && m.Unit[a] == "um" && len(origin) == 1 && i < len(origin[0]) && i < len(worldUnits) {
			if um, ok := loaders.Micrometres(worldUnits[i]); ok {
				m.Origin[a] = origin[0][i] * um
			}
		}
	}
	if unitless {
		say("The header does not state the unit of its voxel sizes, so they are unknown in micrometres.")
	}
	if some && oblique(directions) {
		say("The space directions turn the image obliquely in space; it is shown as it is stored.")
	}
	return nil
}

// inMicrometres stands for a length that along has converted.
const inMicrometres = "micrometres already"

// along is the length of a space direction, in micrometres where all its parts have a unit of length.
func along(v []float64, units []string) (step float64, unit string) {
	plain, um, all := 0.0, 0.0, true
	for i, x := range v {
		plain += x * x
		if x == 0 {
			continue
		}
		f, ok := 0.0, false
		if i < len(units) {
			f, ok = loaders.Micrometres(units[i])
		}
		all = all && ok
		um += x * f * x * f
	}
	if all {
		return loaders.Step(math.Sqrt(um)), inMicrometres
	}
	return loaders.Step(math.Sqrt(plain)), ""
}

// between is the spacing that "axis mins", "axis maxs" and "centerings" make: a range has a sample in each of size
// cells, or at size nodes (section 5.4). 0 if they do not say.
func (h *header) between(i, n int, size int64) float64 {
	low, err := h.numbers("axismins", n)
	high, err2 := h.numbers("axismaxs", n)
	centers := h.words("centerings", n)
	if err != nil || err2 != nil || low == nil || high == nil || centers == nil {
		return 0
	}
	switch strings.ToLower(centers[i]) {
	case "cell":
		return loaders.Step((high[i] - low[i]) / float64(size))
	case "node":
		if size > 1 {
			return loaders.Step((high[i] - low[i]) / float64(size-1))
		}
	}
	return 0
}

// straight tells whether x, y and z are the first axes, along those of space in their order and direction.
func (h *header) straight(named loaders.Axes, directions [][]float64) bool {
	for i, v := range directions {
		if v == nil {
			continue
		}
		if i > 2 || named[i] != (loaders.Axes{lazy.X, lazy.Y, lazy.Z})[i] || i >= len(v) || !(v[i] > 0) {
			return false
		}
		for j, x := range v {
			if j != i && math.Abs(x) > 1e-6*v[i] {
				return false
			}
		}
	}
	return true
}

// oblique tells whether some direction is along no axis of space.
func oblique(directions [][]float64) bool {
	for _, v := range directions {
		most, all := 0.0, 0.0
		for _, x := range v {
			most, all = max(most, x*x), all+x*x
		}
		if most < 0.9998*all {
			return true
		}
	}
	return false
}

package zarr

import (
	"fmt"
	"math"
	"strings"

	"lamella/lazy"
)

// micrometres and seconds are what one unit is in those of lazy.Meta. OME-Zarr names units in full, as
// UDUNITS-2 does; the short forms are common all the same. The micro sign and the Greek mu both occur.
var (
	micrometres = map[string]float64{
		"angstrom": 1e-4, "picometer": 1e-6, "nanometer": 1e-3, "micrometer": 1, "millimeter": 1e3, "centimeter": 1e4,
		"decimeter": 1e5, "meter": 1e6, "kilometer": 1e9, "inch": 25400, "micron": 1,
		"å": 1e-4, "pm": 1e-6, "nm": 1e-3, "um": 1, "\u00b5m": 1, "\u03bcm": 1, `\u00b5m`: 1, "mm": 1e3, "cm": 1e4, "m": 1e6,
	}
	seconds = map[string]float64{
		"nanosecond": 1e-9, "microsecond": 1e-6, "millisecond": 1e-3, "second": 1, "minute": 60, "hour": 3600, "day": 86400,
		"ns": 1e-9, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "h": 3600,
	}
)

// A placement is where the voxels of a level lie in the world.
type placement struct {
	scale, origin [lazy.Rank]float64
	unit          [lazy.Rank]string
}

// unitOf is the factor of a unit on an axis and the unit of lazy.Meta. A unit that is not known, or
// that the file does not state, keeps lengths as they are and gives no unit.
func unitOf(a lazy.Axis, name string) (factor float64, unit string) {
	table, unit := micrometres, "um"
	if a == lazy.T {
		table, unit = seconds, "s"
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if f, ok := table[name]; ok {
		return f, unit
	}
	if f, ok := table[strings.TrimSuffix(strings.Replace(name, "metre", "meter", 1), "s")]; ok && len(name) > 2 {
		return f, unit
	}
	return 1, ""
}

// A transform is one coordinate transformation of OME-Zarr: a scale or a translation by dimension.
type transform struct {
	Type        string    `json:"type"`
	Scale       []float64 `json:"scale"`
	Translation []float64 `json:"translation"`
}

// place applies transformations, those of the level first, and gives the result in micrometres and
// seconds. What is left out is said.
func place(m multiscale, chains ...[]transform) (p placement, left []string) {
	n := len(m.axes)
	scale, origin := make([]float64, n), make([]float64, n)
	stated := false
	for i := range scale {
		scale[i] = 1
	}
	for _, chain := range chains {
		for _, t := range chain {
			switch {
			case t.Type == "identity":
			case t.Type == "scale" && sound(t.Scale, n, true):
				stated = true
				for i, f := range t.Scale {
					scale[i] *= f
					origin[i] *= f
				}
			case t.Type == "translation" && sound(t.Translation, n, false):
				for i, d := range t.Translation {
					origin[i] += d
				}
			case t.Type == "scale" || t.Type == "translation":
				left = append(left, fmt.Sprintf("a %s that does not fit its %d dimensions was left out", t.Type, n))
			default:
				left = append(left, fmt.Sprintf("a coordinate transformation of type %q was left out", t.Type))
			}
		}
	}
	if !stated {
		return placement{}, left
	}
	for i, a := range m.axes {
		if a == lazy.C || m.own.unknown("%v", a) {
			continue
		}
		factor, unit := unitOf(a, m.units[i])
		p.scale[a], p.origin[a], p.unit[a] = scale[i]*factor, origin[i]*factor, unit
	}
	return p, left
}

// sound reports whether v has a usable number for each of n dimensions.
func sound(v []float64, n int, positive bool) bool {
	if len(v) != n {
		return false
	}
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) || positive && x <= 0 {
			return false
		}
	}
	return true
}

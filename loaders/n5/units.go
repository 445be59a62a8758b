package n5

import (
	"strings"

	"lamella/lazy"
)

// A placement is where the voxels of a level lie in the world.
type placement struct {
	scale, origin [lazy.Rank]float64
	unit          [lazy.Rank]string
}

// micrometres and seconds are what one unit is in those of lazy.Meta. The micro sign and the Greek mu
// both occur.
var (
	micrometres = map[string]float64{
		"angstrom": 1e-4, "picometer": 1e-6, "nanometer": 1e-3, "micrometer": 1, "micron": 1, "millimeter": 1e3, "centimeter": 1e4, "meter": 1e6,
		"å": 1e-4, "pm": 1e-6, "nm": 1e-3, "um": 1, "\u00b5m": 1, "\u03bcm": 1, "mm": 1e3, "cm": 1e4, "m": 1e6,
	}
	seconds = map[string]float64{
		"nanosecond": 1e-9, "microsecond": 1e-6, "millisecond": 1e-3, "second": 1, "minute": 60, "hour": 3600, "day": 86400,
		"ns": 1e-9, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "h": 3600,
	}
)

// unitOf is the factor of a unit on an axis and the unit of lazy.Meta. A unit that is not known, or not
// stated, keeps lengths as they are and gives no unit; one of the other kind is not ok.
func unitOf(a lazy.Axis, name string) (factor float64, unit string, ok bool) {
	table, other, unit := micrometres, seconds, "um"
	if a == lazy.T {
		table, other, unit = seconds, micrometres, "s"
	}
	name = strings.ToLower(strings.TrimSpace(name))
	long := strings.TrimSuffix(strings.Replace(name, "metre", "meter", 1), "s")
	for _, n := range []string{name, long} {
		if f, ok := table[n]; ok && (n == name || len(n) > 3) {
			return f, unit, true
		}
		if _, ok := other[n]; ok && (n == name || len(n) > 3) {
			return 0, "", false
		}
	}
	return 1, "", true
}

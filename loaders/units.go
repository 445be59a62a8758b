package loaders

import (
	"math"
	"strings"
)

// Micrometres is how many there are in one unit of length, by the spellings that headers use; false if it
// is no length.
func Micrometres(unit string) (float64, bool) {
	f, ok := lengths[spelled(unit)]
	return f, ok
}

// Seconds is how many there are in one unit of time; false if it is no time.
func Seconds(unit string) (float64, bool) {
	f, ok := times[spelled(unit)]
	return f, ok
}

var (
	lengths = map[string]float64{
		"pm": 1e-6, "picometer": 1e-6, "å": 1e-4, "ångström": 1e-4, "angstrom": 1e-4, "nm": 1e-3, "nanometer": 1e-3,
		"um": 1, "micron": 1, "micrometer": 1, "mm": 1e3, "millimeter": 1e3, "cm": 1e4, "centimeter": 1e4, "dm": 1e5,
		"m": 1e6, "meter": 1e6, "km": 1e9, "in": 25400, "inch": 25400,
	}
	times = map[string]float64{
		"ns": 1e-9, "nanosecond": 1e-9, "us": 1e-6, "usec": 1e-6, "microsecond": 1e-6, "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3,
		"s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86400, "day": 86400,
	}
)

// spelled brings the many spellings of a unit to one: the Greek letter and the sign for a millionth, British
// metres, the plural.
func spelled(unit string) string {
	u := strings.ToLower(strings.TrimSpace(unit))
	u = strings.NewReplacer("\u00b5", "u", "\u03bc", "u", "metre", "meter").Replace(u)
	if len(u) > 3 && u != "inches" {
		u = strings.TrimSuffix(u, "s")
	}
	if u == "inches" {
		u = "inch"
	}
	return u
}

// Step is v when it can be the distance between two voxels or two times, without its sign; else 0: unknown.
// Headers hold NaN, infinities, zeros and negative numbers where nobody wrote one.
func Step(v float64) float64 {
	if v = math.Abs(v); v >= 1e-30 && v <= 1e30 {
		return v
	}
	return 0 // and NaN
}

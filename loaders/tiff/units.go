package tiff

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// micrometres is how many there are in one unit of length, by all the spellings that files use; false
// if it is no length.
func micrometres(unit string) (float64, bool) {
	u := strings.ReplaceAll(spelled(unit), "μ", "µ") // the Greek letter and the sign of 1/1,000,000
	switch strings.ToLower(u) {
	case "pm", "picometer", "picometers", "picometre":
		return 1e-6, true
	case "å", "angstrom", "angstroms":
		return 1e-4, true
	case "nm", "nanometer", "nanometers", "nanometre", "nanometres":
		return 1e-3, true
	case "µm", "um", "µ", "micron", "microns", "micrometer", "micrometers", "micrometre", "micrometres":
		return 1, true
	case "mm", "millimeter", "millimeters", "millimetre", "millimetres":
		return 1e3, true
	case "cm", "centimeter", "centimeters", "centimetre", "centimetres":
		return 1e4, true
	case "in", "inch", "inches":
		return 25400, true
	case "dm":
		return 1e5, true
	case "m", "meter", "meters", "metre", "metres":
		return 1e6, true
	case "km":
		return 1e9, true
	}
	return 0, false
}

// seconds is how many there are in one unit of time; false if it is no time.
func seconds(unit string) (float64, bool) {
	switch strings.ToLower(strings.ReplaceAll(spelled(unit), "μ", "µ")) {
	case "ns", "nsec":
		return 1e-9, true
	case "µs", "us", "usec", "µsec":
		return 1e-6, true
	case "ms", "msec", "millisecond", "milliseconds":
		return 1e-3, true
	case "s", "sec", "secs", "second", "seconds":
		return 1, true
	case "min", "mins", "minute", "minutes":
		return 60, true
	case "h", "hr", "hour", "hours":
		return 3600, true
	case "d", "day", "days":
		return 86400, true
	}
	return 0, false
}

// spelled turns the escapes that Java writes for letters outside ASCII, such as \u00B5, into letters.
func spelled(s string) string {
	s = strings.TrimSpace(s)
	for at := 0; ; {
		i := strings.Index(s[at:], `\u`)
		if i < 0 || at+i+6 > len(s) {
			return s
		}
		at += i
		code, err := strconv.ParseUint(s[at+2:at+6], 16, 16)
		if err != nil {
			at += 2
			continue
		}
		s = s[:at] + string(rune(code)) + s[at+6:]
	}
}

// readable is s itself, or if it is not UTF-8, what it says in Latin-1.
func readable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// length is v when it can be the size of a voxel or the time between two frames, else 0: unknown.
func length(v float64) float64 {
	if v = math.Abs(v); v >= 1e-12 && v <= 1e12 {
		return v
	}
	return 0 // and NaN
}

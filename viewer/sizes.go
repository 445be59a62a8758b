package viewer

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"lamella/lazy"
)

// A Size is what a person says of the distance between voxels along an axis, in place of what the file says.
// The zero Size says nothing.
type Size struct {
	Edited bool
	Value  float64 // in micrometres, along T in seconds; 0 says that it is not known
}

// Sizes are those of all axes; C has none.
type Sizes [lazy.Rank]Size

// SetSize says what the distance between voxels along an axis is, in micrometres, along T in seconds; 0 says
// that it is not known. What the file says as well is no edit.
func SetSize(a lazy.Axis, v float64) Action {
	return func(sc *Scene, s State) State {
		switch {
		case a == lazy.C || !(v >= 0) || math.IsInf(v, 0):
		case v == sc.FileSize(a):
			s.Sizes[a] = Size{}
		default:
			s.Sizes[a] = Size{true, v}
		}
		return s
	}
}

// RestoreSize goes back to what the file says of an axis.
func RestoreSize(a lazy.Axis) Action {
	return func(_ *Scene, s State) State {
		s.Sizes[a] = Size{}
		return s
	}
}

// Rename names a channel; without a name it is called as at first.
func Rename(channel int, name string) Action {
	return func(sc *Scene, s State) State {
		name = strings.TrimSpace(strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, name))
		if name == "" {
			name = sc.FileName(channel)
		}
		return s.withChannel(channel, func(c *Channel) { c.Name = name })
	}
}

// FileSize is what the file says of the distance between voxels along an axis; 0 if it says nothing.
func (sc *Scene) FileSize(a lazy.Axis) float64 {
	return max(0, sc.Image.Levels[0].Array.Meta().Calibrated().Scale[a])
}

// FileName is the name of a channel as the file has it, or that of one without a name.
func (sc *Scene) FileName(i int) string {
	if n := sc.Raw[0].Meta().Shape[lazy.C]; i >= 0 && i < n {
		return channel(sc, i, n).Name
	}
	return ""
}

// Edited reports whether a person has said how large voxels are, or what channels are called.
func (sc *Scene) Edited(s State) bool {
	if s.Sizes != (Sizes{}) {
		return true
	}
	for i, c := range s.Channels {
		if c.Name != sc.FileName(i) {
			return true
		}
	}
	return false
}

// errSize is what a length or a time is written like.
var errSize = errors.New("viewer: not a size above 0 with a unit")

// ParseSize reads the distance between voxels along an axis: "0.25", "250 nm", "1.5 mm", along T "2 s", "40 ms" or
// "5 min". A number alone is in micrometres or in seconds. Nothing, or "?", is 0: it is not known.
func ParseSize(a lazy.Axis, text string) (float64, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || text == "?" {
		return 0, nil
	}
	units := lengthUnits
	if a == lazy.T {
		units = timeUnits
	}
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, unit := text[:end], strings.TrimSpace(text[end:])
	by, known := units[strings.NewReplacer("\u00b5", "u", "\u03bc", "u").Replace(unit)]
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if v *= by; !known || err != nil || !(v > 1e-12) || v > 1e12 {
		return 0, errSize
	}
	return v, nil
}

var (
	lengthUnits = map[string]float64{"": 1, "um": 1, "micron": 1, "nm": 1e-3, "pm": 1e-6, "å": 1e-4, "mm": 1e3, "cm": 1e4, "m": 1e6}
	timeUnits   = map[string]float64{"": 1, "s": 1, "sec": 1, "ms": 1e-3, "us": 1e-6, "min": 60, "h": 3600}
)

// restated are the levels of an image, in the sizes that a person has said. Levels keep their places within the
// finest, and the image its origin.
func restated(levels []lazy.Level, sizes Sizes) []lazy.Array {
	fine := levels[0].Array.Meta()
	var out []lazy.Array
	for _, l := range levels {
		m, of := l.Array.Meta(), levelMapOf(fine, l.Array.Meta())
		for a, size := range sizes {
			if !size.Edited {
				continue
			}
			m.Scale[a], m.Unit[a] = size.Value*of.scale[a], "um"
			if lazy.Axis(a) == lazy.T {
				m.Unit[a] = "s"
			}
			m.Origin[a] = fine.Origin[a] + of.shift[a]*size.Value
			if size.Value == 0 {
				m.Unit[a], m.Origin[a] = "", 0
			}
		}
		out = append(out, lazy.Restate(l.Array, m))
	}
	return out
}

package viewer

import (
	"strconv"
	"strings"

	"lamella/filters"
	"lamella/lazy"
)

// placed is a look at a derived image that goes through the same voxels as the look at the image that it is made of by a chain:
// the same plane, cut the same way, and, unless it was cut out or the whole plane was on view, the same place at the same size.
func (sc *Scene) placed(s, from State, of *Scene, chain filters.Chain) State {
	s.Cut, s.Arrangement = from.Cut, from.Arrangement
	if s.Arrangement == ByImage {
		s.Arrangement = Alone
	}
	was, is := of.Meta().Shape, sc.Meta().Shape
	at, center := [lazy.Rank]float64{}, from.Center
	for a := range lazy.Rank {
		at[a] = float64(from.At[a])
	}
	out := false
	shape := was
	for _, step := range chain {
		out = out || step.Filter == "crop"
		at, _ = movedBy(step, shape, at)
		center, shape = movedBy(step, shape, center)
	}
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		share := float64(is[a]) / float64(max(1, shape[a])) // of other voxels, as of a resampled image
		s.At[a] = int((at[a] + 0.5) * share)
		s.Center[a] = (center[a]+0.5)*share - 0.5
	}
	s.At[lazy.T] = min(from.At[lazy.T], is[lazy.T]-1)
	s.Fitted = from.Fitted || out
	if a, b := of.Meta().Scale[lazy.X], sc.Meta().Scale[lazy.X]; a > 0 && b > 0 {
		s.Zoom = from.Zoom * b / a
	} else if shape[lazy.X] > 0 {
		s.Zoom = from.Zoom
	}
	return s
}

// movedBy is where a step that changes the place of voxels brings a position in an image of a shape, and the shape that it makes. Steps
// whose effect is not known by their text leave the share of each axis.
func movedBy(step filters.Step, shape lazy.Shape, at [lazy.Rank]float64) ([lazy.Rank]float64, lazy.Shape) {
	last := func(a lazy.Axis) float64 { return float64(shape[a] - 1) }
	switch step.Filter {
	case "crop":
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			from, to, ok := strings.Cut(step.Arg(a.String()), ":")
			lo, err1 := strconv.Atoi(from)
			hi, err2 := strconv.Atoi(to)
			if ok && err1 == nil && err2 == nil {
				at[a] -= float64(lo)
				shape[a] = hi - lo
			}
		}
	case "flip":
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if step.Arg("axis") == a.String() {
				at[a] = last(a) - at[a]
			}
		}
	case "rotate":
		turns := map[string]int{"90": 1, "180": 2, "270": 3}[step.Arg("by")]
		for range turns { // to the right, as seen from above
			at[lazy.X], at[lazy.Y] = last(lazy.Y)-at[lazy.Y], at[lazy.X]
			shape[lazy.X], shape[lazy.Y] = shape[lazy.Y], shape[lazy.X]
		}
	case "bin":
		n := strings.Split(step.Arg("size"), ",")
		for k, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			by, err := strconv.Atoi(n[min(k, len(n)-1)])
			if err == nil && by > 0 {
				at[a] = (at[a]+0.5)/float64(by) - 0.5
				shape[a] = max(1, shape[a]/by)
			}
		}
	}
	return at, shape
}

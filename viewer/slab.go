package viewer

import (
	"math"
	"strconv"

	"lamella/filters"
	"lamella/lazy"
)

// A Slab is how thick a plane is looked at: what is drawn is a projection of the plane and Half planes on each
// side of it, as far as they exist. Filters come first. The zero Slab is the plane alone.
type Slab struct {
	How  string // of Projections
	Half int    // planes of the finest level on each side
}

// Projections are how a slab can be reduced to a plane, as the catalogue names them.
var Projections = [...]string{"max", "mean", "min", "sum"}

// thickest is the most planes on each side, as many as the catalogue's projection takes.
const thickest = 1000

// Thick reports whether more than the plane is looked at.
func (b Slab) Thick() bool { return b.Half > 0 }

// SetSlab looks at a slab: a projection of Half planes on each side. No planes, or a projection that there is
// not, is the plane alone.
func SetSlab(b Slab) Action {
	return func(_ *Scene, s State) State {
		b.Half = min(thickest, b.Half)
		known := false
		for _, p := range Projections {
			known = known || p == b.How
		}
		if !known || b.Half <= 0 {
			b = Slab{}
		}
		s.Slab = b
		return s
	}
}

// Thicken adds planes on each side of what is looked at, or takes them away.
func Thicken(by int) Action {
	return func(sc *Scene, s State) State {
		b := s.Slab
		if b.How == "" {
			b.How = Projections[0]
		}
		b.Half = max(0, b.Half+by)
		return SetSlab(b)(sc, s)
	}
}

// thicken prepares the slabs along each axis of space, on each level as many voxels as come nearest. What
// is summed has other values, so its limits are its own.
func (sc *Scene) thicken(b Slab) {
	sc.slab = Slab{}
	if !b.Thick() {
		return
	}
	for _, axis := range [...]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		var levels []lazy.Array
		for l, a := range sc.Shown {
			half := int(math.Round(float64(b.Half) / sc.levelMap(l).scale[axis]))
			if half > 0 && a.Meta().Shape[axis] > 1 {
				step := b.step(axis, half)
				thick, err := filters.Chain{step}.Apply(a)
				if err != nil { // an image that has no slabs is seen in planes
					return
				}
				a = thick
			}
			levels = append(levels, a)
		}
		sc.slabs[axis] = levels
	}
	sc.slab = b
	sc.kinds += b.kind()
}

// step is the filter that makes slabs along an axis, of so many planes on each side.
func (b Slab) step(axis lazy.Axis, half int) filters.Step {
	return filters.Step{Filter: "project", Args: []filters.Arg{
		{Name: "axis", Value: axis.String()}, {Name: "how", Value: b.How}, {Name: "around", Value: strconv.Itoa(half)},
	}}
}

// kind tells slabs whose values have a range of their own from others.
func (b Slab) kind() string {
	if b.How == "sum" && b.Thick() {
		return "sum of " + strconv.Itoa(2*b.Half+1)
	}
	return ""
}

// seen is what is looked at on a level: planes, or slabs along the cut's normal.
func (sc *Scene) seen(o Orientation, level int) lazy.Array {
	if _, _, normal := o.Axes(); sc.slab.Thick() {
		return sc.slabs[normal][level]
	}
	return sc.Shown[level]
}

// derived reports whether the picture shows other values than the stored ones.
func (sc *Scene) derived() bool { return sc.Filtered() || sc.slab.Thick() }

// Thickness is how thick the slab is that s looks at, in micrometres along the normal, and whether it is known.
func (sc *Scene) Thickness(s State) (um float64, ok bool) {
	_, _, normal := s.Cut.Axes()
	scale := sc.Meta().Scale[normal]
	return float64(2*s.Slab.Half+1) * scale, scale > 0 && s.Slab.Thick()
}

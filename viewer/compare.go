package viewer

import (
	"errors"
	"math"

	"lamella/filters"
)

// A Comparison says how what the filters make is seen against the stored voxels, or against what filters make that are
// set aside.
type Comparison uint8

// The comparisons.
const (
	Result     Comparison = iota // what the filters make, alone
	Curtain                      // the same with the stored voxels to the left of a line
	Original                     // the stored voxels, alone
	Difference                   // what the filters make less the stored voxels
)

// Comparisons lists them in the order of a menu.
var Comparisons = [...]Comparison{Result, Curtain, Original, Difference}

// SetComparison sees the result against the stored voxels in a way, or alone. A curtain that has not been moved
// hangs in the middle. Pictures that stand together have no curtain.
func SetComparison(c Comparison) Action {
	return func(_ *Scene, s State) State {
		s.Compare = min(c, Difference)
		if s.Compare == Curtain && s.Curtain <= 0 {
			s.Curtain = 0.5
		}
		return s
	}
}

// Nothing of the chain is computed while the stored voxels alone are shown, so that the filters of a slow chain can be
// set without waiting for them.

// Flip goes from the result to the stored voxels, and from whatever else to the result.
func Flip() Action {
	return func(sc *Scene, s State) State {
		if s.Compare != Result {
			return SetComparison(Result)(sc, s)
		}
		return SetComparison(Original)(sc, s)
	}
}

// MoveCurtain hangs the curtain at a share of the viewport's width.
func MoveCurtain(share float64) Action {
	return func(_ *Scene, s State) State {
		s.Curtain = max(0.01, min(0.99, share))
		return s
	}
}

// Parted reports whether a curtain hangs in the picture.
func (s State) Parted() bool { return s.Compare == Curtain && s.Arrangement == Alone }

// A side is what the result is compared with, and the limits of its channels that are known.
type side struct {
	of     *Scene // that it belongs to
	scene  *Scene
	limits []Limits
	known  []bool
}

// against names a side: a way to compare, with the filters set aside or with the stored voxels.
type against struct {
	how   Comparison
	aside bool
}

// errShapes is why some chains cannot be compared voxel by voxel.
var errShapes = errors.New("viewer: the filters make an image of another shape, so it has no difference from the stored one")

// compared is the scene and State of a picture of a scene that is seen against the stored voxels. Where that cannot be the
// result stands.
func (s *Session) compared(of *Scene, p State) (*Scene, State) {
	c := p.Compare
	if c != Original && c != Difference || !of.Comparable(p) {
		return of, p
	}
	key := against{c, len(p.Aside) > 0}
	sd := s.sides[key]
	if sd == nil || sd.of != of {
		sc, err := s.side(of, c, p)
		if err != nil {
			return of, p
		}
		sd = &side{of: of, scene: sc, limits: make([]Limits, len(p.Channels)), known: make([]bool, len(p.Channels))}
		for i, l := range s.limits[sc.kinds] {
			if i < len(sd.limits) {
				sd.limits[i], sd.known[i] = l, true
			}
		}
		if s.sides == nil {
			s.sides = map[against]*side{}
		}
		s.sides[key] = sd
	}
	for i := range p.Channels {
		p = p.withChannel(i, func(ch *Channel) {
			if ch.Rule = (Rule{Kind: Robust, Pending: true}); sd.known[i] {
				ch.Limits, ch.Rule = sd.limits[i], Rule{}
			}
		})
	}
	if sd.scene.over != of.over { // the scene may be being drawn
		with := *sd.scene
		with.over = of.over
		sd.scene = &with
	}
	return sd.scene, p
}

// foundBeside takes in limits of what the result is compared with, and reports whether they are of that.
func (s *Session) foundBeside(of *Scene, c int, l Limits) bool {
	for key, sd := range s.sides {
		if sd.scene != of || sd.of != s.scene && !s.watching.has(sd.of) || c >= len(sd.limits) {
			continue
		}
		if key.how == Difference {
			l = l.balanced()
		}
		sd.limits[c], sd.known[c] = l, true
		s.limits[of.kinds] = sd.limits
		for _, known := range sd.known {
			if !known {
				delete(s.limits, of.kinds)
			}
		}
		s.want()
		return true
	}
	return false
}

// balanced are limits with zero in their middle.
func (l Limits) balanced() Limits {
	m := math.Max(math.Abs(l.Low), math.Abs(l.High))
	return Limits{-m, m}.apart()
}

// side is the scene of what a result is compared with.
func (s *Session) side(of *Scene, c Comparison, p State) (*Scene, error) {
	other, err := s.aside(p)
	if err != nil || c == Original {
		return other, err
	}
	return of.less(other, p.Slab)
}

// less is the scene of sc less another of the same image, as far as their levels go together.
func (sc *Scene) less(other *Scene, slab Slab) (*Scene, error) {
	levels, kinds := sc.counterpart(other)
	d := &Scene{Set: sc.Set, Image: sc.Image, Raw: sc.Raw, image: sc.image, thinned: sc.thinned, part: sc.part, over: sc.over,
		chain: sc.chain + " difference " + other.chain, kinds: sc.kinds + "difference|" + kinds}
	for l, a := range sc.Shown {
		if l >= len(levels) || a.Meta().Shape != levels[l].Meta().Shape {
			break
		}
		diff, err := filters.Difference(a, levels[l])
		if err != nil {
			return nil, err
		}
		d.Shown = append(d.Shown, diff)
	}
	if len(d.Shown) == 0 {
		return nil, errShapes
	}
	d.thicken(slab)
	return d, nil
}

// Comparable reports whether there is something that the result is compared with voxel by voxel: filters set aside, or the
// stored voxels where filters have made others of them.
func (sc *Scene) Comparable(s State) bool {
	return (sc.Filtered() || len(s.Aside) > 0) && sc.Fault == nil && sc.Shown[0].Meta().Shape == sc.Raw[0].Meta().Shape
}

package viewer

import (
	"errors"
	"math"
	"slices"

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

// A side is what the result is compared with, and the limits of its channels that are known, or the rules by which they are to
// be found.
type side struct {
	of     *Scene // that it belongs to
	scene  *Scene
	limits []Limits
	rules  []Rule
	known  []bool
}

// against names a side: a way to compare, with the filters set aside or with the stored voxels.
type against struct {
	how   Comparison
	aside bool
}

// errShapes is why some chains cannot be compared voxel by voxel.
var errShapes = errors.New("viewer: the filters make an image of another shape, so it has no difference from the stored one")

// sideOf is what a picture of a scene is seen against, nil where it shows the result.
func (s *Session) sideOf(of *Scene, p State) *side {
	c := p.Compare
	if c != Original && c != Difference || !of.Comparable(p) {
		return nil
	}
	key := against{c, len(p.Aside) > 0}
	if sd := s.sides[key]; sd != nil && sd.of == of {
		return sd
	}
	sc, err := s.side(of, c, p)
	if err != nil {
		return nil
	}
	n := len(p.Channels)
	sd := &side{of: of, scene: sc, limits: make([]Limits, n), rules: make([]Rule, n), known: make([]bool, n)}
	for i, l := range s.limits[sc.kinds] {
		if i < n {
			sd.limits[i], sd.known[i] = l, true
		}
	}
	if s.sides == nil {
		s.sides = map[against]*side{}
	}
	s.sides[key] = sd
	return sd
}

// compared is the scene and State of a picture of a scene that is seen against the stored voxels. Where that cannot be the
// result stands.
func (s *Session) compared(of *Scene, p State) (*Scene, State) {
	sd := s.sideOf(of, p)
	if sd == nil {
		return of, p
	}
	for i := range p.Channels {
		p = p.withChannel(i, func(ch *Channel) {
			switch ch.Rule = sd.rules[i]; {
			case sd.known[i]:
				ch.Limits = sd.limits[i]
			case !ch.Rule.Pending:
				ch.Rule = Rule{Kind: Robust, Pending: true}
			}
		})
	}
	if p.Compare == Difference {
		p = p.different()
	}
	if sd.scene.over != of.over { // the scene may be being drawn
		with := *sd.scene
		with.over = of.over
		sd.scene = &with
	}
	return sd.scene, p
}

// different is a State that shows differences: of one channel what is less in blue and what is more in orange, of several
// how much each is another, in its own colour. No difference is black.
func (s State) different() State {
	one := s.Differing() == 1
	for i := range s.Channels {
		s = s.withChannel(i, func(ch *Channel) {
			ch.Gamma = 1 // else the middle is elsewhere
			if ch.Mirror = !one; one {
				ch.LUT = "Blue/Orange"
			}
		})
	}
	return s
}

// Differing is how many channels a picture of differences shows together.
func (s State) Differing() int {
	if s.Arrangement == ByChannel {
		return 1
	}
	return len(s.Shown())
}

// Seen is the scene and the State that are on view where the result is compared with something: that, in its own limits and
// colours. Else it is the Session's own.
func (s *Session) Seen() (*Scene, State) { return s.compared(s.scene, s.state) }

// sided does an Action to what is on view. Limits and rules of what the result is compared with are that side's own, and
// only there; all else is as it would be without a comparison.
func (s *Session) sided(a Action) State {
	sd := s.sideOf(s.scene, s.state)
	_, seen := s.Seen()
	next := a(s.scene, seen)
	if sd == nil || len(next.Channels) != len(s.state.Channels) {
		return next
	}
	for i, was := range seen.Channels {
		is, own := next.Channels[i], s.state.Channels[i]
		if is.Limits != was.Limits || is.Rule != was.Rule {
			sd.set(i, was, is, seen.Compare == Difference)
			s.keep(sd)
		}
		next = next.withChannel(i, func(ch *Channel) {
			ch.Limits, ch.Rule, ch.Mirror = own.Limits, own.Rule, own.Mirror
			if is.LUT == was.LUT {
				ch.LUT = own.LUT
			}
			if is.Gamma == was.Gamma {
				ch.Gamma = own.Gamma
			}
		})
	}
	return next
}

// set takes over what was said of a channel: a rule, or limits, whose middle stays at zero where a difference is shown.
func (d *side) set(i int, was, is Channel, balanced bool) {
	d.rules[i], d.known[i] = is.Rule, !is.Rule.Pending
	if !d.known[i] {
		return
	}
	if d.limits[i] = is.Limits; balanced {
		m := is.Limits.High
		if m == was.Limits.High {
			m = is.Limits.Low
		}
		d.limits[i] = Limits{-math.Abs(m), math.Abs(m)}.apart()
	}
}

// foundBeside takes in limits of what the result is compared with, and reports whether they are of that.
func (s *Session) foundBeside(of *Scene, c int, r Rule, l Limits) bool {
	for key, sd := range s.sides {
		if sd.scene != of || sd.of != s.scene && !s.watching.has(sd.of) || c >= len(sd.limits) {
			continue
		}
		if key.how == Difference {
			l = l.balanced()
		}
		r.Pending = false
		sd.limits[c], sd.rules[c], sd.known[c] = l, r, true
		s.keep(sd)
		s.want()
		return true
	}
	return false
}

// keep remembers the limits of a side for when it is seen again, once all are known.
func (s *Session) keep(sd *side) {
	if slices.Contains(sd.known, false) {
		delete(s.limits, sd.scene.kinds)
		return
	}
	s.limits[sd.scene.kinds] = slices.Clone(sd.limits)
}

// sideLimits are what a side is shown in, as a value to go back to.
type sideLimits struct {
	kinds  string // of its filters
	limits []Limits
	rules  []Rule
	known  []bool
}

// equal reports whether two are the same, or of different sides, which a change of limits does not lead to.
func (l *sideLimits) equal(o *sideLimits) bool {
	return l == nil || o == nil || l.kinds != o.kinds || slices.Equal(l.limits, o.limits) && slices.Equal(l.rules, o.rules) && slices.Equal(l.known, o.known)
}

// made is what a person made of the picture, and of what it is compared with.
func (s *Session) made() made {
	m := s.state.made()
	if sd := s.sideOf(s.scene, s.state); sd != nil {
		m.side = &sideLimits{sd.scene.kinds, slices.Clone(sd.limits), slices.Clone(sd.rules), slices.Clone(sd.known)}
	}
	return m
}

// restore has the side on view shown in limits that it had before.
func (s *Session) restore(l *sideLimits) {
	sd := s.sideOf(s.scene, s.state)
	if l == nil || sd == nil || sd.scene.kinds != l.kinds || len(sd.limits) != len(l.limits) {
		return
	}
	sd.limits, sd.rules, sd.known = slices.Clone(l.limits), slices.Clone(l.rules), slices.Clone(l.known)
	s.keep(sd)
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
		result: sc, Rows: sc.Rows, steps: sc.steps, chain: sc.chain + " difference " + other.chain, kinds: sc.kinds + "difference|" + kinds}
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

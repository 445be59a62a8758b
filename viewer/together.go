package viewer

import (
	"slices"

	"lamella/lazy"
)

// Images of a dataset stand side by side, each in a picture of its own: the first is the one that the State is about, and
// the others are looked at from the same place. Where the sizes of voxels are known that is the same place in the world,
// at the same size; else it is the same voxel. Images with as many channels are shown in the same limits and colours, and
// all are seen through the same filters.

// Together puts images side by side, the one on view first.
func Together(images ...int) Action {
	return func(sc *Scene, s State) State {
		s = Arrange(ByImage)(sc, s)
		s.Together = slices.Clone(images)
		return s
	}
}

// AllTogether puts all images of the dataset side by side, as many as there are pictures.
func AllTogether() Action {
	return func(sc *Scene, s State) State {
		var all []int
		for i := range sc.Set.Images {
			all = append(all, i)
		}
		return Together(all...)(sc, s)
	}
}

// gathered is s without images that are not there, or there twice.
func (sc *Scene) gathered(s State) State {
	if len(s.Together) == 0 && s.Arrangement != ByImage {
		return s
	}
	var left []int
	for _, i := range s.Together {
		if i >= 0 && i < len(sc.Set.Images) && i != s.Image && !slices.Contains(left, i) && len(left) < mostPanes-1 {
			left = append(left, i)
		}
	}
	if s.Together = left; len(left) == 0 && s.Arrangement == ByImage {
		s.Arrangement = Alone
	}
	return s
}

// A neighbour is an image that stands beside the one on view.
type neighbour struct {
	of       *Scene // beside which it stands
	scene    *Scene
	channels []Channel // its own, where it has others than the one on view
}

// neighbour is the scene and the State of a picture that shows another image, for the State that it would have of the one on
// view. ok is false if there is no such image.
func (s *Session) neighbour(p State) (sc *Scene, of State, ok bool) {
	n := s.neighbours[p.Image]
	if n == nil || n.of != s.scene {
		of := p
		of.Sizes = Sizes{}
		if p.Compare == Original {
			of.Chain = nil
		}
		made, open, err := s.build(of)
		if err != nil {
			return nil, p, false
		}
		if open != nil && s.scene.Fault == nil {
			newest(s.loop.asks, open)
		}
		next := &neighbour{of: s.scene, scene: made}
		if n != nil && n.scene.kinds == made.kinds {
			next.channels = n.channels
		}
		n = next
		if s.neighbours == nil {
			s.neighbours = map[int]*neighbour{}
		}
		s.neighbours[p.Image] = n
	}
	p = n.scene.from(s.scene, p)
	if c := n.scene.Raw[0].Meta(); c.Shape[lazy.C] != len(p.Channels) || c.DType != s.scene.Raw[0].Meta().DType {
		if n.channels == nil {
			n.channels = opening(n.scene, p.Image, State{}).Channels
		}
		p.Channels, p.Solo = n.channels, false
	}
	return n.scene, n.scene.clamp(p), true
}

// foundNeighbour takes in limits of a channel of an image beside the one on view, and reports whether they are of that.
func (s *Session) foundNeighbour(of *Scene, c int, r Rule, l Limits) bool {
	for _, n := range s.neighbours {
		if n.scene != of || n.of != s.scene || c >= len(n.channels) || n.channels[c].Rule != r {
			continue
		}
		n.channels = slices.Clone(n.channels)
		r.Pending = false
		n.channels[c].Limits, n.channels[c].Rule = l, r
		s.want()
		return true
	}
	return false
}

// from is a State of another scene as it is meant on sc: at the same place in the world along axes of which both know the
// size of voxels, else at the same voxel.
func (sc *Scene) from(other *Scene, s State) State {
	mine, its := sc.Meta(), other.Meta()
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if mine.Scale[a] <= 0 || its.Scale[a] <= 0 {
			continue
		}
		s.At[a] = int(sc.along(a, other, float64(s.At[a])) + 0.5)
		s.Center[a] = sc.along(a, other, s.Center[a])
		if a == lazy.X {
			s.Zoom /= its.Scale[a] / mine.Scale[a]
		}
	}
	s.Fitted, s.Arrangement, s.Compare = false, Alone, Result
	return s
}

// SeenOn is the scene and the State that it shows, which are others than those on view where it shows another
// image. ok is false if there is no such picture.
func (s *Session) SeenOn(i int) (sc *Scene, of State, ok bool) {
	if i < 0 || i >= s.state.drawn() {
		return nil, State{}, false
	}
	of = s.state.Pane(i)
	if of.Image == s.state.Image {
		return s.scene, of, true
	}
	return s.neighbour(of)
}

// Linked is the point of picture k, in its device pixels, that shows the same place as a point of picture i: itself, or one
// of an image or a channel beside it. ok is false where there is none, as among cuts that cross each other.
func (s *Session) Linked(i, k int, px, py float64) (x, y float64, ok bool) {
	if i == k {
		return px, py, i < s.state.drawn()
	}
	if n := s.state.Panes(); i >= n || k >= n || s.state.Arrangement == ThreeUp {
		return 0, 0, false
	}
	from, its, found := s.SeenOn(i)
	to, mine, there := s.SeenOn(k)
	if !found || !there || its.Size.X <= 0 || mine.Size.X <= 0 {
		return 0, 0, false
	}
	g := to.Geometry(mine)
	across, down := from.Geometry(its).Position(px, py)
	x, y = g.Pixel(to.along(g.Across, from, across), to.along(g.Down, from, down))
	return x, y, true
}

// along is a position along an axis of another scene on this one: in the world where both know the size of their voxels.
func (sc *Scene) along(a lazy.Axis, other *Scene, at float64) float64 {
	mine, its := sc.Meta(), other.Meta()
	if mine.Scale[a] <= 0 || its.Scale[a] <= 0 {
		return at
	}
	return (its.Origin[a] - mine.Origin[a] + at*its.Scale[a]) / mine.Scale[a]
}

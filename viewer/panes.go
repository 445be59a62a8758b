package viewer

import (
	"image"
	"math"
	"slices"

	"lamella/lazy"
)

// An Arrangement says which pictures stand in the window together. All of them have one zoom and one
// position in their middle.
type Arrangement uint8

// The arrangements.
const (
	Alone     Arrangement = iota // one picture, cut as the State says
	ThreeUp                      // XY, to its right ZY with rows in line, below it XZ with columns in line
	ByChannel                    // one picture for each visible channel
	ByImage                      // the image on view, and others of the dataset beside it
)

// mostPanes is how many pictures stand together at most.
const mostPanes = 16

// threeUp are the cuts of the pictures of ThreeUp, in their order.
var threeUp = [...]Orientation{XY, ZY, XZ}

// whole is how many pictures there are that each show a plane.
func (s State) whole() int {
	switch s.Arrangement {
	case ThreeUp:
		return len(threeUp)
	case ByChannel:
		return max(1, min(mostPanes, len(s.visible())))
	case ByImage:
		return min(mostPanes, 1+len(s.Together))
	}
	return 1
}

// Panes is how many pictures there are, that behind a curtain not counted.
func (s State) Panes() int { return s.whole() }

// drawn is how many pictures are drawn: that behind a curtain is the last.
func (s State) drawn() int {
	if s.Parted() {
		return s.whole() + 1
	}
	return s.whole()
}

// Pane is what picture i shows, as the State of a picture that stands alone.
func (s State) Pane(i int) State {
	switch s.Arrangement {
	case ThreeUp:
		s.Cut = threeUp[i]
	case ByChannel:
		if v := s.visible(); i < len(v) {
			s.Solo, s.At[lazy.C] = true, v[i]
		}
	case ByImage:
		if i > 0 && i <= len(s.Together) {
			s.Image = s.Together[i-1]
		}
	}
	switch {
	case s.Parted() && i == 1: // behind the curtain
		s.Compare = Original
		return s
	case s.Compare == Curtain:
		s.Compare = Result
	}
	if i > 0 {
		s.Size = image.Point{}
		if i <= len(s.Beside) {
			s.Size = s.Beside[i-1]
		}
	}
	s.Arrangement = Alone
	return s
}

// On is an Action as it is meant by picture i, whose pixels it counts in.
func On(i int, a Action) Action {
	return func(sc *Scene, s State) State {
		if i < 0 || i >= s.Panes() {
			return s
		}
		seen := s.Pane(i)
		next := a(sc, seen)
		if next.Image == seen.Image {
			next.Image = s.Image
		}
		if next.Compare == seen.Compare {
			next.Compare = s.Compare
		}
		if next.Size != seen.Size {
			next = next.sized(s, i)
		} else {
			next.Size, next.Beside = s.Size, s.Beside
		}
		if next.Arrangement == seen.Arrangement && next.Cut == seen.Cut {
			next.Arrangement, next.Cut = s.Arrangement, s.Cut
		}
		if s.Arrangement == ByChannel {
			if next.Solo == seen.Solo {
				next.Solo = s.Solo
			}
			if next.At[lazy.C] == seen.At[lazy.C] {
				next.At[lazy.C] = s.At[lazy.C]
			}
		}
		return next
	}
}

// sized is s, whose Size is that of picture i, with the sizes of the other pictures as before.
func (s State) sized(before State, i int) State {
	size := s.Size
	s.Size, s.Beside = before.Size, before.Beside
	if i == 0 {
		s.Size = size
		return s
	}
	s.Beside = slices.Clone(s.Beside)
	for len(s.Beside) < i {
		s.Beside = append(s.Beside, image.Point{})
	}
	s.Beside[i-1] = size
	return s
}

// Arrange puts other pictures into the window, with the whole planes on view.
func Arrange(to Arrangement) Action {
	return func(_ *Scene, s State) State {
		if s.Arrangement == to {
			return s
		}
		s.Arrangement, s.Fitted, s.Beside = to, true, nil
		if to == ThreeUp {
			s.Cut = XY
		}
		return s
	}
}

// PointAt has the planes of all pictures go through the voxel under a point of the viewport: the crosshair
// moves there. Beyond the plane it moves to the plane's edge.
func PointAt(px, py float64) Action {
	return func(sc *Scene, s State) State {
		g := sc.Geometry(s)
		a, d := g.Position(px, py)
		s.At[g.Across], s.At[g.Down] = int(math.Floor(a+0.5)), int(math.Floor(d+0.5))
		return s
	}
}

// Crosshair is where the other pictures' planes cross a picture that stands with others, in device pixels
// of its viewport; ok is false for one that has no others.
func (sc *Scene) Crosshair(s State, i int) (px, py float64, ok bool) {
	if s.Arrangement != ThreeUp {
		return 0, 0, false
	}
	g := sc.Geometry(s.Pane(i))
	px, py = g.Pixel(float64(s.At[g.Across]), float64(s.At[g.Down]))
	return px, py, true
}

// visible lists the channels that are switched on, whatever is shown alone; if none is, the active one.
func (s State) visible() []int {
	s.Solo = false
	if v := s.Shown(); len(v) > 0 {
		return v
	}
	return []int{s.At[lazy.C]}
}

// Share is which part of the window's width and height the first picture of ThreeUp has, by the proportions
// of the volume, so that all three are drawn as large as they can be; none gets less than a fifth.
func (sc *Scene) Share() (across, down float64) {
	shape := sc.Meta().Shape
	size := func(a lazy.Axis) float64 { return float64(shape[a]) * sc.aspect(a) }
	part := func(a lazy.Axis) float64 { return max(0.2, min(0.8, size(a)/(size(a)+size(lazy.Z)))) }
	return part(lazy.X), part(lazy.Y)
}

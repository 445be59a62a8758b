package viewer

import (
	"math"

	"lamella/lazy"
)

// Geometry maps between the device pixels of a viewport and positions on the plane. Voxels have
// the proportions of their sizes, so a cube of the specimen is a square in every cut.
type Geometry struct {
	Across, Down lazy.Axis
	W, H         int        // viewport, device pixels
	Pixels       [2]float64 // device pixels for one voxel across and down
	Center       [2]float64 // position in the middle of the viewport
	Voxels       [2]int     // of the plane, across and down
}

// Geometry is how s looks at the scene.
func (sc *Scene) Geometry(s State) Geometry {
	across, down, _ := s.Cut.Axes()
	shape := sc.Meta().Shape
	return Geometry{
		Across: across, Down: down,
		W: s.Size.X, H: s.Size.Y,
		Pixels: [2]float64{s.Zoom * sc.aspect(across), s.Zoom * sc.aspect(down)},
		Center: [2]float64{s.Center[across], s.Center[down]},
		Voxels: [2]int{shape[across], shape[down]},
	}
}

// Position is what lies under a point of the viewport; voxel i covers i-½ to i+½.
func (g Geometry) Position(px, py float64) (across, down float64) {
	return g.Center[0] + (px-float64(g.W)/2)/g.Pixels[0], g.Center[1] + (py-float64(g.H)/2)/g.Pixels[1]
}

// Pixel is where a position stands in the viewport.
func (g Geometry) Pixel(across, down float64) (px, py float64) {
	return (across-g.Center[0])*g.Pixels[0] + float64(g.W)/2, (down-g.Center[1])*g.Pixels[1] + float64(g.H)/2
}

// Voxel is the voxel under a point of the viewport, and whether there is one.
func (g Geometry) Voxel(px, py float64) (across, down int, ok bool) {
	a, d := g.Position(px, py)
	across, down = int(math.Floor(a+0.5)), int(math.Floor(d+0.5))
	return across, down, across >= 0 && across < g.Voxels[0] && down >= 0 && down < g.Voxels[1]
}

// visible is the part of the plane in the viewport, as positions cut to the plane's own edges;
// it is empty (hi < lo) when the plane is out of view.
func (g Geometry) visible() (lo, hi [2]float64) {
	lo[0], lo[1] = g.Position(0, 0)
	hi[0], hi[1] = g.Position(float64(g.W), float64(g.H))
	for k := range 2 {
		lo[k] = max(lo[k], -0.5)
		hi[k] = min(hi[k], float64(g.Voxels[k])-0.5)
	}
	return lo, hi
}

// fit is the zoom at which the whole plane of every picture is just in view.
func (sc *Scene) fit(s State) float64 {
	if s.Size.X <= 0 || s.Size.Y <= 0 {
		return 1
	}
	fit := math.Inf(1)
	for i := range s.whole() {
		p := s.Pane(i)
		if p.Size.X <= 0 || p.Size.Y <= 0 { // not laid out yet
			continue
		}
		g := sc.Geometry(p)
		fit = min(fit, float64(p.Size.X)/(float64(g.Voxels[0])*sc.aspect(g.Across)), float64(p.Size.Y)/(float64(g.Voxels[1])*sc.aspect(g.Down)))
	}
	return fit
}

// Zoom never leaves these bounds, in device pixels a voxel; the lower one is for planes so large
// that they would not fit otherwise.
const (
	maxZoom = 256
	minZoom = 1.0 / 65536
)

// clamp brings whatever an Action did back to what exists: a position within the shape, a zoom
// within bounds, a centre over the plane, the whole plane if it is to follow the window, a draft of a
// text that the chain holds.
func (sc *Scene) clamp(s State) State {
	s.Draft, s.Trial = s.Draft.follow(s.Chain), s.Trial.follow(s.Chain)
	s = sc.gathered(s)
	if s.Chosen >= len(s.Shapes) {
		s.Chosen = -1
	}
	shape := sc.Meta().Shape
	for a := range lazy.Rank {
		s.At[a] = max(0, min(shape[a]-1, s.At[a]))
	}
	if s.Fitted {
		s.Zoom = sc.fit(s)
	}
	s.Zoom = max(min(minZoom, sc.fit(s)), min(maxZoom, s.Zoom))
	for _, a := range [3]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		last := float64(shape[a]) - 0.5
		if s.Fitted {
			s.Center[a] = (last - 0.5) / 2
		}
		s.Center[a] = max(-0.5, min(last, s.Center[a]))
	}
	return s
}

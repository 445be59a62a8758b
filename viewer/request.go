package viewer

import (
	"math"

	"lamella/lazy"
)

// A Request names the voxels that one channel needs for a view: a region of a level, thinned to
// every Step-th voxel across and down when the screen cannot show more.
type Request struct {
	Array   lazy.Array
	Level   int
	Region  lazy.Region
	Step    [2]int
	Preview bool // of a level whose filtered values differ from those of the finest
}

// margin is how much of the plane around the view is asked for with it, so that small movements
// need nothing new: the request's edges lie on a grid of this many voxels.
const margin = 128

// affordable is how many voxels of the finest level a filtered view may take before a coarser
// level stands in for it. Without filters the levels look alike and the screen decides.
const affordable = 1 << 24

// Request is what channel c needs for s, and false when no voxel is on view.
func (sc *Scene) Request(s State, c int) (Request, bool) {
	return sc.requestAt(s, c, sc.level(s))
}

func (sc *Scene) requestAt(s State, c, level int) (Request, bool) {
	g := sc.Geometry(s)
	lo, hi := g.visible()
	if hi[0] <= lo[0] || hi[1] <= lo[1] || g.W <= 0 || g.H <= 0 {
		return Request{}, false
	}
	m, shape := sc.levelMap(level), sc.Shown[level].Meta().Shape
	q := Request{Array: sc.seen(s.Cut, level), Level: level, Preview: level > 0 && sc.Filtered()}
	at := s.At
	at[lazy.C] = c
	for a := range lazy.Rank {
		i := int(math.Round((float64(at[a]) - m.shift[a]) / m.scale[a]))
		i = max(0, min(shape[a]-1, i))
		q.Region.Min[a], q.Region.Max[a] = i, i+1
	}
	for k, a := range [2]lazy.Axis{g.Across, g.Down} {
		q.Step[k] = max(1, int(1/(g.Pixels[k]*m.scale[a])))
		grid := margin * q.Step[k]
		first := int(math.Floor((lo[k]-m.shift[a])/m.scale[a] + 0.5))
		last := int(math.Ceil((hi[k]-m.shift[a])/m.scale[a] + 0.5))
		first, last = first/grid*grid, (last+grid-1)/grid*grid
		q.Region.Min[a] = max(0, min(shape[a]-1, first))
		q.Region.Max[a] = max(q.Region.Min[a]+1, min(shape[a], last))
	}
	return sc.boxed(q)
}

// boxed is a request for no more than there is while a deconvolution is watched, and false if that is nothing.
func (sc *Scene) boxed(q Request) (Request, bool) {
	if sc.part.Empty() {
		return q, true
	}
	box := sc.part.With(lazy.T, q.Region.Min[lazy.T], q.Region.Max[lazy.T]).With(lazy.C, q.Region.Min[lazy.C], q.Region.Max[lazy.C])
	q.Region = q.Region.Intersect(box)
	return q, !q.Region.Empty()
}

// level is the coarsest level that still has a voxel for each device pixel along the axes on view
// that it coarsens. Filters see other gradients on a coarse level, so with filters it is the
// finest as long as that is affordable.
func (sc *Scene) level(s State) int {
	g := sc.Geometry(s)
	if sc.Filtered() {
		lo, hi := g.visible()
		if (hi[0]-lo[0])*(hi[1]-lo[1]) <= affordable {
			return 0
		}
	}
	for l := sc.levels() - 1; l > 0; l-- {
		m := sc.levelMap(l)
		enough := true
		for k, a := range [2]lazy.Axis{g.Across, g.Down} {
			if m.scale[a] > 1.001 && g.Pixels[k]*m.scale[a] > 1.001 {
				enough = false
			}
		}
		if enough {
			return l
		}
	}
	return 0
}

// preview is the level to show while a finer one is computed: the finest that has at most a
// sixteenth of its voxels on view, and false if there is none.
func (sc *Scene) preview(level int) (int, bool) {
	area := func(l int) float64 {
		m := sc.levelMap(l)
		return m.scale[lazy.Z] * m.scale[lazy.Y] * m.scale[lazy.X]
	}
	for l := level + 1; l < len(sc.Shown); l++ {
		if area(l) >= 16*area(level) || l == len(sc.Shown)-1 {
			return l, true
		}
	}
	return 0, false
}

// covers reports whether a cut of q has all the voxels that o asks for, as finely.
func (q Request) covers(o Request) bool {
	return q.Array.Valid() && o.Array.Valid() && q.Array.Node().Hash == o.Array.Node().Hash &&
		q.Step == o.Step && q.Region.Contains(o.Region)
}

// countable is the most voxels of a plane that a rule which needs all of them looks at.
const countable = 1 << 26

// sampleRequest is the voxels from which a rule finds the limits of channel c: the plane on view, whole,
// as fine as a view of all of it would show it. ImageJ's rule looks at every voxel.
func (sc *Scene) sampleRequest(s State, c int, k RuleKind) (Request, bool) {
	s.Fitted = true
	s = sc.clamp(s)
	q, ok := sc.Request(s, c)
	across, down, _ := s.Cut.Axes()
	if shape := sc.Meta().Shape; ok && k == ImageJ && shape[across]*shape[down] <= countable {
		q = Request{Array: sc.seen(s.Cut, 0), Step: [2]int{1, 1}}
		at := s.At
		at[lazy.C] = c
		q.Region = lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}).With(across, 0, shape[across]).With(down, 0, shape[down])
		return sc.boxed(q)
	}
	return q, ok
}

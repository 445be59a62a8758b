package viewer

import (
	"errors"
	"math"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// An Excerpt says which voxels of the image on view are taken away as data. The zero Excerpt is the plane on view, whole,
// with all its channels.
type Excerpt struct {
	Planes Span // along the axis that is looked along
	Times  Span
	Within Extent // across and down
	Slab   bool   // the slab that is looked at, in place of planes
	Active bool   // the active channel alone
}

// A Span says which indices of an axis are meant, as seen from the one on view.
type Span struct {
	Reach    Reach
	Half     int // of Around: so many on each side, as far as they exist
	From, To int // of Between: both belong to it, in either order
}

// Reach says how far a Span goes.
type Reach uint8

// The reaches: the index on view, that and its neighbours, from one to another, all there are.
const (
	Here Reach = iota
	Around
	Between
	Everywhere
)

// Indices are the first index that is meant of an axis of n, and the one after the last.
func (p Span) Indices(at, n int) (first, end int) {
	switch p.Reach {
	case Around:
		return max(0, at-p.Half), min(n, at+p.Half+1)
	case Between:
		return max(0, min(p.From, p.To)), min(n, max(p.From, p.To)+1)
	case Everywhere:
		return 0, n
	}
	return at, at + 1
}

// Extent says how much of a plane is meant.
type Extent uint8

// The extents: the whole plane, what is on view of it, the box around the chosen shape. A voxel belongs to the latter two
// if its centre does.
const (
	WholePlane Extent = iota
	OnView
	Selection
)

// Of is the array that the voxels are of and the region that they fill in it, at the finest level. An Excerpt without a
// voxel is refused with the reason, and so is one of a chain with a Fault.
func (x Excerpt) Of(sc *Scene, s State) (lazy.Array, lazy.Region, error) {
	if sc.Fault != nil {
		return lazy.Array{}, lazy.Region{}, sc.Fault
	}
	active := s.Active()
	s = s.Pane(0)
	a, r := sc.Shown[0], sc.Plane(s)
	_, _, normal := s.Cut.Axes()
	shape := sc.Meta().Shape
	if x.Slab {
		a = sc.seen(s.Cut, 0)
	} else {
		first, end := x.Planes.Indices(s.At[normal], shape[normal])
		r = r.With(normal, first, end)
	}
	first, end := x.Times.Indices(s.At[lazy.T], shape[lazy.T])
	r = r.With(lazy.T, first, end)
	if x.Active {
		r = r.With(lazy.C, active, active+1)
	}
	box, err := x.Within.box(sc, s)
	if err == nil && r.Intersect(box).Empty() { // a shape of another cut, away from the plane
		err = errNoVoxel
	}
	return a, r.Intersect(box), err
}

// errUnchosen says that there is no shape to take the box of, and errNoVoxel that no voxel's centre lies in what is meant.
var (
	errUnchosen = errors.New("viewer: choose a rectangle, an ellipse or a polygon first")
	errNoVoxel  = errors.New("viewer: there is no voxel in it")
)

// box is the part of the volume that an extent of the plane leaves.
func (e Extent) box(sc *Scene, s State) (lazy.Region, error) {
	all := sc.Meta().Shape.Whole()
	if e == WholePlane {
		return all, nil
	}
	cut := s.Cut
	lo, hi := sc.Geometry(s).visible()
	if e == Selection {
		if s.Chosen < 0 || s.Chosen >= len(s.Shapes) || !s.Shapes[s.Chosen].Kind.Area() {
			return all, errUnchosen
		}
		h := s.Shapes[s.Chosen]
		cut = h.Cut
		lo, hi = h.Box()
	}
	across, down, _ := cut.Axes()
	for k, a := range [...]lazy.Axis{across, down} {
		from, to := max(0, int(math.Ceil(lo[k]))), min(all.Len(a), int(math.Floor(hi[k]))+1)
		if from >= to {
			return all, errNoVoxel
		}
		all = all.With(a, from, to)
	}
	return all, nil
}

// Recipe is the text of all that was done to the voxels of the file, up to those of the Excerpt.
func (x Excerpt) Recipe(sc *Scene, s State) string {
	_, _, normal := s.Cut.Axes()
	if !x.Slab || !sc.slab.Thick() || sc.Meta().Shape[normal] < 2 {
		return sc.Recipe()
	}
	return joined(sc.Recipe(), filters.Chain{sc.slab.step(normal, sc.slab.Half)}.String())
}

// A Forecast is what it takes to compute a region, if nothing of it is held.
type Forecast struct {
	Chunks   int   // that are read
	Bytes    int64 // of them, in the file
	Computed int   // voxels, by all filters together
	Rough    bool  // it is reckoned from a part of the region
	Price          // known where all such work was measured before
}

// foreseeable is how many pieces a region may have for all of it to be planned, while a person writes.
const foreseeable = 256

// Foresee plans a region, or where that is large a part in its middle, and computes nothing.
func (s *Session) Foresee(a lazy.Array, r lazy.Region) (Forecast, error) {
	return foresee(s.options.Engine, a, r)
}

func foresee(e *engine.Engine, a lazy.Array, r lazy.Region) (Forecast, error) {
	part := r
	for lazy.LayoutFor(part).Count(a.Node(), part) > foreseeable {
		half := middle(part, a.Meta().Chunk)
		if half == part {
			break
		}
		part = half
	}
	p, err := lazy.Build(lazy.Query{Array: a, Region: part}, nil)
	if err != nil {
		return Forecast{}, err
	}
	var all Stage
	for i, price := range e.Prices(p) {
		all = all.with(Absent, p.Tasks[i].Key.Tile.Voxels(), price)
	}
	times := float64(r.Voxels()) / float64(part.Voxels())
	f := Forecast{
		Chunks: int(math.Round(times * float64(p.Cost.Chunks))), Bytes: int64(times * float64(p.Cost.Stored)),
		Computed: int(math.Round(times * float64(p.Cost.VoxelsComputed))), Rough: part != r, Price: all.Price,
	}
	f.CPU, f.GPU = f.CPU*times, f.GPU*times
	return f, nil
}

// middle is the middle of a region, of half as many chunks along the axis that it has most of; it is r where that is one.
func middle(r lazy.Region, chunk lazy.Shape) lazy.Region {
	longest, most := lazy.T, 1
	for a := range lazy.Axis(lazy.Rank) {
		if n := (r.Len(a) + chunk[a] - 1) / chunk[a]; n > most {
			longest, most = a, n
		}
	}
	if most == 1 {
		return r
	}
	first := (r.Min[longest]/chunk[longest] + most/4) * chunk[longest]
	return r.Intersect(r.With(longest, first, first+most/2*chunk[longest]))
}

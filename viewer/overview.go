package viewer

import (
	"image"
	"math"
)

// overviewPane is the number of the overview among the pictures; those that stand together are fewer.
const overviewPane = mostPanes + 1

// overviewVoxels is how many voxels of a plane are looked at for its overview at most: a small picture is not
// worth reading a large plane for.
const overviewVoxels = 1 << 24

// ShowOverview switches the small picture of the whole plane.
func ShowOverview(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Overview = on
		return s
	}
}

// CenterOn moves a position of the plane into the middle of the view.
func CenterOn(across, down float64) Action {
	return func(_ *Scene, s State) State {
		a, d, _ := s.Cut.Axes()
		s.Fitted = false
		s.Center[a], s.Center[d] = across, down
		return s
	}
}

// SetOverview says how many device pixels the longer side of the overview measures; 0 is none.
func (s *Session) SetOverview(pixels int) {
	if pixels != s.overviewSize {
		s.overviewSize = pixels
		s.wantOverview()
	}
}

// Overview is the whole plane of the first picture, small, where it is wanted: while a part of the plane is on
// view. The picture in it is that of the stored voxels, and nil while there is none; the rectangle is what is on
// view, in the overview's pixels.
func (s *Session) Overview() (f *Frame, size image.Point, seen image.Rectangle, ok bool) {
	p, ok := s.overviewState()
	if !ok {
		return nil, size, seen, false
	}
	small, g := s.scene.Geometry(p), s.scene.Geometry(s.state.Pane(0))
	lo, hi := g.visible()
	x0, y0 := small.Pixel(lo[0], lo[1])
	x1, y1 := small.Pixel(hi[0], hi[1])
	seen = image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1)))
	if s.overview != nil {
		f = s.overview.frames.take()
	}
	if f != nil && (f.State.Size != p.Size || f.Geometry.Across != small.Across || f.Geometry.Down != small.Down) {
		f = nil
	}
	return f, p.Size, seen, true
}

// overviewState is the State of the overview; ok is false where none is wanted.
func (s *Session) overviewState() (p State, ok bool) {
	p = s.state.Pane(0)
	g := s.scene.Geometry(p)
	lo, hi := g.visible()
	whole := float64(g.Voxels[0]) * float64(g.Voxels[1])
	if !p.Overview || s.overviewSize <= 0 || p.Size.X <= 0 || (hi[0]-lo[0])*(hi[1]-lo[1]) >= 0.999*whole {
		return p, false
	}
	w, h := float64(g.Voxels[0])*s.scene.aspect(g.Across), float64(g.Voxels[1])*s.scene.aspect(g.Down)
	side := float64(s.overviewSize) / max(w, h)
	p.Size = image.Pt(max(8, int(w*side)), max(8, int(h*side)))
	p.Fitted, p.Compare, p.Aside, p.Chunks = true, Original, nil, false
	return s.scene.clamp(p), true
}

// wantOverview has the overview drawn, where it is wanted and does not take too much to be read.
func (s *Session) wantOverview() {
	p, ok := s.overviewState()
	sc := s.scene
	if ok {
		sc, p = s.compared(sc, p)
		p.Compare = Result
		q, any := sc.Request(p, p.Active())
		ok = any && q.Region.Voxels() <= overviewVoxels
	}
	switch {
	case ok && s.overview == nil:
		s.overview = startLoop(s.options, overviewPane, s.found(overviewPane))
		fallthrough
	case ok:
		s.overview.want(sc, p)
	case s.overview != nil:
		s.overview.want(nil, State{})
	}
}

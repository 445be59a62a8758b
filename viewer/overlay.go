package viewer

import (
	"slices"
	"strconv"

	"lamella/lazy"
)

// An Overlay is an image of the dataset whose voxels are labels, laid over the picture of another image: 0 is clear, and
// every other number has a colour of its own. Where the sizes of voxels are known it lies at the same place in the
// world, else at the same voxel.
type Overlay struct {
	On      bool
	Image   int     // whose voxels are the labels
	Opacity float64 // of the colours, 0 to 1
	Edges   bool    // only the edges of objects are coloured, inside of them
	Object  int64   // that is chosen, whose edge is white; 0 is none
}

// usualOpacity is that of labels when they are laid over a picture first.
const usualOpacity = 0.4

// overlaid is the place of the overlay among the cuts of a view, which are numbered by channels.
const overlaid = -1

// Layable lists the images of the dataset that can lie over the scene's own as labels: whole numbers in one channel that
// share its place. Those that their file calls labels come first.
func (sc *Scene) Layable() []int {
	var named, others []int
	mine := sc.Raw[0].Meta()
	for i, img := range sc.Set.Images {
		if i == sc.image || len(img.Levels) == 0 {
			continue
		}
		m := img.Levels[0].Array.Meta()
		switch {
		case m.DType.Float() || m.Shape[lazy.C] > 1 || img.RGB || !samePlace(mine, m):
		case m.Labels:
			named = append(named, i)
		default:
			others = append(others, i)
		}
	}
	return append(named, others...)
}

// samePlace reports whether two images lie at the same place: along each axis of space they have as many voxels, or both
// know the size of theirs; and one of them has one time point, or both have as many.
func samePlace(a, b lazy.Meta) bool {
	for _, axis := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		if a.Shape[axis] != b.Shape[axis] && (a.Scale[axis] <= 0 || b.Scale[axis] <= 0) {
			return false
		}
	}
	return b.Shape[lazy.T] == 1 || a.Shape[lazy.T] == b.Shape[lazy.T]
}

// LayOver lays an image over the picture as labels, or, if it is none that can lie there, takes away what does.
func LayOver(img int) Action {
	return func(sc *Scene, s State) State {
		if !slices.Contains(sc.Layable(), img) {
			s.Overlay.On = false
			return s
		}
		if s.Overlay.Opacity <= 0 {
			s.Overlay.Opacity = usualOpacity
		}
		if s.Overlay.Image != img {
			s.Overlay.Object = 0
		}
		s.Overlay.On, s.Overlay.Image = true, img
		return s
	}
}

// FlipOverlay takes the labels away that lie over the picture, or lays them over it: those that lay there last, else the
// first that there are.
func FlipOverlay() Action {
	return func(sc *Scene, s State) State {
		all := sc.Layable()
		switch {
		case s.Overlay.On || len(all) == 0:
			s.Overlay.On = false
			return s
		case slices.Contains(all, s.Overlay.Image):
			return LayOver(s.Overlay.Image)(sc, s)
		}
		return LayOver(all[0])(sc, s)
	}
}

// ShowLabels lays what the file calls labels over the picture, where nothing lies over it and it is none itself.
func ShowLabels() Action {
	return func(sc *Scene, s State) State {
		all := sc.Layable() // named ones are first
		if s.Overlay.On || sc.Raw[0].Meta().Labels || len(all) == 0 || !sc.Set.Images[all[0]].Levels[0].Array.Meta().Labels {
			return s
		}
		return LayOver(all[0])(sc, s)
	}
}

// SetOverlayOpacity sets how much of the picture the colours of labels cover, 0 to 1.
func SetOverlayOpacity(v float64) Action {
	return func(_ *Scene, s State) State {
		s.Overlay.Opacity = max(0.05, min(1, v))
		return s
	}
}

// OutlineOverlay has only the edges of objects be coloured.
func OutlineOverlay(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Overlay.Edges = on
		return s
	}
}

// ChooseObject chooses an object by its label; 0 is none.
func ChooseObject(label int64) Action {
	return func(_ *Scene, s State) State {
		s.Overlay.Object = label
		return s
	}
}

// lay prepares the scene of the labels that a State lays over sc, if they can lie there.
func (sc *Scene) lay(o Overlay) {
	if sc.over = nil; !o.On || !slices.Contains(sc.Layable(), o.Image) {
		return
	}
	if over, err := NewScene(sc.Set, o.Image, nil); err == nil {
		sc.over = over
	}
}

// overlayRequest is what the labels of a view take, and where their cut stands on the picture. ok is false where there are
// none on view.
func (sc *Scene) overlayRequest(s State) (q Request, stands func(*Cut), ok bool) {
	over := sc.over
	if over == nil {
		return q, nil, false
	}
	at := s
	if over.Meta().Shape[lazy.T] == 1 {
		at.At[lazy.T] = 0
	}
	at = over.from(sc, at)
	at.At[lazy.C], at.Solo, at.Overlay = 0, false, Overlay{}
	_, _, normal := s.Cut.Axes()
	for _, a := range []lazy.Axis{lazy.T, normal} {
		if at.At[a] < 0 || at.At[a] >= over.Meta().Shape[a] {
			return q, nil, false
		}
	}
	if q, ok = over.Request(at, 0); !ok {
		return q, nil, false
	}
	across, down, _ := s.Cut.Axes()
	m := over.levelMap(q.Level)
	return q, func(c *Cut) {
		for k, a := range [2]lazy.Axis{across, down} {
			ratio, shift := over.against(sc, a)
			c.place[k] = place{m.scale[a] * float64(q.Step[k]) / ratio, (m.shift[a] - shift) / ratio}
		}
	}, true
}

// against places the voxels of another scene along an axis of space on those of sc: position = shift + ratio·its own.
func (sc *Scene) against(other *Scene, a lazy.Axis) (ratio, shift float64) {
	mine, its := sc.Meta(), other.Meta()
	if mine.Scale[a] <= 0 || its.Scale[a] <= 0 {
		return 1, 0
	}
	return its.Scale[a] / mine.Scale[a], (its.Origin[a] - mine.Origin[a]) / mine.Scale[a]
}

// newOverlay is an empty cut of labels for a view.
func (l *loop) newOverlay(sc *Scene, q Request, stands func(*Cut), o Orientation) *Cut {
	c := l.newCut(sc.over, q, o)
	stands(c)
	return c
}

// An overlay is how the labels of a picture are drawn.
type overlay struct {
	Overlay
	cut   *Cut
	names *[256]uint32
}

// overlayOf is the overlay of a view: of a job's labels once they are there, else those of what was on view.
func (l *loop) overlayOf(s State, v view, j *job) *overlay {
	cut := v.cuts[overlaid]
	if j != nil && j.labelled {
		cut = j.cuts[overlaid]
	}
	if !s.Overlay.On || cut == nil {
		return nil
	}
	if l.names == nil {
		l.names = &[256]uint32{}
		for i, c := range tableOf(Channel{LUT: "Glasbey"}, nil) {
			l.names[i] = pack(c)
		}
	}
	o := &overlay{s.Overlay, cut, l.names}
	o.Opacity = max(0, min(1, o.Opacity)) // a session may say anything
	return o
}

// edgeWide is how many device pixels wide the edge of an object is drawn.
const edgeWide = 2

// paintOverlay draws the labels of one row of pixels over it.
func paintOverlay(row []byte, o *overlay, m *marks, y, from, to int) {
	switch b := o.cut.block; b.DType {
	case lazy.U8:
		paintLabels(row, o, lazy.View[uint8](b), m, y, from, to)
	case lazy.I8:
		paintLabels(row, o, lazy.View[int8](b), m, y, from, to)
	case lazy.U16:
		paintLabels(row, o, lazy.View[uint16](b), m, y, from, to)
	case lazy.I16:
		paintLabels(row, o, lazy.View[int16](b), m, y, from, to)
	case lazy.U32:
		paintLabels(row, o, lazy.View[uint32](b), m, y, from, to)
	case lazy.I32:
		paintLabels(row, o, lazy.View[int32](b), m, y, from, to)
	case lazy.U64:
		paintLabels(row, o, lazy.View[uint64](b), m, y, from, to)
	case lazy.I64:
		paintLabels(row, o, lazy.View[int64](b), m, y, from, to)
	}
}

func paintLabels[E lazy.Number](row []byte, o *overlay, v []E, m *marks, y, from, to int) {
	if y < m.rows.from || y >= m.rows.to {
		return
	}
	from, to = max(from, m.cols.from), min(to, m.cols.to)
	wide := o.cut.cols.max - o.cut.cols.min
	at := func(y int) []E { return v[int(m.rows.at[y])*wide:][:wide] }
	here := at(y)
	above, below := at(max(m.rows.from, y-edgeWide)), at(min(m.rows.to-1, y+edgeWide))
	cols := m.cols.at
	part := uint32(256*o.Opacity + 0.5)
	for x := from; x < to; x++ {
		label := here[cols[x]]
		if label == 0 {
			continue
		}
		chosen := o.Object != 0 && int64(label) == o.Object
		if o.Edges || chosen {
			i := cols[x]
			edge := above[i] != label || below[i] != label ||
				here[cols[max(m.cols.from, x-edgeWide)]] != label || here[cols[min(m.cols.to-1, x+edgeWide)]] != label
			switch {
			case edge && chosen:
				put(row, x, 0xffffffff, replace)
				continue
			case o.Edges && !edge:
				continue
			}
		}
		p := row[4*x : 4*x+4 : 4*x+4]
		c := o.names[1+uint64(int64(label)-1)%255]
		for k := range 3 {
			p[k] = uint8((uint32(p[k])*(256-part) + (c>>(8*k)&0xff)*part) >> 8)
		}
	}
}

// labelAt is the label of the overlay on a voxel of the picture, "" if there is none.
func (v view) labelAt(across, down float64) string {
	cut := v.cuts[overlaid]
	if cut == nil || !v.state.Overlay.On {
		return ""
	}
	i, ok := cut.sample(across, down)
	if !ok {
		return ""
	}
	return strconv.FormatInt(labelOf(cut.block, i), 10)
}

// labelOf is value number i of a block of whole numbers.
func labelOf(b *lazy.Block, i int) int64 {
	switch b.DType {
	case lazy.U64:
		return int64(lazy.View[uint64](b)[i])
	case lazy.I64:
		return lazy.View[int64](b)[i]
	}
	return int64(valueAt(b, i))
}

// without is an overlay with no object chosen, which is nothing to undo, and with is one with it.
func (o Overlay) without() Overlay { return o.with(0) }

func (o Overlay) with(object int64) Overlay {
	o.Object = object
	return o
}

// under is what of an overlay needs another scene.
func (o Overlay) under() (under struct {
	on  bool
	img int
}) {
	if o.On {
		under.on, under.img = true, o.Image
	}
	return under
}

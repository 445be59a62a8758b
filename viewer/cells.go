package viewer

import (
	"image"
	"math"
)

// A Cell is a voxel that is drawn so large that its values can be written on it.
type Cell struct {
	Across, Down int     // its index on the plane
	Values       []Value // of the channels that are drawn, after the filters
	Light        bool    // what is written on it is read more easily in black
}

// Voxels get cells from this many device pixels on, along both sides; a picture of very many has none.
const (
	cellSide  = 24
	mostCells = 6000
)

// HasCells reports whether voxels are drawn so large that a grid between them is seen.
func (g Geometry) HasCells() bool { return g.Pixels[0] >= cellSide && g.Pixels[1] >= cellSide }

// cells are the voxels of a view with their values, where the State wants them and they are large enough. Those whose
// values are not there, or not those of the finest level, are left out. p is the picture of them.
func (v view) cells(g Geometry, s State, p *image.RGBA) []Cell {
	if !s.Values || !g.HasCells() {
		return nil
	}
	lo, hi := g.visible()
	from := [2]int{int(math.Floor(lo[0] + 0.5)), int(math.Floor(lo[1] + 0.5))}
	to := [2]int{int(math.Ceil(hi[0] - 0.5)), int(math.Ceil(hi[1] - 0.5))}
	if n := (to[0] - from[0] + 1) * (to[1] - from[1] + 1); n <= 0 || n > mostCells {
		return nil
	}
	var all []Cell
	for d := from[1]; d <= to[1]; d++ {
		for a := from[0]; a <= to[0]; a++ {
			c := Cell{Across: a, Down: d}
			for _, channel := range s.Shown() {
				cut := v.cuts[channel]
				if cut == nil || cut.Level > 0 || cut.Step != [2]int{1, 1} || cut.Preview {
					continue
				}
				if i, ok := cut.sample(float64(a), float64(d)); ok {
					c.Values = append(c.Values, Value{channel, Text(cut.block, i)})
				}
			}
			if len(c.Values) > 0 {
				c.Light = light(p, g, c)
				all = append(all, c)
			}
		}
	}
	return all
}

// light reports whether the picture is bright where the middle of a cell is, or nearest to that.
func light(p *image.RGBA, g Geometry, c Cell) bool {
	x, y := g.Pixel(float64(c.Across), float64(c.Down))
	rgb := p.RGBAAt(max(0, min(p.Rect.Dx()-1, int(x))), max(0, min(p.Rect.Dy()-1, int(y))))
	return 2126*int(rgb.R)+7152*int(rgb.G)+722*int(rgb.B) > 10000*128
}

// ShowValues switches the grid between voxels and the values on them, which stand there while voxels are large.
func ShowValues(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Values = on
		return s
	}
}

// ShowStamp has the time and the place of the plane stand on the picture.
func ShowStamp(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Stamp = on
		return s
	}
}

// ShowLegend has the colours of the channels stand on the picture, with their limits.
func ShowLegend(on bool) Action {
	return func(_ *Scene, s State) State {
		s.Legend = on
		return s
	}
}

// Notes are what stands on the picture in the window beside the scale bar: the stamp, and below it the legend, in letters
// so many device pixels high. The right side is the overview's.
func (sc *Scene) Notes(s State, letters float64) Layout {
	l := Figure{Stamp: s.Stamp, Letters: letters}.layout(sc, s)
	down := 0.0
	if len(l.Boxes) > 0 {
		down = 2 * letters
	}
	legend := Figure{Legend: s.Legend, Letters: letters}.layout(sc, s)
	if len(legend.Boxes) == 0 {
		return l
	}
	left := legend.Boxes[0].X
	for _, b := range legend.Boxes {
		left = min(left, b.X)
	}
	for _, b := range legend.Boxes {
		b.X, b.Y = b.X-left+letters/2, b.Y+down
		l.Boxes = append(l.Boxes, b)
	}
	for _, t := range legend.Texts {
		t.X, t.Y = t.X-left+letters/2, t.Y+down
		l.Texts = append(l.Texts, t)
	}
	return l
}

// Titled is a name in the middle of the upper edge of a picture so many pixels wide.
func Titled(name string, wide, letters float64) Layout {
	w := widthOf(name, letters)
	return Layout{
		Boxes: []Box{{wide/2 - w/2 - letters/2, letters / 2, w + letters, 1.7 * letters, shadow}},
		Texts: []Letters{{wide / 2, 1.75 * letters, letters, name, true, bright}},
	}
}

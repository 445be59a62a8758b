package ui

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// An overview is the whole plane, small, in the upper right corner, with a frame around what is on view. A click or
// a drag in it moves the view.
type overview struct {
	p      *pane
	raster *canvas.Raster
	last   *image.RGBA
	edge   *canvas.Rectangle // around all
	seen   *canvas.Rectangle // around what is on view
}

// How long the overview's longer side is, and how far from the corner it stands.
const (
	overviewSide = 128
	overviewEdge = 12
)

func newOverview(p *pane) *overview {
	o := &overview{p: p, edge: canvas.NewRectangle(color.Transparent), seen: canvas.NewRectangle(color.Transparent)}
	o.raster = canvas.NewRaster(func(int, int) image.Image {
		if o.last == nil {
			return image.NewRGBA(image.Rect(0, 0, 1, 1))
		}
		return o.last
	})
	o.raster.ScaleMode = canvas.ImageScalePixels
	o.edge.StrokeWidth, o.seen.StrokeWidth = 1, 1
	p.overview = o
	return o
}

// place is where it stands; ok is false where there is none.
func (o *overview) place() (at fyne.Position, size fyne.Size, seen image.Rectangle, ok bool) {
	if o == nil || o.p.session == nil || o.p.index > 0 || o.p.size.X == 0 {
		return at, size, seen, false
	}
	_, px, seen, ok := o.p.session.Overview()
	k := o.p.scale()
	size = fyne.NewSize(float32(float64(px.X)/k), float32(float64(px.Y)/k))
	room := o.p.Size()
	return fyne.NewPos(room.Width-size.Width-overviewEdge, overviewEdge), size, seen, ok && size.Width < room.Width/2 && size.Height < room.Height/2
}

// has reports whether it stands at a position of the picture.
func (o *overview) has(at fyne.Position) bool {
	from, size, _, ok := o.place()
	return ok && at.X >= from.X && at.Y >= from.Y && at.X < from.X+size.Width && at.Y < from.Y+size.Height
}

// position is the position on the plane that a place in it shows.
func (o *overview) position(at fyne.Position) (across, down float64) {
	from, size, _, _ := o.place()
	g := o.p.session.Scene().Geometry(o.p.state())
	part := func(v, from, length float32) float64 { return max(0, min(1, float64((v-from)/max(1, length)))) }
	return part(at.X, from.X, size.Width)*float64(g.Voxels[0]) - 0.5, part(at.Y, from.Y, size.Height)*float64(g.Voxels[1]) - 0.5
}

// frame takes the newest picture.
func (o *overview) frame() {
	if o.p.session == nil {
		return
	}
	if f, _, _, ok := o.p.session.Overview(); ok && f != nil && f.Image != o.last {
		o.last = f.Image
		o.raster.Refresh()
		canvas.Refresh(o.raster)
	}
}

func (o *overview) layout(fyne.Size) {
	at, size, seen, ok := o.place()
	if !ok {
		return
	}
	k := float32(o.p.scale())
	o.raster.Move(at)
	o.raster.Resize(size)
	o.edge.Move(at.SubtractXY(1, 1))
	o.edge.Resize(size.AddWidthHeight(2, 2))
	o.seen.Move(at.AddXY(float32(seen.Min.X)/k, float32(seen.Min.Y)/k))
	o.seen.Resize(fyne.NewSize(max(3, float32(seen.Dx())/k), max(3, float32(seen.Dy())/k)))
}

func (o *overview) refresh() {
	if o.p.session != nil && o.p.index == 0 && o.p.size.X > 0 {
		o.p.session.SetOverview(int(overviewSide * o.p.scale()))
	}
	_, _, _, ok := o.place()
	if !ok {
		o.last = nil
	} else {
		o.frame()
	}
	o.raster.Hidden, o.edge.Hidden, o.seen.Hidden = !ok, !ok, !ok
	o.edge.StrokeColor, o.seen.StrokeColor = color.NRGBA{0xff, 0xff, 0xff, 0x60}, shade(theme.ColorNamePrimary)
}

func (o *overview) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{o.raster, o.edge, o.seen}
}

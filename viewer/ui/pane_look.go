package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// paneLook is the picture with the little that may stand on it: the scale bar, and at its upper edge a
// thin line of progress. A frame shows the focus.
type paneLook struct {
	p          *pane
	ground     *canvas.Rectangle
	bar, plate *canvas.Rectangle // the scale bar, and a dark plate under it so that it is seen on any picture
	label      *canvas.Text
	progress   *canvas.Rectangle
	focus      *canvas.Rectangle
	parts      []pictured // what else stands on the picture, from below
}

// A pictured part stands on the picture: where it goes and how it looks follow the State.
type pictured interface {
	layout(size fyne.Size)
	refresh()
	objects() []fyne.CanvasObject
}

// CreateRenderer makes the picture's objects.
func (p *pane) CreateRenderer() fyne.WidgetRenderer {
	r := &paneLook{
		p: p, ground: canvas.NewRectangle(nil), bar: canvas.NewRectangle(color.White), plate: canvas.NewRectangle(color.NRGBA{A: 0x80}),
		label: canvas.NewText("", color.White), progress: canvas.NewRectangle(nil), focus: canvas.NewRectangle(color.Transparent),
	}
	r.parts = []pictured{newVeil(p), newChunkGrid(p), newNotes(p), newCross(p), newMark(p), newOverview(p)}
	r.focus.StrokeWidth, r.plate.CornerRadius = 2, 3
	r.Refresh()
	return r
}

func (r *paneLook) Layout(size fyne.Size) {
	for _, o := range []fyne.CanvasObject{r.ground, r.p.raster, r.p.shapes, r.focus} {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
	for _, part := range r.parts {
		part.layout(size)
	}
	r.progress.Resize(fyne.NewSize(size.Width*max(0.02, r.p.done), 2))
	bar := r.scaleBar()
	w := float32(bar.Pixels / r.p.scale())
	const thick, edge = 3, 20
	corner := r.corner(size)
	at := fyne.NewPos(max(edge, corner.X-edge-w), corner.Y-edge-thick)
	r.bar.Move(at)
	r.bar.Resize(fyne.NewSize(w, thick))
	s := r.label.MinSize()
	r.label.Move(fyne.NewPos(at.X+(w-s.Width)/2, at.Y-s.Height-1))
	r.label.Resize(s)
	wide := max(w, s.Width)
	const pad = 6
	r.plate.Move(fyne.NewPos(at.X+(w-wide)/2-pad, at.Y-s.Height-pad+2))
	r.plate.Resize(fyne.NewSize(wide+2*pad, s.Height+thick+2*pad-2))
}

// corner is the lower right corner of the picture, or of the pane where the picture goes on beyond it. A
// picture too small for a scale bar gives the pane's.
func (r *paneLook) corner(size fyne.Size) fyne.Position {
	at := fyne.NewPos(size.Width, size.Height)
	if r.p.session == nil {
		return at
	}
	g := r.p.session.Scene().Geometry(r.p.state())
	x, y := g.Pixel(float64(g.Voxels[0])-0.5, float64(g.Voxels[1])-0.5)
	k := r.p.scale()
	if px := float32(x / k); px < at.X && px > size.Width/2 {
		at.X = px
	}
	if py := float32(y / k); py < at.Y && py > size.Height/2 {
		at.Y = py
	}
	return at
}

func (r *paneLook) scaleBar() viewer.ScaleBar {
	s := r.p.session
	if s == nil || !s.State().ScaleBar || r.p.size.X == 0 || r.p.index > 0 {
		return viewer.ScaleBar{}
	}
	return s.Scene().Bar(r.p.state())
}

func (r *paneLook) Refresh() {
	r.ground.FillColor = shade(colorGround)
	r.progress.FillColor = shade(theme.ColorNamePrimary)
	r.progress.Hidden = !r.p.busy
	r.focus.StrokeColor = shade(theme.ColorNameFocus)
	r.focus.Hidden = !r.p.focused || r.p.quiet
	bar := r.scaleBar()
	hidden := bar.Pixels <= 0
	r.bar.Hidden, r.plate.Hidden, r.label.Hidden = hidden, hidden, hidden
	r.label.Text, r.label.TextSize, r.label.TextStyle.Bold = bar.Label, theme.Size(sizeCaption), true
	r.p.raster.Hidden = r.p.session == nil
	for _, part := range r.parts {
		part.refresh()
	}
	r.p.shapes.Refresh()
	r.Layout(r.p.Size())
	canvas.Refresh(r.p)
}

// repaint draws a part anew. One that was hidden may not have been painted before: the toolkit then knows of no canvas
// that it is on and would do nothing, so the pane it lies on is drawn.
func (p *pane) repaint(part fyne.CanvasObject, wasHidden bool) {
	part.Refresh()
	if wasHidden {
		canvas.Refresh(p)
	}
}

func (r *paneLook) MinSize() fyne.Size { return r.p.MinSize() }
func (r *paneLook) Destroy()           {}
func (r *paneLook) Objects() []fyne.CanvasObject {
	all := []fyne.CanvasObject{r.ground, r.p.raster, r.p.shapes}
	for _, part := range r.parts {
		all = append(all, part.objects()...)
	}
	return append(all, r.plate, r.bar, r.label, r.progress, r.focus)
}

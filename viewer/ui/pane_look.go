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
	bar, under *canvas.Rectangle // the scale bar and its dark edge, so that it is seen on any picture
	label      [2]*canvas.Text   // its dark edge, its text
	progress   *canvas.Rectangle
	focus      *canvas.Rectangle
}

// CreateRenderer makes the picture's objects.
func (p *pane) CreateRenderer() fyne.WidgetRenderer {
	r := &paneLook{
		p: p, ground: canvas.NewRectangle(nil), bar: canvas.NewRectangle(color.White), under: canvas.NewRectangle(color.NRGBA{A: 0xb0}),
		label:    [2]*canvas.Text{canvas.NewText("", color.NRGBA{A: 0xc0}), canvas.NewText("", color.White)},
		progress: canvas.NewRectangle(nil), focus: canvas.NewRectangle(color.Transparent),
	}
	r.focus.StrokeWidth = 2
	r.Refresh()
	return r
}

func (r *paneLook) Layout(size fyne.Size) {
	for _, o := range []fyne.CanvasObject{r.ground, r.p.raster, r.focus} {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
	r.progress.Resize(fyne.NewSize(size.Width*max(0.02, r.p.done), 2))
	bar := r.scaleBar()
	w := float32(bar.Pixels / r.p.scale())
	const thick, edge = 4, 16
	at := fyne.NewPos(size.Width-edge-w, size.Height-edge-thick)
	r.bar.Move(at)
	r.bar.Resize(fyne.NewSize(w, thick))
	r.under.Move(at.SubtractXY(1, 1))
	r.under.Resize(fyne.NewSize(w+2, thick+2))
	for i, l := range r.label {
		s := l.MinSize()
		l.Move(fyne.NewPos(at.X+(w-s.Width)/2+float32(1-i), at.Y-s.Height-1+float32(1-i)))
		l.Resize(s)
	}
}

func (r *paneLook) scaleBar() viewer.ScaleBar {
	s := r.p.session
	if s == nil || !s.State().ScaleBar || r.p.size.X == 0 {
		return viewer.ScaleBar{}
	}
	return s.Scene().Bar(s.State())
}

func (r *paneLook) Refresh() {
	r.ground.FillColor = shade(colorGround)
	r.progress.FillColor = shade(theme.ColorNamePrimary)
	r.progress.Hidden = !r.p.busy
	r.focus.StrokeColor = shade(theme.ColorNameFocus)
	r.focus.Hidden = !r.p.focused || r.p.quiet
	bar := r.scaleBar()
	hidden := bar.Pixels <= 0
	r.bar.Hidden, r.under.Hidden = hidden, hidden
	for _, l := range r.label {
		l.Text, l.TextSize, l.Hidden = bar.Label, theme.Size(theme.SizeNameText), hidden
		l.TextStyle.Bold = true
	}
	r.p.raster.Hidden = r.p.session == nil
	r.Layout(r.p.Size())
	canvas.Refresh(r.p)
}

func (r *paneLook) MinSize() fyne.Size { return r.p.MinSize() }
func (r *paneLook) Destroy()           {}
func (r *paneLook) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.p.raster, r.under, r.bar, r.label[0], r.label[1], r.progress, r.focus}
}

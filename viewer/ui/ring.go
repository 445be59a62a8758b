package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A ring is what a button of a strong colour has around it while it has the focus, which the toolkit shows by the accent's.
type ring struct {
	fyne.WidgetRenderer
	of   *widget.Button
	on   *bool // it has the focus
	line *canvas.Rectangle
}

func ringed(b *widget.Button, on *bool, look fyne.WidgetRenderer) fyne.WidgetRenderer {
	r := &ring{WidgetRenderer: look, of: b, on: on, line: canvas.NewRectangle(color.Transparent)}
	r.line.StrokeWidth, r.line.CornerRadius = 2, 4
	r.paint()
	return r
}

func (r *ring) paint() {
	r.line.Hidden = !*r.on || r.of.Importance != widget.HighImportance && r.of.Importance != widget.DangerImportance
	r.line.StrokeColor = shade(theme.ColorNameForeground)
}

// Layout lays the line around the button.
func (r *ring) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.line.Move(fyne.NewPos(-2, -2))
	r.line.Resize(size.AddWidthHeight(4, 4))
}

// Refresh shows the line or hides it.
func (r *ring) Refresh() {
	r.WidgetRenderer.Refresh()
	r.paint()
	r.line.Refresh()
}

// Objects are those of the button, and the line on them.
func (r *ring) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject{}, r.WidgetRenderer.Objects()...), r.line)
}

package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A popUp lies on the window without a title or buttons, in the middle near the upper edge. A click beside it ends it.
type popUp struct {
	widget.BaseWidget
	canvas  fyne.Canvas
	content fyne.CanvasObject
	wide    float32
	closed  func()
	open    bool
	above   fyne.CanvasObject // of tips; nil is nothing
}

var (
	_ dialog.Dialog = (*popUp)(nil)
	_ fyne.Tappable = (*popUp)(nil)
)

func newPopUp(c fyne.Canvas, wide float32, content fyne.CanvasObject) *popUp {
	p := &popUp{canvas: c, content: content, wide: wide}
	p.ExtendBaseWidget(p)
	return p
}

// Show puts it up.
func (p *popUp) Show() {
	p.open = true
	p.canvas.Overlays().Add(p)
	p.Resize(p.canvas.Size())
}

// Hide takes it away, and tells so once.
func (p *popUp) Hide() {
	if !p.open {
		return
	}
	p.open = false
	p.canvas.Overlays().Remove(p)
	if p.closed != nil {
		p.closed()
	}
}

// Dismiss takes it away.
func (p *popUp) Dismiss() { p.Hide() }

// SetDismissText is of no meaning: there is no button.
func (p *popUp) SetDismissText(string) {}

// SetOnClosed says whom to tell when it has gone.
func (p *popUp) SetOnClosed(f func()) { p.closed = f }

// Tapped ends it, for what it holds takes its own clicks.
func (p *popUp) Tapped(e *fyne.PointEvent) {
	at, size := p.content.Position(), p.content.Size()
	if e.Position.X < at.X || e.Position.Y < at.Y || e.Position.X > at.X+size.Width || e.Position.Y > at.Y+size.Height {
		p.Hide()
	}
}

// CreateRenderer draws the ground and what lies on it.
func (p *popUp) CreateRenderer() fyne.WidgetRenderer {
	l := &popUpLook{p: p, ground: canvas.NewRectangle(nil), shadow: canvas.NewRectangle(color.Transparent)}
	l.ground.StrokeWidth, l.ground.CornerRadius, l.shadow.CornerRadius = 1, 6, 8
	l.Refresh()
	return l
}

type popUpLook struct {
	p              *popUp
	ground, shadow *canvas.Rectangle
}

func (l *popUpLook) Layout(window fyne.Size) {
	w := min(l.p.wide, window.Width-16)
	h := min(l.p.content.MinSize().Height, window.Height-16)
	at := fyne.NewPos((window.Width-w)/2, max(8, min(window.Height/8, window.Height-h-8)))
	for _, o := range []fyne.CanvasObject{l.ground, l.p.content} {
		o.Move(at)
		o.Resize(fyne.NewSize(w, h))
	}
	l.shadow.Move(at.SubtractXY(3, 1))
	l.shadow.Resize(fyne.NewSize(w+6, h+6))
}

func (l *popUpLook) Refresh() {
	l.ground.FillColor, l.ground.StrokeColor = shade(theme.ColorNameOverlayBackground), shade(colorFaint)
	l.shadow.FillColor = shade(theme.ColorNameShadow)
	l.Layout(l.p.Size())
	canvas.Refresh(l.p)
}

func (l *popUpLook) MinSize() fyne.Size { return fyne.Size{} }
func (l *popUpLook) Destroy()           {}
func (l *popUpLook) Objects() []fyne.CanvasObject {
	if l.p.above == nil {
		return []fyne.CanvasObject{l.shadow, l.ground, l.p.content}
	}
	return []fyne.CanvasObject{l.shadow, l.ground, l.p.content, l.p.above}
}

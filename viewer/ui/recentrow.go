package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A recentRow is one source that was opened before: its name, and its shape at the right. Its tip is where
// it lies.
type recentRow struct {
	widget.BaseWidget
	tip
	r       Recent
	open    func()
	focused bool
	hovered bool
}

var (
	_ fyne.Tappable     = (*recentRow)(nil)
	_ fyne.Focusable    = (*recentRow)(nil)
	_ desktop.Hoverable = (*recentRow)(nil)
)

func newRecentRow(of *tips, r Recent, open func()) *recentRow {
	w := &recentRow{tip: saying(of, r.Source), r: r, open: open}
	w.ExtendBaseWidget(w)
	return w
}

// Tapped opens it.
func (w *recentRow) Tapped(*fyne.PointEvent) {
	w.tip.MouseOut()
	w.open()
}

// MouseIn lights the row.
func (w *recentRow) MouseIn(e *desktop.MouseEvent) { w.hovered = true; w.Refresh(); w.tip.MouseIn(e) }

// MouseOut takes the light away.
func (w *recentRow) MouseOut() { w.hovered = false; w.Refresh(); w.tip.MouseOut() }

// FocusGained shows the focus.
func (w *recentRow) FocusGained() { w.focused = true; w.Refresh() }

// FocusLost takes it away.
func (w *recentRow) FocusLost() { w.focused = false; w.Refresh() }

// TypedRune is of no meaning.
func (w *recentRow) TypedRune(rune) {}

// TypedKey opens it by Space or Enter.
func (w *recentRow) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeySpace || e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		w.open()
	}
}

// CreateRenderer draws the row.
func (w *recentRow) CreateRenderer() fyne.WidgetRenderer {
	l := &recentLook{w: w, ground: canvas.NewRectangle(nil)}
	l.name = newCaption(w.r.Name, theme.ColorNameForeground, theme.SizeNameText)
	l.about = small(w.r.About)
	l.about.align = fyne.TextAlignTrailing
	l.ground.CornerRadius = 3
	l.Refresh()
	return l
}

type recentLook struct {
	w           *recentRow
	ground      *canvas.Rectangle
	name, about *caption
}

func (l *recentLook) Layout(s fyne.Size) {
	const wide = 220
	l.ground.Move(fyne.NewPos(-8, 0))
	l.ground.Resize(s.AddWidthHeight(16, 0))
	l.name.Resize(fyne.NewSize(s.Width-wide-8, s.Height))
	l.about.Move(fyne.NewPos(s.Width-wide, 0))
	l.about.Resize(fyne.NewSize(wide, s.Height))
}

func (l *recentLook) Refresh() {
	l.ground.FillColor, l.ground.StrokeWidth = color.Transparent, 0
	if l.w.hovered {
		l.ground.FillColor = shade(colorCurrent)
	}
	if l.w.focused {
		l.ground.StrokeWidth, l.ground.StrokeColor = 2, shade(theme.ColorNameFocus)
	}
	l.name.Refresh()
	l.about.Refresh()
	canvas.Refresh(l.w)
}

func (l *recentLook) MinSize() fyne.Size { return fyne.NewSize(120, rowTall) }
func (l *recentLook) Destroy()           {}
func (l *recentLook) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{l.ground, l.name, l.about}
}

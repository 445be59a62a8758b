package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A panelSide is a panel beside the picture, as wide as its inner edge was dragged to.
type panelSide struct {
	wide, usual float32
	atRight     bool
}

// How narrow and how wide a panel may be.
const (
	leastPanel = 200
	mostPanel  = 560
	edgeRoom   = 5 // of the edge that is dragged
)

// MinSize is its width.
func (s *panelSide) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(s.wide, o[0].MinSize().Height)
}

// Layout gives the panel all of the room, and the edge a strip of it on the side of the picture.
func (s *panelSide) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.Position{})
	o[0].Resize(size)
	x := size.Width - edgeRoom
	if s.atRight {
		x = 0
	}
	o[1].Move(fyne.NewPos(x, 0))
	o[1].Resize(fyne.NewSize(edgeRoom, size.Height))
}

// panelEdge is what a panel is dragged wider by; ← and → do so while it has the focus, and a double click gives it its usual width.
type panelEdge struct {
	widget.BaseWidget
	tip
	side    *panelSide
	changed func()
	lit     bool
}

var (
	_ fyne.Draggable      = (*panelEdge)(nil)
	_ fyne.DoubleTappable = (*panelEdge)(nil)
	_ fyne.Focusable      = (*panelEdge)(nil)
	_ desktop.Hoverable   = (*panelEdge)(nil)
	_ desktop.Cursorable  = (*panelEdge)(nil)
)

// newPanelSide is a panel with such an edge.
func newPanelSide(of *tips, usual float32, atRight bool, content fyne.CanvasObject, changed func()) (*fyne.Container, *panelSide) {
	s := &panelSide{wide: usual, usual: usual, atRight: atRight}
	e := &panelEdge{tip: saying(of, Say("panel.edge.tip")), side: s, changed: changed}
	e.ExtendBaseWidget(e)
	box := &fyne.Container{Layout: s, Objects: []fyne.CanvasObject{content, e}}
	return box, s
}

// set makes the panel so wide, as far as it may be.
func (s *panelSide) set(wide float32) { s.wide = max(leastPanel, min(mostPanel, wide)) }

// widen makes the panel wider by how far its edge went to the right.
func (e *panelEdge) widen(dx float32) {
	if e.side.atRight {
		dx = -dx
	}
	e.side.set(e.side.wide + dx)
	e.changed()
}

// Dragged moves the edge.
func (e *panelEdge) Dragged(d *fyne.DragEvent) { e.widen(d.Dragged.DX) }

// DragEnd lets go.
func (e *panelEdge) DragEnd() {}

// DoubleTapped gives the panel its usual width.
func (e *panelEdge) DoubleTapped(*fyne.PointEvent) {
	e.side.wide = e.side.usual
	e.changed()
}

// light shows whether the edge is held.
func (e *panelEdge) light(on bool) {
	if e.lit != on {
		e.lit = on
		e.Refresh()
	}
}

// MouseIn lights the edge.
func (e *panelEdge) MouseIn(m *desktop.MouseEvent) { e.light(true); e.tip.MouseIn(m) }

// MouseOut takes the light away.
func (e *panelEdge) MouseOut() { e.light(false); e.tip.MouseOut() }

// FocusGained and FocusLost show whether keys go to the edge.
func (e *panelEdge) FocusGained() { e.light(true) }

// FocusLost takes the light away.
func (e *panelEdge) FocusLost() { e.light(false) }

// TypedRune does nothing.
func (e *panelEdge) TypedRune(rune) {}

// TypedKey moves the edge.
func (e *panelEdge) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyLeft:
		e.widen(-16)
	case fyne.KeyRight:
		e.widen(16)
	}
}

// Cursor is what moves an edge.
func (e *panelEdge) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// CreateRenderer draws the edge, which is seen while it is held.
func (e *panelEdge) CreateRenderer() fyne.WidgetRenderer {
	l := &panelEdgeLook{e: e, line: canvas.NewRectangle(nil)}
	l.Refresh()
	return l
}

type panelEdgeLook struct {
	e    *panelEdge
	line *canvas.Rectangle
}

func (l *panelEdgeLook) Layout(s fyne.Size) {
	x := s.Width - 2
	if l.e.side.atRight {
		x = 0
	}
	l.line.Move(fyne.NewPos(x, 0))
	l.line.Resize(fyne.NewSize(2, s.Height))
}

func (l *panelEdgeLook) Refresh() {
	l.line.FillColor = shade(theme.ColorNamePrimary)
	l.line.Hidden = !l.e.lit
	l.Layout(l.e.Size())
	canvas.Refresh(l.line)
}

func (l *panelEdgeLook) MinSize() fyne.Size           { return fyne.NewSize(edgeRoom, 0) }
func (l *panelEdgeLook) Destroy()                     {}
func (l *panelEdgeLook) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.line} }

// PanelWidths are those of the panels at the left and at the right.
func (v *View) PanelWidths() (left, right float32) { return v.leftSide.wide, v.rightSide.wide }

// SetPanelWidths makes the panels so wide; 0 is the usual width.
func (v *View) SetPanelWidths(left, right float32) {
	for _, p := range []struct {
		side *panelSide
		wide float32
	}{{v.leftSide, left}, {v.rightSide, right}} {
		if p.wide > 0 {
			p.side.set(p.wide)
		}
	}
	v.widened()
}

// widened lays the window out anew.
func (v *View) widened() {
	v.middle.Refresh()
	v.notices.Refresh()
}

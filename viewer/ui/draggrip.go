package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A dragGrip is what a row of a list is taken hold of by, to put it elsewhere in the list: with the pointer, or when it
// has the focus with the arrow keys.
type dragGrip struct {
	widget.BaseWidget
	tip
	move    func(by int)    // by so many places
	dragged func(y float32) // the pointer is there on the window
	dropped func()
	focused bool
	over    bool
}

var (
	_ fyne.Draggable     = (*dragGrip)(nil)
	_ fyne.Focusable     = (*dragGrip)(nil)
	_ fyne.Tappable      = (*dragGrip)(nil)
	_ desktop.Hoverable  = (*dragGrip)(nil)
	_ desktop.Cursorable = (*dragGrip)(nil)
)

func newDragGrip(of *tips, hint string) *dragGrip {
	g := &dragGrip{tip: saying(of, hint)}
	g.ExtendBaseWidget(g)
	return g
}

// Dragged tells where the pointer is.
func (g *dragGrip) Dragged(e *fyne.DragEvent) {
	g.tip.MouseOut()
	g.dragged(fyne.CurrentApp().Driver().AbsolutePositionForObject(g).Y + e.Position.Y)
}

// DragEnd lets go.
func (g *dragGrip) DragEnd() { g.dropped() }

// Tapped takes the focus, for the arrow keys.
func (g *dragGrip) Tapped(*fyne.PointEvent) { g.focus() }

func (g *dragGrip) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(g); c != nil {
		c.Focus(g)
	}
}

// TypedKey moves the row.
func (g *dragGrip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyUp:
		g.move(-1)
	case fyne.KeyDown:
		g.move(1)
	}
}

// TypedRune is of no meaning.
func (g *dragGrip) TypedRune(rune) {}

// FocusGained shows that keys move the row.
func (g *dragGrip) FocusGained() { g.focused = true; g.Refresh() }

// FocusLost shows that they do not.
func (g *dragGrip) FocusLost() { g.focused = false; g.Refresh() }

// MouseIn lights it.
func (g *dragGrip) MouseIn(e *desktop.MouseEvent) {
	g.over = true
	g.Refresh()
	g.tip.MouseIn(e)
}

// MouseOut takes the light away.
func (g *dragGrip) MouseOut() {
	g.over = false
	g.Refresh()
	g.tip.MouseOut()
}

// Cursor says that it moves up and down.
func (g *dragGrip) Cursor() desktop.Cursor { return desktop.VResizeCursor }

// CreateRenderer draws six dots.
func (g *dragGrip) CreateRenderer() fyne.WidgetRenderer {
	l := &dragGripLook{g: g, frame: canvas.NewRectangle(nil)}
	l.frame.CornerRadius = 3
	l.objects = append(l.objects, l.frame)
	for i := range l.dots {
		l.dots[i] = canvas.NewCircle(nil)
		l.objects = append(l.objects, l.dots[i])
	}
	l.Refresh()
	return l
}

type dragGripLook struct {
	g       *dragGrip
	frame   *canvas.Rectangle
	dots    [6]*canvas.Circle
	objects []fyne.CanvasObject
}

func (l *dragGripLook) Layout(s fyne.Size) {
	l.frame.Resize(s)
	const side, apart = 2, 5
	left, top := (s.Width-side-apart)/2, (s.Height-side-2*apart)/2
	for i, d := range l.dots {
		d.Move(fyne.NewPos(left+float32(i%2)*apart, top+float32(i/2)*apart))
		d.Resize(fyne.NewSize(side, side))
	}
}

func (l *dragGripLook) Refresh() {
	name := theme.ColorNamePlaceHolder
	if l.g.over || l.g.focused {
		name = theme.ColorNameForeground
	}
	for _, d := range l.dots {
		d.FillColor = shade(name)
	}
	l.frame.FillColor, l.frame.StrokeColor, l.frame.StrokeWidth = nil, nil, 0
	if l.g.over {
		l.frame.FillColor = shade(theme.ColorNameHover)
	}
	if l.g.focused {
		l.frame.StrokeColor, l.frame.StrokeWidth = shade(theme.ColorNameFocus), 2
	}
	canvas.Refresh(l.g)
}

func (l *dragGripLook) MinSize() fyne.Size           { return fyne.NewSize(18, 24) }
func (l *dragGripLook) Destroy()                     {}
func (l *dragGripLook) Objects() []fyne.CanvasObject { return l.objects }

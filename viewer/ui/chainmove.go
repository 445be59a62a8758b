package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A dropLine is the line between two rows of a list where the row that is dragged will stand.
type dropLine struct {
	layer *fyne.Container
	line  *canvas.Rectangle
	gap   int // above row number gap
	on    bool
}

func newDropLine() *dropLine {
	l := &dropLine{line: canvas.NewRectangle(nil)}
	l.line.CornerRadius = 1
	l.line.Hide()
	l.layer = loose(l.line)
	return l
}

// loose holds objects where they are put.
func loose(o ...fyne.CanvasObject) *fyne.Container { return &fyne.Container{Objects: o} }

func (l *dropLine) show(gap int, y, wide float32) {
	l.on, l.gap = true, gap
	l.line.FillColor = shade(theme.ColorNamePrimary)
	l.line.Move(fyne.NewPos(0, y-1))
	l.line.Resize(fyne.NewSize(wide, 2))
	l.line.Show()
	canvas.Refresh(l.line)
}

func (l *dropLine) hide() {
	l.on = false
	l.line.Hide()
	canvas.Refresh(l.line)
}

// mark shows where filter i, whose grip has been dragged to a height of the window, would go.
func (p *chainPanel) mark(i int, y float32) {
	y -= fyne.CurrentApp().Driver().AbsolutePositionForObject(p.list).Y
	gap := len(p.rows)
	for k, r := range p.rows {
		if y < r.box.Position().Y+r.box.Size().Height/2 {
			gap = k
			break
		}
	}
	if gap == i || gap == i+1 { // it would stay
		p.place.hide()
		return
	}
	at := p.list.Size().Height
	if gap < len(p.rows) {
		at = p.rows[gap].box.Position().Y - 8
	}
	p.place.show(gap, at, p.list.Size().Width)
}

// drop puts filter i where the line is.
func (p *chainPanel) drop(i int) {
	if !p.place.on {
		return
	}
	to := p.place.gap
	if to > i {
		to-- // its own place is free by then
	}
	p.place.hide()
	p.move(i, to)
}

// move puts filter i elsewhere, and the focus goes with it.
func (p *chainPanel) move(i, to int) {
	to = max(0, min(len(p.rows)-1, to))
	if to == i {
		return
	}
	p.act(viewer.MoveFilter(i, to))
	if to < len(p.rows) {
		p.rows[to].grip.focus()
	}
}

// focused is the filter whose row has the focus, -1 if none has.
func (p *chainPanel) focused() int {
	f, ok := p.canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return -1
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(f)
	for i, r := range p.rows {
		from := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.box)
		size := r.box.Size()
		if at.X >= from.X && at.X < from.X+size.Width && at.Y >= from.Y && at.Y < from.Y+size.Height {
			return i
		}
	}
	return -1
}

// moveFocused moves the filter whose row has the focus by so many places.
func (p *chainPanel) moveFocused(by int) {
	if i := p.focused(); i >= 0 {
		p.move(i, i+by)
	}
}

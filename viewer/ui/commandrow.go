package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const commandTall = 26

// A commandRow is one answer of the palette: what it does, where it stands in the menus, and its key.
type commandRow struct {
	widget.BaseWidget
	c    command
	lit  bool
	over bool // the pointer is
	do   func()
}

var (
	_ fyne.Tappable     = (*commandRow)(nil)
	_ desktop.Hoverable = (*commandRow)(nil)
)

func newCommandRow(do func()) *commandRow {
	r := &commandRow{do: do}
	r.ExtendBaseWidget(r)
	return r
}

func (r *commandRow) set(c command, lit bool) {
	r.c, r.lit = c, lit
	r.Refresh()
}

// Tapped does it.
func (r *commandRow) Tapped(*fyne.PointEvent) { r.do() }

// MouseIn lights the row.
func (r *commandRow) MouseIn(*desktop.MouseEvent) { r.over = true; r.Refresh() }

// MouseMoved is of no meaning.
func (r *commandRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the light away.
func (r *commandRow) MouseOut() { r.over = false; r.Refresh() }

// CreateRenderer draws the row.
func (r *commandRow) CreateRenderer() fyne.WidgetRenderer {
	l := &commandLook{r: r, ground: canvas.NewRectangle(nil)}
	l.title = newCaption("", theme.ColorNameForeground, theme.SizeNameText)
	l.path, l.keys = small(""), newCaption("", theme.ColorNamePrimary, sizeCaption)
	l.keys.align = fyne.TextAlignTrailing
	l.ground.CornerRadius = 3
	l.Refresh()
	return l
}

type commandLook struct {
	r                 *commandRow
	ground            *canvas.Rectangle
	title, path, keys *caption
}

func (l *commandLook) Layout(s fyne.Size) {
	const edge, gap = 8, 12
	keys := fyne.MeasureText(l.keys.words, theme.Size(sizeCaption), fyne.TextStyle{}).Width + 2
	room := s.Width - 2*edge - keys - gap
	title := min(room, fyne.MeasureText(l.title.words, theme.Size(theme.SizeNameText), fyne.TextStyle{}).Width+2)
	l.ground.Resize(s)
	put := func(c *caption, x, w float32) {
		c.Move(fyne.NewPos(x, 0))
		c.Resize(fyne.NewSize(max(0, w), s.Height))
	}
	put(l.title, edge, title)
	put(l.path, edge+title+gap, room-title-gap)
	put(l.keys, s.Width-edge-keys, keys)
	l.path.Hidden = room-title-gap < 40
}

// shadeGround lights the row that is chosen or under the pointer.
func (l *commandLook) shadeGround() {
	l.ground.FillColor = color.Transparent
	if l.r.lit || l.r.over {
		l.ground.FillColor = shade(colorCurrent)
	}
	canvas.Refresh(l.ground)
}

func (l *commandLook) Refresh() {
	l.shadeGround()
	l.title.set(l.r.c.title)
	l.path.set(l.r.c.path)
	l.keys.set(shownKeys(l.r.c.keys, 2))
	l.Layout(l.r.Size())
	canvas.Refresh(l.r)
}

func (l *commandLook) MinSize() fyne.Size { return fyne.NewSize(120, commandTall) }
func (l *commandLook) Destroy()           {}
func (l *commandLook) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{l.ground, l.title, l.path, l.keys}
}

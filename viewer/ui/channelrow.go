package ui

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/assets"
	"lamella/viewer"
)

// A channelRow is one channel in the list: a dot in its colour, filled while it is drawn, its name, and
// a strip of its LUT. The dot shows and hides, the strip chooses colours, the rest makes it active.
type channelRow struct {
	widget.BaseWidget
	tip
	channel viewer.Channel
	palette [][3]uint8
	drawn   bool
	active  bool
	focused bool
	hovered bool

	toggle, activate, solo func()
	rename                 func()
	colors                 func(at fyne.Position)
}

var (
	_ fyne.Tappable          = (*channelRow)(nil)
	_ fyne.SecondaryTappable = (*channelRow)(nil)
	_ fyne.Focusable         = (*channelRow)(nil)
	_ desktop.Hoverable      = (*channelRow)(nil)
)

func newChannelRow(of *tips, hint string) *channelRow {
	r := &channelRow{tip: saying(of, hint)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *channelRow) set(c viewer.Channel, palette [][3]uint8, drawn, active bool) {
	if r.channel != c || r.drawn != drawn || r.active != active || len(r.palette) != len(palette) {
		r.channel, r.palette, r.drawn, r.active = c, palette, drawn, active
		r.Refresh()
	}
}

const (
	dotZone   = 28 // from the left, where a click shows and hides
	stripWide = 40
	rowTall   = 24
)

// Tapped does what the place under the pointer is for.
func (r *channelRow) Tapped(e *fyne.PointEvent) {
	switch {
	case e.Position.X < dotZone:
		r.toggle()
	case e.Position.X > r.Size().Width-stripWide-8:
		r.colors(e.AbsolutePosition)
	default:
		r.activate()
	}
}

// TappedSecondary shows the channel alone.
func (r *channelRow) TappedSecondary(*fyne.PointEvent) { r.solo() }

// MouseIn lights the row.
func (r *channelRow) MouseIn(e *desktop.MouseEvent) { r.hovered = true; r.Refresh(); r.tip.MouseIn(e) }

// MouseOut takes the light away.
func (r *channelRow) MouseOut() { r.hovered = false; r.Refresh(); r.tip.MouseOut() }

// FocusGained shows the focus.
func (r *channelRow) FocusGained() { r.focused = true; r.Refresh() }

// FocusLost takes it away.
func (r *channelRow) FocusLost() { r.focused = false; r.Refresh() }

// TypedRune is of no meaning.
func (r *channelRow) TypedRune(rune) {}

// TypedKey does with keys what clicks do.
func (r *channelRow) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace:
		r.toggle()
	case fyne.KeyReturn, fyne.KeyEnter:
		r.activate()
	case fyne.KeyF2:
		r.rename()
	case fyne.KeyS:
		r.solo()
	case fyne.KeyL:
		r.colors(fyne.CurrentApp().Driver().AbsolutePositionForObject(r).AddXY(r.Size().Width-stripWide, rowTall))
	}
}

// MinSize is one row of the grid.
func (r *channelRow) MinSize() fyne.Size {
	r.ExtendBaseWidget(r)
	return fyne.NewSize(120, rowTall)
}

// CreateRenderer draws the row.
func (r *channelRow) CreateRenderer() fyne.WidgetRenderer {
	l := &channelLook{r: r, ground: canvas.NewRectangle(nil), mark: canvas.NewRectangle(nil), dot: canvas.NewCircle(nil), name: newCaption("", theme.ColorNameForeground, theme.SizeNameText)}
	l.strip = canvas.NewRaster(l.ramp)
	l.ground.CornerRadius = 3
	l.dot.StrokeWidth = 2
	l.Refresh()
	return l
}

type channelLook struct {
	r            *channelRow
	ground, mark *canvas.Rectangle
	dot          *canvas.Circle
	name         *caption
	strip        *canvas.Raster
}

func (l *channelLook) Layout(s fyne.Size) {
	l.ground.Resize(s)
	l.mark.Move(fyne.NewPos(0, 4))
	l.mark.Resize(fyne.NewSize(3, s.Height-8))
	const d = 12
	l.dot.Move(fyne.NewPos(10, (s.Height-d)/2))
	l.dot.Resize(fyne.NewSize(d, d))
	l.name.Move(fyne.NewPos(dotZone+4, 0))
	l.name.Resize(fyne.NewSize(s.Width-dotZone-stripWide-20, s.Height))
	l.strip.Move(fyne.NewPos(s.Width-stripWide-8, (s.Height-10)/2))
	l.strip.Resize(fyne.NewSize(stripWide, 10))
}

// ramp is the LUT from left to right.
func (l *channelLook) ramp(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	t := tableOf(l.r.channel, l.r.palette)
	for x := range w {
		c := t[x*255/max(1, w-1)]
		for y := range h {
			img.SetRGBA(x, y, color.RGBA{c[0], c[1], c[2], 255})
		}
	}
	return img
}

func tableOf(c viewer.Channel, palette [][3]uint8) assets.Table {
	if c.Mirror {
		c.Mirror = false
		return tableOf(c, palette).Mirrored()
	}
	if c.LUT == viewer.FileLUT {
		return assets.Palette(palette)
	}
	if t, ok := assets.Lookup(c.LUT); ok {
		return *t
	}
	return assets.Ramp(c.Color)
}

func (l *channelLook) Refresh() {
	r := l.r
	l.ground.FillColor = color.Transparent
	if r.active {
		l.ground.FillColor = shade(colorCurrent)
	} else if r.hovered {
		l.ground.FillColor = shade(theme.ColorNameHover)
	}
	l.ground.StrokeWidth = 0
	if r.focused {
		l.ground.StrokeWidth, l.ground.StrokeColor = 2, shade(theme.ColorNameFocus)
	}
	l.mark.FillColor = shade(theme.ColorNamePrimary)
	l.mark.Hidden = !r.active
	c := colorOf(r.channel, r.palette)
	l.dot.StrokeColor, l.dot.FillColor = c, color.Transparent
	if r.drawn {
		l.dot.FillColor = c
	}
	l.name.words, l.name.name = r.channel.Name, theme.ColorNameForeground
	if !r.drawn {
		l.name.name = theme.ColorNamePlaceHolder
	}
	l.name.Refresh()
	l.strip.Refresh()
	l.Layout(r.Size())
	canvas.Refresh(r)
}

// colorOf is a colour that stands for the channel: of its ramp, or well up in its LUT.
func colorOf(c viewer.Channel, palette [][3]uint8) color.Color {
	t := tableOf(c, palette)
	v := t[255]
	if c.LUT != "" && c.LUT != "Grays" {
		v = t[170]
	}
	return color.NRGBA{v[0], v[1], v[2], 255}
}

func (l *channelLook) MinSize() fyne.Size { return l.r.MinSize() }
func (l *channelLook) Destroy()           {}
func (l *channelLook) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{l.ground, l.mark, l.dot, l.name, l.strip}
}

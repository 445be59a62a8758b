package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Device says what is to compute.
type Device string

// Automatic is the graphics card where there is one that is faster than the processor.
const (
	Automatic Device = "auto"
	Processor Device = "cpu"
	Graphics  Device = "gpu"
)

// Devices are all of them, in the order of the menu.
var Devices = [...]Device{Automatic, Processor, Graphics}

// SetDevice says what was chosen to compute, the name of what computes, and why it is that, in a sentence.
func (v *View) SetDevice(chosen Device, name, why string) {
	v.device = chosen
	v.status.device.set(name, why)
	v.checkMenus()
}

// deviceMenu offers what can compute.
func (v *View) deviceMenu() *fyne.Menu {
	m := fyne.NewMenu("")
	for _, d := range Devices {
		item := fyne.NewMenuItem(Say("menu.device."+string(d)), func() { v.asks.SetDevice(d) })
		item.Checked = d == v.device
		m.Items = append(m.Items, item)
	}
	return m
}

// A deviceMark names what computes. Clicked, it offers the others.
type deviceMark struct {
	widget.BaseWidget
	tip
	name, why        string
	press            func()
	hovered, focused bool
}

var (
	_ fyne.Tappable     = (*deviceMark)(nil)
	_ fyne.Focusable    = (*deviceMark)(nil)
	_ desktop.Hoverable = (*deviceMark)(nil)
)

func newDeviceMark(of *tips) *deviceMark {
	d := &deviceMark{}
	d.tip = tip{of, func() string {
		if d.why == "" {
			return Say("status.device.tip")
		}
		return d.why + "\n" + Say("status.device.tip")
	}}
	d.ExtendBaseWidget(d)
	return d
}

func (d *deviceMark) set(name, why string) {
	if d.why = why; d.name != name {
		d.name = name
		d.Refresh()
	}
}

// Tapped offers the others.
func (d *deviceMark) Tapped(*fyne.PointEvent) {
	d.tip.MouseOut()
	d.press()
}

// MouseIn lights it.
func (d *deviceMark) MouseIn(e *desktop.MouseEvent) { d.hovered = true; d.Refresh(); d.tip.MouseIn(e) }

// MouseOut takes the light away.
func (d *deviceMark) MouseOut() { d.hovered = false; d.Refresh(); d.tip.MouseOut() }

// FocusGained shows the focus.
func (d *deviceMark) FocusGained() { d.focused = true; d.Refresh() }

// FocusLost takes it away.
func (d *deviceMark) FocusLost() { d.focused = false; d.Refresh() }

// TypedRune is of no meaning.
func (d *deviceMark) TypedRune(rune) {}

// TypedKey offers the others by Space or Enter.
func (d *deviceMark) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeySpace || e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		d.press()
	}
}

// CreateRenderer draws the name.
func (d *deviceMark) CreateRenderer() fyne.WidgetRenderer {
	l := &deviceLook{d: d, ground: canvas.NewRectangle(nil), name: newCaption("", theme.ColorNamePlaceHolder, sizeCaption)}
	l.name.align = fyne.TextAlignTrailing
	l.ground.CornerRadius = 3
	l.Refresh()
	return l
}

type deviceLook struct {
	d      *deviceMark
	ground *canvas.Rectangle
	name   *caption
}

func (l *deviceLook) Layout(s fyne.Size) {
	l.ground.Move(fyne.NewPos(0, -2))
	l.ground.Resize(s.AddWidthHeight(0, 4))
	l.name.Move(fyne.NewPos(6, 0))
	l.name.Resize(s.SubtractWidthHeight(12, 0))
}

func (l *deviceLook) Refresh() {
	l.ground.FillColor, l.ground.StrokeWidth = color.Transparent, 0
	if l.d.hovered {
		l.ground.FillColor = shade(colorCurrent)
	}
	if l.d.focused {
		l.ground.StrokeWidth, l.ground.StrokeColor = 2, shade(theme.ColorNameFocus)
	}
	l.name.words = l.d.name
	l.name.Refresh()
	canvas.Refresh(l.d)
}

func (l *deviceLook) MinSize() fyne.Size           { return fyne.NewSize(40, l.name.MinSize().Height) }
func (l *deviceLook) Destroy()                     {}
func (l *deviceLook) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.ground, l.name} }

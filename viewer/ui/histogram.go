package ui

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A histogramPlot shows how often values occur on the plane, with a handle for each contrast limit. The
// nearer handle follows a click or a drag; with the focus the arrow keys move the high one, and with
// Shift the low one.
type histogramPlot struct {
	widget.BaseWidget
	tip
	h       viewer.Histogram
	limits  viewer.Limits
	color   [3]uint8
	low     bool // the drag under way moves the low limit
	drag    bool
	focused bool
	moved   func(viewer.Limits)
	settled func()
	mods    func() fyne.KeyModifier
	raster  *canvas.Raster
	buffer  *image.RGBA
}

var (
	_ fyne.Draggable    = (*histogramPlot)(nil)
	_ fyne.Tappable     = (*histogramPlot)(nil)
	_ fyne.Focusable    = (*histogramPlot)(nil)
	_ desktop.Hoverable = (*histogramPlot)(nil)
)

func newHistogram(of *tips, hint string, moved func(viewer.Limits), settled func()) *histogramPlot {
	p := &histogramPlot{tip: saying(of, hint), moved: moved, settled: settled, mods: held}
	p.h.High, p.h.Most = 1, 1
	p.raster = canvas.NewRaster(p.draw)
	p.raster.ScaleMode = canvas.ImageScalePixels
	p.ExtendBaseWidget(p)
	return p
}

func (p *histogramPlot) set(h viewer.Histogram, l viewer.Limits, c [3]uint8) {
	if p.h != h || p.limits != l || p.color != c {
		p.h, p.limits, p.color = h, l, c
		p.Refresh()
	}
}

// extent is the values that the plot spans: those there are, and the limits where they lie beyond by
// no more than as much again, so that a handle can be dragged out and caught again.
func (p *histogramPlot) extent() (low, high float64) {
	low, high = p.h.Least, p.h.Most
	if low == high {
		low, high = low-0.5, high+0.5
	}
	span := high - low
	low, high = min(low, max(p.limits.Low, low-span)), max(high, min(p.limits.High, high+span))
	room := 0.03 * (high - low)
	return low - room, high + room
}

func (p *histogramPlot) xOf(v float64) float32 {
	low, high := p.extent()
	return float32(max(0, min(1, (v-low)/(high-low)))) * p.Size().Width
}

func (p *histogramPlot) valueAt(x float32) float64 {
	low, high := p.extent()
	return low + float64(x/max(1, p.Size().Width))*(high-low)
}

func (p *histogramPlot) move(x float32) {
	l, v := p.limits, p.valueAt(x)
	if p.low {
		l.Low = min(v, l.High)
	} else {
		l.High = max(v, l.Low)
	}
	p.limits = l
	p.moved(l)
	p.Refresh()
}

func (p *histogramPlot) nearer(x float32) bool {
	a, b := p.xOf(p.limits.Low), p.xOf(p.limits.High)
	if a == b {
		return x < a
	}
	return math.Abs(float64(x-a)) < math.Abs(float64(x-b))
}

// Tapped moves the nearer limit to the pointer.
func (p *histogramPlot) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		c.Focus(p)
	}
	p.low = p.nearer(e.Position.X)
	p.move(e.Position.X)
	p.settled()
}

// Dragged moves the limit that was nearer when the drag began.
func (p *histogramPlot) Dragged(e *fyne.DragEvent) {
	if !p.drag {
		p.drag, p.low = true, p.nearer(e.Position.X-e.Dragged.DX)
	}
	p.move(e.Position.X)
}

// DragEnd lets the limit go.
func (p *histogramPlot) DragEnd() {
	p.drag = false
	p.settled()
}

// FocusGained shows the focus.
func (p *histogramPlot) FocusGained() { p.focused = true; p.Refresh() }

// FocusLost takes it away.
func (p *histogramPlot) FocusLost() { p.focused = false; p.Refresh() }

// TypedRune is of no meaning.
func (p *histogramPlot) TypedRune(rune) {}

// TypedKey moves a limit by a hundredth of the plot.
func (p *histogramPlot) TypedKey(e *fyne.KeyEvent) {
	by := float32(0)
	switch e.Name {
	case fyne.KeyLeft:
		by = -1
	case fyne.KeyRight:
		by = 1
	default:
		return
	}
	v := p.limits.High
	if p.low = p.mods()&fyne.KeyModifierShift != 0; p.low {
		v = p.limits.Low
	}
	p.move(p.xOf(v) + by*p.Size().Width/100)
	p.settled()
}

// MinSize is what a histogram needs to be read.
func (p *histogramPlot) MinSize() fyne.Size {
	p.ExtendBaseWidget(p)
	return fyne.NewSize(120, 84)
}

// CreateRenderer draws the plot as one picture.
func (p *histogramPlot) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(p.raster)
}

// draw paints the bars, the ramp between the limits and the two handles. Heights are by the square
// root of the counts, so that few bright voxels are seen beside much background.
func (p *histogramPlot) draw(w, h int) image.Image {
	if p.buffer == nil || p.buffer.Rect.Dx() != w || p.buffer.Rect.Dy() != h {
		p.buffer = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	ground, bar, out := rgba(shade(theme.ColorNameInputBackground)), rgba(shade(theme.ColorNamePlaceHolder)), rgba(shade(colorFaint))
	grip := rgba(shade(theme.ColorNameForeground))
	if p.focused {
		grip = rgba(shade(theme.ColorNamePrimary))
	}
	low, high := p.extent()
	grips := max(6, h/8) // height of the handles below the bars
	top := h - grips
	a, b := p.pixelOf(p.limits.Low, w), p.pixelOf(p.limits.High, w)
	for x := range w {
		v0, v1 := low+float64(x)/float64(w)*(high-low), low+float64(x+1)/float64(w)*(high-low)
		tall := int(math.Sqrt(p.share(v0, v1)) * float64(top-2))
		c := bar
		if x < a || x > b {
			c = out
		}
		for y := range h {
			q := ground
			if y < top && y >= top-tall {
				q = c
			}
			if y >= top && x >= a && x <= b && b > a { // the ramp from black to the channel's colour
				k := (x - a) * 255 / (b - a)
				q = color.RGBA{uint8(int(p.color[0]) * k / 255), uint8(int(p.color[1]) * k / 255), uint8(int(p.color[2]) * k / 255), 255}
			}
			p.buffer.SetRGBA(x, y, q)
		}
	}
	p.handle(a, top, p.limits.Low < low || p.limits.Low > high, grip)
	p.handle(b, top, p.limits.High < low || p.limits.High > high, grip)
	return p.buffer
}

// handle draws the handle of a limit: a line with a foot below the bars. A limit off the scale has a
// dashed line at the end that it lies beyond, and an arrow that points there.
func (p *histogramPlot) handle(at, top int, off bool, c color.RGBA) {
	w, h := p.buffer.Rect.Dx(), p.buffer.Rect.Dy()
	thick := max(1, h/60)
	row := func(y, from, to int) {
		for x := max(0, from); x <= min(w-1, to); x++ {
			p.buffer.SetRGBA(x, y, c)
		}
	}
	arrow := h / 8
	for y := range h {
		if !off {
			half := thick
			if y >= top {
				half = thick + (y-top)/2
			}
			row(y, at-half/2, at+half/2)
			continue
		}
		if y/(3*thick)%2 == 0 {
			row(y, at-thick/2, at+thick/2)
		}
		if wide := arrow - max(y-top/2, top/2-y); wide >= 0 && at < w/2 {
			row(y, arrow+thick-wide, arrow+thick)
		} else if wide >= 0 {
			row(y, w-1-arrow-thick, w-1-arrow-thick+wide)
		}
	}
}

func (p *histogramPlot) pixelOf(v float64, w int) int {
	low, high := p.extent()
	return int(max(0, min(1, (v-low)/(high-low))) * float64(w-1))
}

// share is the fullest bin between two values, as a share of the fullest of all.
func (p *histogramPlot) share(v0, v1 float64) float64 {
	if p.h.Peak == 0 || v1 < p.h.Low || v0 > p.h.High {
		return 0
	}
	scale := 256 / (p.h.High - p.h.Low)
	i, j := int(scale*(v0-p.h.Low)), int(scale*(v1-p.h.Low))
	most := 0
	for k := max(0, i); k <= min(255, j); k++ {
		most = max(most, p.h.Count[k])
	}
	return float64(most) / float64(p.h.Peak)
}

func rgba(c color.Color) color.RGBA {
	r, g, b, a := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

package ui

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A curve is a profile in a colour.
type curve struct {
	viewer.Profile
	color color.NRGBA
}

// A plot draws curves over one axis, with the numbers at the ends of both axes.
type plot struct {
	widget.BaseWidget
	curves []curve
	title  string
	mark   float64 // a place along, with a line through it; NaN for none
}

func newPlot() *plot {
	p := &plot{mark: math.NaN()}
	p.ExtendBaseWidget(p)
	return p
}

func (p *plot) set(title string, c []curve) {
	p.curves, p.title = c, title
	p.Refresh()
}

// follow shows one curve, in the colour of what is chosen, and marks a place on it.
func (p *plot) follow(title string, c curve, mark float64) {
	c.color = color.NRGBAModel.Convert(shade(theme.ColorNamePrimary)).(color.NRGBA)
	p.mark = mark
	p.set(title, []curve{c})
}

// span is the least and the greatest of all curves, along and up.
func (p *plot) span() (x, y [2]float64, ok bool) {
	x, y = [2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}
	for _, c := range p.curves {
		for i, v := range c.Values {
			x[0], x[1] = min(x[0], c.At[i]), max(x[1], c.At[i])
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				y[0], y[1] = min(y[0], v), max(y[1], v)
			}
		}
	}
	if y[0] > y[1] || x[0] >= x[1] {
		return x, y, false
	}
	if y[0] == y[1] {
		y[0], y[1] = y[0]-0.5, y[1]+0.5
	}
	return x, y, true
}

// CreateRenderer makes the picture of the curves and the texts around it.
func (p *plot) CreateRenderer() fyne.WidgetRenderer {
	l := &plotLook{p: p}
	l.raster = canvas.NewRaster(p.draw)
	for i := range l.texts {
		l.texts[i] = canvas.NewText("", nil)
	}
	l.Refresh()
	return l
}

// draw is called while the window is painted.
func (p *plot) draw(w, h int) image.Image {
	dst := image.NewNRGBA(image.Rect(0, 0, w, h))
	x, y, ok := p.span()
	if !ok || w < 2 || h < 2 {
		return dst
	}
	faint := color.NRGBAModel.Convert(shade(colorFaint)).(color.NRGBA)
	for i := range w {
		dst.SetNRGBA(i, h-1, faint)
	}
	for i := range h {
		dst.SetNRGBA(0, i, faint)
	}
	if p.mark >= x[0] && p.mark <= x[1] {
		at := int((p.mark - x[0]) / (x[1] - x[0]) * float64(w-1))
		for i := range h {
			dst.SetNRGBA(at, i, faint)
		}
	}
	scale := float64(w) / float64(max(1, p.Size().Width-plotLeft)) // device pixels of one of the toolkit's
	for _, c := range p.curves {
		pen := pen{dst: dst, color: c.color, radius: 0.75 * scale}
		for i, v := range c.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				pen.up()
				continue
			}
			pen.to((c.At[i]-x[0])/(x[1]-x[0])*float64(w-1), (1-(v-y[0])/(y[1]-y[0]))*float64(h-3)+1)
		}
	}
	return dst
}

// A pen draws lines with soft edges.
type pen struct {
	dst    *image.NRGBA
	color  color.NRGBA
	radius float64 // half of how wide they are, in pixels
	x, y   float64
	down   bool
}

func (p *pen) up() { p.down = false }

func (p *pen) to(x, y float64) {
	if p.down {
		steps := int(math.Ceil(2*max(math.Abs(x-p.x), math.Abs(y-p.y)))) + 1
		for i := range steps {
			f := float64(i) / float64(steps)
			p.dot(p.x+f*(x-p.x), p.y+f*(y-p.y))
		}
	}
	p.dot(x, y)
	p.x, p.y, p.down = x, y, true
}

// dot covers the pixels around a place by as much as a disc lies on them.
func (p *pen) dot(x, y float64) {
	reach := p.radius + 0.5
	for j := int(math.Ceil(y - reach)); float64(j) <= y+reach; j++ {
		for i := int(math.Ceil(x - reach)); float64(i) <= x+reach; i++ {
			at := image.Pt(i, j)
			if !at.In(p.dst.Rect) {
				continue
			}
			c := p.color
			c.A = uint8(255 * max(0, min(1, reach-math.Hypot(x-float64(i), y-float64(j)))))
			if was := p.dst.NRGBAAt(at.X, at.Y); was.A < c.A || was == (color.NRGBA{}) {
				p.dst.SetNRGBA(at.X, at.Y, c)
			}
		}
	}
}

type plotLook struct {
	p      *plot
	raster *canvas.Raster
	texts  [5]*canvas.Text // greatest and least value, first and last place, title
}

// Room of the texts beside and below the curves.
const (
	plotLeft  = 52
	plotBelow = 18
)

func (l *plotLook) Layout(s fyne.Size) {
	w, h := max(1, s.Width-plotLeft), max(1, s.Height-plotBelow)
	l.raster.Move(fyne.NewPos(plotLeft, 0))
	l.raster.Resize(fyne.NewSize(w, h))
	m := func(i int) fyne.Size { return l.texts[i].MinSize() }
	l.texts[0].Move(fyne.NewPos(plotLeft-6-m(0).Width, 0))
	l.texts[1].Move(fyne.NewPos(plotLeft-6-m(1).Width, h-m(1).Height))
	l.texts[2].Move(fyne.NewPos(plotLeft, h+2))
	l.texts[3].Move(fyne.NewPos(s.Width-m(3).Width, h+2))
	l.texts[4].Move(fyne.NewPos(plotLeft+(w-m(4).Width)/2, h+2))
	l.texts[4].Hidden = m(4).Width+2*max(m(2).Width, m(3).Width)+16 > w // there is no room
	for _, t := range l.texts {
		t.Resize(t.MinSize())
	}
}

func (l *plotLook) Refresh() {
	x, y, ok := l.p.span()
	words := [5]string{"", "", "", "", l.p.title}
	if ok {
		unit := l.p.curves[0].Unit
		if unit != "" {
			unit = " " + unit
		}
		words = [5]string{number(y[1]), number(y[0]), number(x[0]), number(x[1]) + unit, l.p.title}
	}
	for i, t := range l.texts {
		t.Text, t.TextSize, t.Color = words[i], theme.Size(sizeCaption), shade(theme.ColorNamePlaceHolder)
	}
	l.Layout(l.p.Size())
	l.raster.Refresh()
	canvas.Refresh(l.p)
}

func (l *plotLook) MinSize() fyne.Size { return fyne.NewSize(160, 80) }
func (l *plotLook) Destroy()           {}
func (l *plotLook) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{l.raster}
	for _, t := range l.texts {
		o = append(o, t)
	}
	return o
}

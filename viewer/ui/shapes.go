package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// shapesLayer draws the shapes of the plane on view over the picture. It takes no events: the picture below does.
type shapesLayer struct {
	widget.BaseWidget
	pane *pane
}

func newShapesLayer(p *pane) *shapesLayer {
	l := &shapesLayer{pane: p}
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer makes objects as they are needed, and keeps them.
func (l *shapesLayer) CreateRenderer() fyne.WidgetRenderer { return &shapesLook{l: l} }

type shapesLook struct {
	l      *shapesLayer
	lines  pooled[*canvas.Line]
	plates pooled[*canvas.Rectangle]
	dots   pooled[*canvas.Rectangle]
	labels pooled[*canvas.Text]
	all    []fyne.CanvasObject
}

// press draws, or takes hold of a shape.
func (p *pane) press(at fyne.Position) {
	if p.session == nil {
		return
	}
	if s := p.session.State(); s.Pencil.Tool == viewer.NoShape && len(s.Shapes) == 0 {
		return
	}
	p.session.Drag(viewer.On(p.index, viewer.Press(p.pixel(at))))
	p.acted()
}

// draw moves what press began, and reports whether there is anything.
func (p *pane) draw(to fyne.Position) bool {
	if !p.session.State().Pencil.Busy() {
		return false
	}
	p.session.Drag(viewer.On(p.index, viewer.MovePointer(p.pixel(to))))
	p.acted()
	return true
}

// release ends it.
func (p *pane) release() {
	if p.session != nil && p.session.State().Pencil.Busy() {
		p.session.Drag(viewer.On(p.index, viewer.Release()))
		p.session.Settle()
		p.acted()
	}
}

// pooled are objects that are used again from one drawing to the next.
type pooled[O fyne.CanvasObject] struct {
	made []O
	used int
}

func (p *pooled[O]) next(make func() O) O {
	if p.used == len(p.made) {
		p.made = append(p.made, make())
	}
	p.used++
	return p.made[p.used-1]
}

// Colours of shapes: seen on any picture, with a dark edge.
var (
	shapeColor  = color.NRGBA{0xff, 0xd8, 0x4d, 0xff}
	chosenColor = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	shapeEdge   = color.NRGBA{0, 0, 0, 0x90}
)

func (r *shapesLook) Refresh() {
	r.lines.used, r.plates.used, r.dots.used, r.labels.used, r.all = 0, 0, 0, 0, r.all[:0]
	if session := r.l.pane.session; session != nil && r.l.pane.index < session.State().Panes() {
		sc, s := session.Scene(), r.l.pane.state()
		g := sc.Geometry(s)
		for i, h := range s.Shapes {
			if h.OnView(s) {
				r.shape(g, h, i == s.Chosen)
				r.label(g, h, sc.Label(h, i), i == s.Chosen)
			}
		}
		if m := s.Pencil.Making; m.Kind != viewer.NoShape && len(m.Points) > 0 {
			open := m
			if m.Kind == viewer.Polygon {
				open.Kind = viewer.Angle // not closed yet
			}
			r.shape(g, open, true)
			if len(m.Points) > 1 {
				r.label(g, m, sc.Measures(m), true)
			}
		}
	}
	canvas.Refresh(r.l)
}

// shape draws the outline, a dark one under a bright one, and the points of the chosen shape.
func (r *shapesLook) shape(g viewer.Geometry, h viewer.Shape, chosen bool) {
	c := shapeColor
	if chosen {
		c = chosenColor
	}
	for _, stroke := range [...]struct {
		c    color.Color
		wide float32
	}{{shapeEdge, 3.5}, {c, 1.5}} {
		line := func(from, to fyne.Position) {
			l := r.lines.next(func() *canvas.Line { return canvas.NewLine(nil) })
			l.StrokeColor, l.StrokeWidth = stroke.c, stroke.wide
			l.Position1, l.Position2 = from, to
			r.all = append(r.all, l)
		}
		o := h.Outline()
		for i := range len(o) - 1 {
			line(r.at(g, o[i]), r.at(g, o[i+1]))
		}
		if h.Kind != viewer.Point {
			continue
		}
		for _, p := range h.Points {
			at := r.at(g, p)
			line(at.SubtractXY(7, 0), at.AddXY(7, 0))
			line(at.SubtractXY(0, 7), at.AddXY(0, 7))
		}
	}
	if !chosen || h.Kind == viewer.Point {
		return
	}
	for _, p := range h.Points {
		d := r.dots.next(func() *canvas.Rectangle { return canvas.NewRectangle(nil) })
		d.FillColor, d.StrokeColor, d.StrokeWidth = c, shapeEdge, 1
		d.Move(r.at(g, p).SubtractXY(3, 3))
		d.Resize(fyne.NewSize(6, 6))
		r.all = append(r.all, d)
	}
}

func (r *shapesLook) at(g viewer.Geometry, p [2]float64) fyne.Position {
	x, y := g.Pixel(p[0], p[1])
	k := r.l.pane.scale()
	return fyne.NewPos(float32(x/k), float32(y/k))
}

// label writes on a dark plate beside the last point.
func (r *shapesLook) label(g viewer.Geometry, h viewer.Shape, text string, chosen bool) {
	t := r.labels.next(func() *canvas.Text { return canvas.NewText("", nil) })
	t.Text, t.Color, t.TextSize = text, shapeColor, theme.Size(sizeCaption)
	if chosen {
		t.Color = chosenColor
	}
	t.Move(r.at(g, h.Points[len(h.Points)-1]).AddXY(12, 6))
	t.Resize(t.MinSize())
	plate := r.plates.next(func() *canvas.Rectangle { return canvas.NewRectangle(shapeEdge) })
	plate.CornerRadius = 3
	plate.Move(t.Position().SubtractXY(4, 1))
	plate.Resize(t.MinSize().AddWidthHeight(8, 2))
	r.all = append(r.all, plate, t)
}

func (r *shapesLook) Layout(fyne.Size)             {}
func (r *shapesLook) MinSize() fyne.Size           { return fyne.Size{} }
func (r *shapesLook) Destroy()                     {}
func (r *shapesLook) Objects() []fyne.CanvasObject { return r.all }

package ui

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// A grip is what of the crosshair the pointer holds.
type grip uint8

const (
	none    grip = iota
	upright      // the line that moves across
	level        // the line that moves down
	both
	curtain
	overviewed // the small picture of the whole plane
)

// reachOfGrip is how near a line the pointer takes hold of it.
const reachOfGrip = 5

// state is the State as this picture has it.
func (p *pane) state() viewer.State { return p.session.State().Pane(p.index) }

// do changes what is on view as this picture means it.
func (p *pane) do(a viewer.Action) { p.session.Act(viewer.On(p.index, a)) }

// crosshair is where the crosshair stands in this picture, in units; ok is false if it has none.
func (p *pane) crosshair() (at fyne.Position, ok bool) {
	if p.session == nil || p.size.X == 0 || p.index >= p.session.State().Panes() {
		return at, false
	}
	x, y, ok := p.session.Scene().Crosshair(p.session.State(), p.index)
	k := p.scale()
	return fyne.NewPos(float32(x/k), float32(y/k)), ok
}

// gripAt is what of the crosshair lies at a position.
func (p *pane) gripAt(at fyne.Position) grip {
	if p.overview.has(at) {
		return overviewed
	}
	if p.parted() {
		if d := at.X - p.curtainAt(); d > -reachOfGrip && d < reachOfGrip {
			return curtain
		}
	}
	cross, ok := p.crosshair()
	if !ok {
		return none
	}
	g := none
	if d := at.X - cross.X; d > -reachOfGrip && d < reachOfGrip {
		g |= upright
	}
	if d := at.Y - cross.Y; d > -reachOfGrip && d < reachOfGrip {
		g |= level
	}
	return g
}

// point moves what is held of the crosshair to a position.
func (p *pane) point(to fyne.Position) {
	if p.session == nil {
		return
	}
	x, y := p.pixel(to)
	g := p.session.Scene().Geometry(p.state())
	a, d := g.Position(x, y)
	switch p.grip {
	case upright:
		p.do(viewer.MoveTo(g.Across, int(math.Floor(a+0.5))))
	case level:
		p.do(viewer.MoveTo(g.Down, int(math.Floor(d+0.5))))
	case overviewed:
		p.do(viewer.CenterOn(p.overview.position(to)))
	case curtain:
		p.do(viewer.MoveCurtain(float64(to.X / max(1, p.Size().Width))))
	default:
		p.do(viewer.PointAt(x, y))
	}
	p.acted()
}

// apart is how much is left free around the voxel that the crosshair points at.
const apart = 8

// A cross is the crosshair on a picture: four arms.
type cross struct {
	p    *pane
	arms [4]*canvas.Rectangle
}

func newCross(p *pane) *cross {
	c := &cross{p: p}
	for i := range c.arms {
		c.arms[i] = canvas.NewRectangle(nil)
	}
	return c
}

func (c *cross) objects() (all []fyne.CanvasObject) {
	for _, arm := range c.arms {
		all = append(all, arm)
	}
	return all
}

// layout puts the arms around the voxel.
func (c *cross) layout(size fyne.Size) {
	at, ok := c.p.crosshair()
	if !ok {
		return
	}
	x, y := float32(math.Floor(float64(at.X))), float32(math.Floor(float64(at.Y)))
	arms := [4][2]fyne.Position{
		{fyne.NewPos(x, 0), fyne.NewPos(x+1, y-apart)}, {fyne.NewPos(x, y+apart+1), fyne.NewPos(x+1, size.Height)},
		{fyne.NewPos(0, y), fyne.NewPos(x-apart, y+1)}, {fyne.NewPos(x+apart+1, y), fyne.NewPos(size.Width, y+1)},
	}
	for i, a := range arms {
		from := fyne.NewPos(max(0, a[0].X), max(0, a[0].Y))
		to := fyne.NewPos(min(size.Width, a[1].X), min(size.Height, a[1].Y))
		c.arms[i].Move(from)
		c.arms[i].Resize(fyne.NewSize(max(0, to.X-from.X), max(0, to.Y-from.Y)))
	}
}

// refresh shows the crosshair where there is one.
func (c *cross) refresh() {
	_, ok := c.p.crosshair()
	red, green, blue, _ := shade(theme.ColorNamePrimary).RGBA()
	for _, arm := range c.arms {
		arm.Hidden, arm.FillColor = !ok, color.NRGBA{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8), 0x90}
	}
}

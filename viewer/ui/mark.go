package ui

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// A mark is a small open cross on a picture: the place that the pointer is on in a picture beside it. It is light with a
// dark edge, so that it is seen on any picture.
type mark struct {
	p    *pane
	at   fyne.Position
	on   bool
	arms [8]*canvas.Rectangle // four dark ones, and on them four light ones
}

// The arms of a mark, in units.
const (
	markFrom = 3
	markTo   = 11
)

func newMark(p *pane) *mark {
	m := &mark{p: p}
	for i := range m.arms {
		m.arms[i] = canvas.NewRectangle(color.NRGBA{A: 0xa0})
		if i >= 4 {
			m.arms[i].FillColor = color.White
		}
		m.arms[i].Hidden = true
	}
	p.mark = m
	return m
}

// put has the mark stand at a place, in units, or nowhere.
func (m *mark) put(x, y float64, on bool) {
	if m == nil {
		return
	}
	size := m.p.Size()
	at := fyne.NewPos(float32(math.Floor(x)), float32(math.Floor(y)))
	on = on && m.p.Visible() && at.X >= 0 && at.Y >= 0 && at.X < size.Width && at.Y < size.Height
	if on == m.on && (!on || at == m.at) {
		return
	}
	was := m.on
	m.at, m.on = at, on
	m.refresh()
	m.layout(size) // moving the arms draws them
	if was != on {
		canvas.Refresh(m.p)
	}
}

// layout puts the arms around the place.
func (m *mark) layout(size fyne.Size) {
	if !m.on {
		return
	}
	const long = markTo - markFrom
	for i, a := range m.arms {
		edge := float32(1)
		if i >= 4 {
			edge = 0
		}
		from, to := m.at, fyne.NewSize(1, long)
		switch i % 4 {
		case 0:
			from.Y -= markTo - 1
		case 1:
			from.Y += markFrom
		case 2:
			from.X -= markTo - 1
			to = fyne.NewSize(long, 1)
		case 3:
			from.X += markFrom
			to = fyne.NewSize(long, 1)
		}
		lo := fyne.NewPos(max(0, from.X-edge), max(0, from.Y-edge))
		hi := fyne.NewPos(min(size.Width, from.X+to.Width+edge), min(size.Height, from.Y+to.Height+edge))
		a.Move(lo)
		a.Resize(fyne.NewSize(max(0, hi.X-lo.X), max(0, hi.Y-lo.Y)))
	}
}

// refresh shows the mark where it stands.
func (m *mark) refresh() {
	for _, a := range m.arms {
		a.Hidden = !m.on
	}
}

func (m *mark) objects() (all []fyne.CanvasObject) {
	for _, a := range m.arms {
		all = append(all, a)
	}
	return all
}

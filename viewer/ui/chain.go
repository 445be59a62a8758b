package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// chainPanel is the list of filters, in the order in which they act.
type chainPanel struct {
	box    *fyne.Container
	tips   *tips
	act    func(viewer.Action)
	canvas func() fyne.Canvas
	list   *fyne.Container
	rows   []*stepRow
	none   paragraph
	scene  *viewer.Scene
}

func newChainPanel(of *tips, act func(viewer.Action), c func() fyne.Canvas) *chainPanel {
	p := &chainPanel{tips: of, act: act, canvas: c, list: stacked(8)}
	p.none = newParagraph(Say("chain.none"), theme.ColorNamePlaceHolder, sizeCaption)
	add := newButton(of, Say("chain.add"), theme.ContentAddIcon(), Say("chain.add.tip"), nil)
	add.OnTapped = func() {
		widget.ShowPopUpMenuAtRelativePosition(p.Menu(), p.canvas(), fyne.NewPos(0, add.Size().Height), add)
	}
	p.box = stacked(8, heading(Say("chain.title")), p.none.Container, p.list, container.NewStack(add))
	return p
}

// Menu lists the catalogue; an entry adds its filter to the chain.
func (p *chainPanel) Menu() *fyne.Menu {
	m := fyne.NewMenu("")
	for _, f := range viewer.Catalogue() {
		m.Items = append(m.Items, fyne.NewMenuItem(filterTitle(f), func() { p.act(viewer.AddFilter(f.Name)) }))
	}
	return m
}

func (p *chainPanel) update(sc *viewer.Scene, s viewer.State) {
	was := make([]string, len(p.rows))
	for i, r := range p.rows {
		was[i] = r.filter.Name
	}
	now := make([]string, len(s.Chain))
	for i, step := range s.Chain {
		now[i] = step.Filter
	}
	if p.scene == nil || !slices.Equal(was, now) {
		p.rebuild(s)
	}
	p.scene = sc
	for i, r := range p.rows {
		if i < len(sc.Rows) {
			r.update(s.Chain[i], sc.Rows[i], i == 0, i == len(p.rows)-1)
		}
	}
}

func (p *chainPanel) rebuild(s viewer.State) {
	p.rows, p.list.Objects = nil, nil
	for i, step := range s.Chain {
		f, ok := viewer.LookupFilter(step.Filter)
		if !ok {
			f = viewer.Filter{Name: step.Filter, Title: step.Filter}
		}
		r := newStepRow(p.tips, f, stepActs{
			turn:   func(on bool) { p.act(viewer.SwitchFilter(i, on)) },
			move:   func(by int) { p.act(viewer.MoveFilter(i, i+by)) },
			remove: func() { p.act(viewer.RemoveFilter(i)) },
			set:    func(name, value string) { p.act(viewer.SetParam(i, name, value)) },
			grown:  p.box.Refresh,
		})
		p.rows = append(p.rows, r)
		p.list.Add(r.box)
		if i < len(s.Chain)-1 {
			p.list.Add(rule())
		}
	}
	p.none.Hidden = len(s.Chain) > 0
	p.list.Hidden = len(s.Chain) == 0
	p.box.Refresh()
}

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
	box  *fyne.Container
	tips *tips
	chainActs
	list  *fyne.Container
	rows  []*stepRow
	place *dropLine
	none  paragraph
	apply *check
	aside *asideRow
	scene *viewer.Scene
	state viewer.State
}

// chainActs is what the panel asks for.
type chainActs struct {
	act, drag          func(viewer.Action)
	settle, undo, redo func()
	leave              func() // back to the picture
	help               func() // on how stencils are written
	canvas             func() fyne.Canvas
	choose             func(take func(path string)) // a file
	search             func()                       // opens the catalogue to search in
	kept               func() *fyne.Menu            // what can be done with whole chains
	compare            func(viewer.Comparison)
	measure            func() // how far a trial is from the whole
}

func newChainPanel(of *tips, do chainActs) *chainPanel {
	p := &chainPanel{tips: of, chainActs: do, list: stacked(8)}
	p.none = newParagraph(Say("chain.none"), theme.ColorNamePlaceHolder, sizeCaption)
	add := newButton(of, Say("chain.add"), theme.ContentAddIcon(), Say("chain.add.tip"), p.search)
	whole := newIcon(of, theme.MoreVerticalIcon(), Say("chain.whole.tip"), nil)
	whole.OnTapped = func() {
		widget.ShowPopUpMenuAtRelativePosition(p.kept(), p.canvas(), fyne.NewPos(0, whole.Size().Height), whole)
	}
	p.place = newDropLine()
	p.aside = newAsideRow(of, do)
	p.apply = newCheck(of, Say("chain.apply"), Say("chain.apply.tip"), func(on bool) {
		show := viewer.Original
		if on {
			show = viewer.Result
		}
		p.act(viewer.SetComparison(show))
	})
	p.apply.Hide()
	p.box = stacked(8, headed(Say("chain.title"), whole), p.none.Container, p.apply,
		container.NewStack(p.list, p.place.layer), p.aside.box, container.NewStack(add))
	return p
}

// Menu lists the catalogue: what is written, then what is chosen by its purpose. An entry adds its filter to the
// chain.
func (p *chainPanel) Menu() *fyne.Menu {
	m := fyne.NewMenu("")
	add := func(title string, f viewer.Filter) *fyne.MenuItem {
		return fyne.NewMenuItem(title, func() { p.act(viewer.AddFilter(f.Name)) })
	}
	for _, f := range viewer.Catalogue() {
		if viewer.IsWritten(f) {
			m.Items = append(m.Items, add(filterTitle(f)+"…", f), fyne.NewMenuItemSeparator())
		}
	}
	for _, g := range viewer.Groups() {
		group := fyne.NewMenuItem(Say("group."+g.Name), nil)
		group.ChildMenu = fyne.NewMenu("")
		for _, f := range g.Filters {
			group.ChildMenu.Items = append(group.ChildMenu.Items, add(filterTitle(f), f))
		}
		m.Items = append(m.Items, group)
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
	p.scene, p.state = sc, s
	p.apply.set(s.Compare != viewer.Original)
	hidden, grown := p.apply.Hidden, p.aside.update(s)
	p.apply.Hidden = len(s.Chain) == 0 || len(s.Aside) > 0
	if grown || hidden != p.apply.Hidden {
		p.box.Refresh()
	}
	for i, r := range p.rows {
		if i < len(sc.Rows) {
			var d viewer.Draft
			var wrong *viewer.Mistake
			if s.Draft.Step == i {
				d, wrong = s.Draft, sc.Mistake(s)
			}
			r.update(s.Chain[i], sc.Rows[i], d, wrong, s.Channels)
		}
	}
}

// watch shows how the trial of a step stands, if one is watched.
func (p *chainPanel) watch(s viewer.State, w viewer.Watched, ok bool) {
	for i, r := range p.rows {
		if r.trial != nil {
			r.trial.update(w, ok, s.Trial.Open && s.Trial.Step == i, s.Chain[i].Off)
		}
	}
}

// written is the row whose editor is open, nil if none is.
func (p *chainPanel) written(d viewer.Draft) *stepRow {
	if !d.Open || d.Step >= len(p.rows) || p.rows[d.Step].stencil == nil {
		return nil
	}
	return p.rows[d.Step]
}

// cost shows what the plane on view took, in the editors.
func (p *chainPanel) cost(r viewer.Report) {
	for _, row := range p.rows {
		if row.stencil != nil {
			row.stencil.facts.cost(r)
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
			move:   func(by int) { p.move(i, i+by) },
			drag:   func(y float32) { p.mark(i, y) },
			drop:   func() { p.drop(i) },
			remove: func() { p.act(viewer.RemoveFilter(i)) },
			set:    func(name, value string) { p.act(viewer.SetParam(i, name, value)) },
			choose: p.choose,
			which:  func(of fyne.CanvasObject) { p.askChannels(i, of) },
			grown:  p.box.Refresh,

			stencil: p.stencilActs(i),
			trial:   trialActs{act: p.act, compare: p.measure, grown: p.box.Refresh, step: i},
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

// stencilActs is what the editor of a step asks for.
func (p *chainPanel) stencilActs(i int) stencilActs {
	return stencilActs{
		codeActs: codeActs{
			wrote:  func(text string) { p.drag(viewer.WriteStencil(text)) },
			settle: p.settle, leave: p.leave, undo: p.undo, redo: p.redo,
		},
		valueActs: valueActs{
			set:    func(name, value string) { p.act(viewer.SetParam(i, name, value)) },
			drag:   func(name, value string) { p.drag(viewer.SetParam(i, name, value)) },
			settle: p.settle,
		},
		preset: func(s viewer.Preset) { p.act(viewer.WriteStencil(s.Text)) },
		open:   func() { p.act(viewer.EditStencil(i)) },
		close:  func() { p.act(viewer.CloseStencil()) },
		help:   p.help, grown: p.box.Refresh, canvas: p.canvas,
	}
}

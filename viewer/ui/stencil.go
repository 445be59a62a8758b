package ui

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A stencilBox is the part of a filter's row for a formula of the user's own. Folded it is one line of the
// formula; unfolded it is the editor, with what is wrong and what is known of the formula below. The numbers
// that the formula declares have sliders in both.
type stencilBox struct {
	box    *fyne.Container
	tips   *tips
	do     stencilActs
	folded *fyne.Container
	line   *formulaLine
	later  *caption // that there is an unfinished text
	editor *fyne.Container
	code   *code
	wrong  *mistakeBox
	facts  *facts
	values *fyne.Container
	rows   []*valueRow
}

// stencilActs is what the editor asks for.
type stencilActs struct {
	codeActs
	valueActs
	preset func(viewer.Preset)
	open   func()
	close  func()
	help   func()
	grown  func() // the box has become taller or less so
	canvas func() fyne.Canvas
}

// leastRows and mostRows are how many lines of a formula are on view at once: as many as it has, within these.
const leastRows, mostRows = 7, 14

func newStencilBox(of *tips, do stencilActs) *stencilBox {
	b := &stencilBox{tips: of, do: do, values: stacked(2), wrong: newMistakeBox(), facts: newFacts(of)}
	b.line = newFormulaLine(of, Say("stencil.edit.tip"), do.open)
	b.later = small(Say("stencil.later"))
	edit := newIcon(of, theme.DocumentCreateIcon(), Say("stencil.edit.tip"), do.open)
	b.folded = stacked(2, around(nil, nil, nil, edit, b.line), b.later)
	b.code = newCode(of, Say("stencil.code.tip"), leastRows, do.codeActs)
	presets := newButton(of, Say("stencil.presets"), theme.MenuDropDownIcon(), Say("stencil.presets.tip"), nil)
	presets.IconPlacement = widget.ButtonIconTrailingText
	presets.OnTapped = func() {
		widget.ShowPopUpMenuAtRelativePosition(b.menu(), do.canvas(), fyne.NewPos(0, presets.Size().Height), presets)
	}
	help := newButton(of, Say("stencil.help"), nil, Say("stencil.help.tip"), do.help)
	done := newButton(of, Say("stencil.done"), nil, Say("stencil.done.tip"), do.close)
	bar := around(nil, nil, presets, around(nil, nil, help, done, gap(8)), gap(8))
	b.editor = stacked(8, bar, b.code, b.wrong.box)
	b.box = container.New(b, stacked(8, b.folded, b.editor, b.values, b.facts.box))
	b.editor.Hide()
	b.facts.box.Hide()
	b.values.Hide()
	return b
}

// indent is how far what belongs to a row stands from its left edge. The editor takes the whole width.
func (b *stencilBox) indent() float32 {
	if b.editor.Visible() {
		return 0
	}
	return rowIndent
}

// MinSize is that of what is on view.
func (b *stencilBox) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(b.indent(), 0)
}

// Layout gives it all the room right of the indent.
func (b *stencilBox) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(b.indent(), 0))
	o[0].Resize(size.SubtractWidthHeight(b.indent(), 0))
}

// menu lists stencils to begin with: those of a plane, then those of the volume.
func (b *stencilBox) menu() *fyne.Menu {
	m := fyne.NewMenu("")
	volume := false
	for _, p := range viewer.Presets() {
		if p.Volume && !volume {
			m.Items = append(m.Items, fyne.NewMenuItemSeparator())
			volume = true
		}
		m.Items = append(m.Items, fyne.NewMenuItem(Say("preset."+p.Name), func() { b.do.preset(p) }))
	}
	return m
}

// update shows a step, what the scene says about it, and, in the editor, the text as far as it is written.
func (b *stencilBox) update(s viewer.FilterStep, say viewer.Row, d viewer.Draft, wrong *viewer.Mistake) {
	grown := b.editor.Visible() != d.Open
	b.folded.Hidden, b.editor.Hidden, b.facts.box.Hidden = d.Open, !d.Open, !d.Open
	b.line.set(inOneLine(s.Arg("text")))
	if later := d.Unfinished() && !d.Open; later != b.later.Visible() {
		b.later.Hidden, grown = !later, true
	}
	if d.Open {
		b.code.set(d.Text)
		grown = b.code.rows(min(mostRows, max(leastRows, strings.Count(d.Text, "\n")+1))) || grown
		grown = b.wrong.set(d.Text, wrong) || grown
		b.facts.update(say.Formula, d.Unfinished())
	}
	grown = b.show(s) || grown
	if grown {
		b.do.grown()
	}
}

// show has a row for each number that the text declares, and reports whether they are others than before.
func (b *stencilBox) show(s viewer.FilterStep) bool {
	var declared []viewer.Param
	for _, p := range s.Params() {
		if _, own := ownParam(s.Filter, p.Name); !own && !viewer.IsSpecial(p) {
			declared = append(declared, p)
		}
	}
	same := slices.EqualFunc(b.rows, declared, func(r *valueRow, p viewer.Param) bool {
		return r.param.Name == p.Name && r.param.Default == p.Default && r.param.Min == p.Min && r.param.Max == p.Max
	})
	if !same {
		b.rows, b.values.Objects = nil, nil
		for _, p := range declared {
			r := newValueRow(b.tips, p, b.do.valueActs)
			b.rows = append(b.rows, r)
			b.values.Add(r.box)
		}
		b.values.Hidden = len(declared) == 0
	}
	for _, r := range b.rows {
		r.set(s.Arg(r.param.Name))
	}
	return !same
}

// ownParam finds a parameter that every step of a filter has.
func ownParam(filter, name string) (viewer.Param, bool) {
	f, _ := viewer.LookupFilter(filter)
	return f.Param(name)
}

// inOneLine is a text without its comments and line breaks.
func inOneLine(text string) string {
	var parts []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "@") {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}

// A formulaLine is one line of a formula, which opens the editor when it is clicked.
type formulaLine struct {
	told
	open func()
}

func newFormulaLine(of *tips, hint string, open func()) *formulaLine {
	l := &formulaLine{open: open}
	l.tip = saying(of, hint)
	l.name, l.size, l.mono = theme.ColorNameForeground, sizeCaption, true
	l.ExtendBaseWidget(l)
	return l
}

func (l *formulaLine) set(words string) {
	if l.words != words {
		l.words = words
		l.Refresh()
	}
}

// Tapped opens the editor.
func (l *formulaLine) Tapped(*fyne.PointEvent) {
	l.tip.MouseOut()
	l.open()
}

// gap is an empty place.
func gap(width float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(width, 1))
	return r
}

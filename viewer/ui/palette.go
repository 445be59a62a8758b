package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// palette is a line to write in and what answers it: every command by its name, with its keys. Enter does the one
// that is lit.
type palette struct {
	*popUp
	v     *View
	line  *paletteEntry
	all   []command // when it was opened
	found []command
	rows  [10]*commandRow
	none  *caption
	about paragraph // of the one that is lit, where commands say more of themselves
	jumps bool      // a number is the plane to go to
	list  *fyne.Container
	at    int // the one that is lit
	from  int // the first that is in view
}

// Palette opens the palette of commands.
func (v *View) Palette() { v.choose(v.commands(), Say("palette.hint"), true) }

// choose opens a palette of some commands.
func (v *View) choose(all []command, hint string, jumps bool) {
	if len(v.dialogs) > 0 {
		return
	}
	p := &palette{v: v, all: all, jumps: jumps, list: stacked(0)}
	p.line = newPaletteEntry(p, hint)
	for i := range p.rows {
		p.rows[i] = newCommandRow(func() { p.choose(p.from + i) })
		p.list.Add(p.rows[i])
	}
	p.none = newCaption(Say("palette.none"), theme.ColorNamePlaceHolder, theme.SizeNameText)
	p.none.align = fyne.TextAlignCenter
	tall := float32(len(p.rows)) * commandTall
	p.about = newParagraph("", theme.ColorNamePlaceHolder, sizeCaption)
	about := padded(8, 0, fixedTall(aboutTall, p.about.Container))
	about.Hidden = !slices.ContainsFunc(all, func(c command) bool { return c.about != "" })
	p.popUp = newPopUp(v.window.Canvas(), paletteWide, padded(8, 8, stacked(8, p.line, container.NewStack(fixedTall(tall, p.list), p.none), about)))
	p.search("")
	v.Ask(p)
	v.window.Canvas().Focus(p.line)
}

const (
	paletteWide = 560
	aboutTall   = 64 // four lines, as long as the longest is
)

// search shows what answers a text.
func (p *palette) search(text string) {
	p.found = found(p.all, text)
	if p.jumps {
		p.found = append(p.v.goes(text), p.found...)
	}
	p.at, p.from = 0, 0
	p.show()
}

// goes is the plane that a text names: "34", "z 34", "t 3".
func (v *View) goes(text string) []command {
	if v.session == nil {
		return nil
	}
	_, _, axis := v.session.State().Cut.Axes()
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 2 {
		named := false
		for a := range lazy.Rank {
			if words[0] == lazy.Axis(a).String() {
				axis, named = lazy.Axis(a), true
			}
		}
		if !named {
			return nil
		}
		words = words[1:]
	}
	if len(words) != 1 {
		return nil
	}
	n, err := strconv.Atoi(words[0])
	if most := v.session.Scene().Meta().Shape[axis]; err != nil || n < 1 || n > most {
		return nil
	}
	title := Say("palette.go", "Axis", strings.ToUpper(axis.String()), "N", group(n))
	return []command{{title: title, do: func() { v.act(viewer.MoveTo(axis, n-1)) }}}
}

// move lights another answer.
func (p *palette) move(by int) {
	p.at = max(0, min(len(p.found)-1, p.at+by))
	p.from = max(min(p.from, p.at), p.at-len(p.rows)+1)
	p.show()
}

func (p *palette) show() {
	for i, r := range p.rows {
		n := p.from + i
		r.Hidden = n >= len(p.found)
		if !r.Hidden {
			r.set(p.found[n], n == p.at)
		}
	}
	p.none.Hidden = len(p.found) > 0
	about := ""
	if p.at < len(p.found) {
		about = p.found[p.at].about
	}
	p.about.set(about)
	p.list.Refresh()
}

// choose closes the palette and does an answer.
func (p *palette) choose(n int) {
	if n >= len(p.found) {
		return
	}
	do := p.found[n].do
	p.Hide()
	p.v.pane.takeFocus()
	do()
}

// paletteEntry is the line of a palette.
type paletteEntry struct {
	dialogEntry
	of *palette
}

func newPaletteEntry(p *palette, hint string) *paletteEntry {
	e := &paletteEntry{of: p}
	e.escape = p.v.escape
	e.Wrapping, e.Scroll = fyne.TextWrapOff, fyne.ScrollHorizontalOnly
	e.PlaceHolder = hint
	e.OnChanged = p.search
	e.OnSubmitted = func(string) { p.choose(p.at) }
	e.ExtendBaseWidget(e)
	return e
}

func (e *paletteEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyDown:
		e.of.move(1)
	case fyne.KeyUp:
		e.of.move(-1)
	case fyne.KeyPageDown:
		e.of.move(len(e.of.rows))
	case fyne.KeyPageUp:
		e.of.move(-len(e.of.rows))
	default:
		e.dialogEntry.TypedKey(k)
	}
}

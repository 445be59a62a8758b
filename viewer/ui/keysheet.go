package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// gestures are what the mouse does, each with the key of its text.
var gestures = [...][2]string{
	{"sheet.wheel", "sheet.wheel.does"}, {"Shift + " + "sheet.wheel", "sheet.wheel10.does"}, {"Ctrl + " + "sheet.wheel", "sheet.zoom.does"},
	{"Alt + " + "sheet.wheel", "sheet.time.does"}, {"sheet.drag", "sheet.pan.does"}, {"Shift + " + "sheet.click", "sheet.cross.does"}, {"Esc", "sheet.stop.does"},
}

// keySheet lists what keys and mouse do, and takes other keys.
type keySheet struct {
	v      *View
	box    *fyne.Container
	search *dialogEntry
	preset *choice
	list   *fyne.Container
	rows   []*keyRow
	hint   paragraph
}

// Keys shows the sheet of keys.
func (v *View) Keys() {
	if len(v.dialogs) > 0 {
		return
	}
	s := &keySheet{v: v, list: stacked(0)}
	v.keySheet = s
	s.search = v.newDialogEntry("")
	s.search.SetPlaceHolder(Say("keys.search"))
	s.search.OnChanged = func(string) { s.fill() }
	var names []string
	for _, p := range KeyPresets {
		names = append(names, Say("keys.preset."+p))
	}
	s.preset = newChoice(v.tips, names, Say("keys.preset.tip"), nil)
	s.preset.set(names[max(0, slices.Index(KeyPresets[:], v.keymap.Preset))])
	s.preset.OnChanged = func(string) {
		s.take(Keymap{Preset: KeyPresets[max(0, s.preset.SelectedIndex())], Own: s.v.keymap.Own})
	}
	restore := v.newDialogButton(Say("keys.restore"), func() { s.take(Keymap{Preset: v.keymap.Preset}) })
	scroll := container.NewVScroll(padded(0, 0, s.list))
	scroll.SetMinSize(fyne.NewSize(560, min(380, v.window.Canvas().Size().Height-220)))
	s.hint = newParagraph(Say("keys.hint"), theme.ColorNamePlaceHolder, sizeCaption)
	s.box = stacked(8, container.NewBorder(nil, nil, nil, container.NewHBox(fixed(140, s.preset), restore), s.search), s.hint.Container, scroll)
	s.fill()
	v.Ask(v.newSheet(Say("sheet.title"), s.box))
	v.window.Canvas().Focus(s.search)
}

// take has the window use other keys, and the program remember them.
func (s *keySheet) take(k Keymap) {
	s.v.SetKeys(k)
	if s.v.asks.SetKeys != nil {
		s.v.asks.SetKeys(k)
	}
	s.fill()
}

// fill lists what answers the search: the mouse, then the commands that have a name, menu by menu.
func (s *keySheet) fill() {
	s.list.Objects, s.rows = nil, nil
	group := ""
	under := func(title string) {
		if title != group {
			group = title
			s.list.Add(padded(0, 4, heading(title)))
		}
	}
	query := s.search.Text
	for i, g := range gestures {
		if s.v.keymap.zooms() && i < 3 { // the wheel and Control with it change places
			g[1] = [...]string{"sheet.zoom.does", "sheet.wheel10.does", "sheet.wheel.does"}[i]
		}
		if match(query, Say(g[1])+" "+keyWords(g[0])) > 0 {
			under(Say("keys.mouse"))
			s.list.Add(newKeyRow(command{title: Say(g[1])}, keyWords(g[0]), nil, nil))
		}
	}
	for _, c := range slices.Concat(s.v.pictureCommands(), s.v.menuCommands()) { // the picture's are asked for most
		if c.name == "" || match(query, c.path+" "+c.title+" "+shownKeys(c.keys, len(c.keys))) == 0 && mentions(query, c.title+" "+c.terms) == 0 {
			continue
		}
		under(c.path)
		r := newKeyRow(c, shownKeys(c.keys, len(c.keys)), s, s.v.escape)
		s.rows = append(s.rows, r)
		s.list.Add(r)
	}
	s.list.Refresh()
}

// keyWords puts the words of the language into the name of a key.
func keyWords(k string) string {
	for _, word := range []string{"sheet.wheel", "sheet.drag", "sheet.click"} {
		if n := len(k) - len(word); n >= 0 && k[n:] == word {
			return k[:n] + Say(word)
		}
	}
	return k
}

// A keyRow is a command with its keys. Chosen, it waits for a key and gives it to the command; Delete takes all.
type keyRow struct {
	widget.BaseWidget
	c       command
	keys    string
	sheet   *keySheet // nil for what cannot be changed
	escape  func()
	waiting bool
	focused bool
	over    bool
}

var (
	_ fyne.Tappable     = (*keyRow)(nil)
	_ fyne.Focusable    = (*keyRow)(nil)
	_ desktop.Keyable   = (*keyRow)(nil)
	_ desktop.Hoverable = (*keyRow)(nil)
)

func newKeyRow(c command, keys string, sheet *keySheet, escape func()) *keyRow {
	r := &keyRow{c: c, keys: keys, sheet: sheet, escape: escape}
	r.ExtendBaseWidget(r)
	return r
}

// Tapped begins to wait for a key.
func (r *keyRow) Tapped(*fyne.PointEvent) {
	if r.sheet != nil {
		r.sheet.v.window.Canvas().Focus(r)
		r.wait()
	}
}

// wait has the next key be taken over; shortcuts of the menus are off meanwhile.
func (r *keyRow) wait() {
	r.waiting = true
	r.sheet.v.mute()
	r.Refresh()
}

// take gives the command a key, beside those it has; "" takes all of them.
func (r *keyRow) take(key string) {
	r.waiting = false
	keys := ""
	if key != "" {
		keys = strings.Join(append(slices.Clone(r.c.keys), key), " ")
		if slices.Contains(r.c.keys, key) {
			keys = strings.Join(r.c.keys, " ")
		}
	}
	hint, had := Say("keys.hint"), r.sheet.v.bound[key]
	if i := slices.IndexFunc(r.sheet.v.commands(), func(c command) bool { return c.name == had }); key != "" && had != "" && had != r.c.name && i >= 0 {
		hint = Say("keys.taken", "Key", shownKey(key), "Name", r.c.title, "Other", r.sheet.v.commands()[i].title)
	}
	r.sheet.take(r.sheet.v.keymap.with(r.c.name, keys))
	r.sheet.hint.set(hint)
	r.sheet.v.window.Canvas().Focus(r.sheet.search)
}

// KeyDown takes a key over.
func (r *keyRow) KeyDown(e *fyne.KeyEvent) {
	if !r.waiting || len(e.Name) == 0 || modifierKey(e.Name) {
		return
	}
	mods := held()
	sign := len(e.Name) == 1 && (e.Name[0] < '0' || e.Name[0] > '9')
	switch {
	case e.Name == fyne.KeyEscape:
		r.end()
	case mods == 0 && (e.Name == fyne.KeyDelete || e.Name == fyne.KeyBackspace):
		r.take("")
	case sign && mods&^fyne.KeyModifierShift == 0: // comes as what it writes
	default:
		r.take(pressedKey(e.Name, mods))
	}
}

// end stops waiting.
func (r *keyRow) end() {
	if r.waiting {
		r.waiting = false
		r.sheet.v.menus()
		r.Refresh()
	}
}

// KeyUp is of no meaning.
func (r *keyRow) KeyUp(*fyne.KeyEvent) {}

// TypedRune takes a sign over.
func (r *keyRow) TypedRune(s rune) {
	if r.waiting && s != ' ' && (s < '0' || s > '9') {
		r.take(string(s))
	}
}

// TypedKey begins to wait by Enter or Space; Esc closes the sheet.
func (r *keyRow) TypedKey(e *fyne.KeyEvent) {
	switch {
	case r.waiting:
	case e.Name == fyne.KeyEscape && r.escape != nil:
		r.escape()
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		if r.sheet != nil {
			r.wait()
		}
	}
}

// AcceptsTab leaves Tab to the sheet.
func (r *keyRow) AcceptsTab() bool { return false }

// FocusGained shows the focus.
func (r *keyRow) FocusGained() { r.focused = true; r.Refresh() }

// FocusLost ends the waiting.
func (r *keyRow) FocusLost() {
	r.focused = false
	r.end()
	r.Refresh()
}

// MouseIn lights the row.
func (r *keyRow) MouseIn(*desktop.MouseEvent) { r.over = true; r.Refresh() }

// MouseMoved is of no meaning.
func (r *keyRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the light away.
func (r *keyRow) MouseOut() { r.over = false; r.Refresh() }

// CreateRenderer draws it as a row of the palette.
func (r *keyRow) CreateRenderer() fyne.WidgetRenderer {
	l := &keyRowLook{commandRow: newCommandRow(nil), r: r}
	l.commandLook = l.commandRow.CreateRenderer().(*commandLook)
	l.Refresh()
	return l
}

type keyRowLook struct {
	*commandLook
	commandRow *commandRow
	r          *keyRow
}

func (l *keyRowLook) Refresh() {
	l.title.set(l.r.c.title)
	l.keys.set(l.r.keys)
	if l.r.waiting {
		l.keys.set(Say("keys.waiting"))
	}
	l.commandRow.lit = l.r.sheet != nil && (l.r.focused || l.r.over)
	l.shadeGround()
	l.Layout(l.r.Size())
}

// modifierKey reports whether a key only changes what others do.
func modifierKey(k fyne.KeyName) bool {
	switch k {
	case desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeyControlLeft, desktop.KeyControlRight, desktop.KeyAltLeft, desktop.KeyAltRight,
		desktop.KeySuperLeft, desktop.KeySuperRight, desktop.KeyMenu, desktop.KeyCapsLock:
		return true
	}
	return false
}

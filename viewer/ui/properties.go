package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/lazy"
	"lamella/viewer"
)

// properties is the sheet of all that is known of the image on view. What may be wrong or missing in a file, the
// sizes of voxels and the names of channels, is edited at its top.
type properties struct {
	view    *View
	dialog  dialog.Dialog
	sizes   []*sizeField
	names   []*labelledName
	restore *dialogButton
	search  *dialogEntry
	count   *caption
	list    *saidList
	all     []lazy.Entry
	found   []lazy.Entry
	told    paragraph // the whole of the line that was clicked
}

// sizeField is the distance between voxels along an axis, and where it comes from.
type sizeField struct {
	axis  lazy.Axis
	field *field
	note  *caption
}

// labelledName is the name of a channel, in its colour.
type labelledName struct {
	field *field
	mark  *caption
}

// manyNames is how many names have a row of their own.
const manyNames = 4

// Properties shows the sheet.
func (v *View) Properties() {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	p := &properties{view: v}
	window := v.window.Canvas().Size()
	wide, tall := min(760, window.Width-96), max(280, min(640, window.Height-150))
	p.search = v.newDialogEntry("")
	p.search.PlaceHolder = Say("prop.search")
	p.search.OnChanged = func(string) { p.sift() }
	p.count = small("")
	p.count.align = fyne.TextAlignTrailing
	p.list = newSaidList(v.escape, func() []lazy.Entry { return p.found }, p.copyOne)
	p.told = newParagraph(Say("prop.copyhint"), theme.ColorNamePlaceHolder, sizeCaption)
	p.restore = v.newDialogButton(Say("prop.restore"), p.restoreAll)
	top := stacked(8, heading(Say("prop.sizes")), p.sizeRow())
	if names := p.nameRows(); names != nil {
		top.Add(heading(Say("prop.channels")))
		top.Add(names)
	}
	top.Add(rule())
	top.Add(around(nil, nil, fixed(190, heading(Say("prop.all"))), fixed(90, p.count), padded(8, 0, p.search)))
	body := container.New(sized{wide, tall}, around(padded(0, 6, top), padded(0, 4, fixedTall(44, container.NewVScroll(p.told.Container))), nil, nil, on(colorPanel, p.list)))
	d := dialog.NewCustomWithoutButtons(Say("prop.title"), body, v.window)
	d.SetButtons([]fyne.CanvasObject{p.restore, v.newDialogButton(Say("prop.copyall"), p.copyAll), v.newDialogButton(Say("dialog.close"), d.Hide)})
	p.dialog = d
	p.update()
	v.Ask(d)
	v.properties = p
	v.window.Canvas().Focus(p.search)
}

// SetSizes shows the sheet with the first size under the cursor that is not known, else the first.
func (v *View) SetSizes() {
	v.Properties()
	if p := v.properties; p != nil && len(v.dialogs) > 0 {
		at := p.sizes[0]
		for _, f := range p.sizes {
			if f.axis != lazy.T && f.field.value == "" {
				at = f
				break
			}
		}
		v.window.Canvas().Focus(at.field)
	}
}

// sizeRow has a field for each axis along which there is a distance.
func (p *properties) sizeRow() fyne.CanvasObject {
	m := p.view.session.Scene().Raw[0].Meta()
	row := container.NewGridWithColumns(4)
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z, lazy.T} {
		if a != lazy.X && a != lazy.Y && m.Shape[a] == 1 && m.Scale[a] <= 0 {
			continue
		}
		f := &sizeField{axis: a, note: small("")}
		f.field = newField(p.view.tips, "", 80, func(text string) { p.say(f, text) })
		f.field.PlaceHolder, f.field.whole = "?", true
		p.sizes = append(p.sizes, f)
		name := strings.ToUpper(a.String())
		if a == lazy.T {
			name = Say("prop.step", "Axis", name)
		}
		row.Add(stacked(2, labelled(name, f.field), f.note))
	}
	return row
}

// nameRows has a field for each channel; many scroll. It is nil for colours, whose names are no one's choice.
func (p *properties) nameRows() fyne.CanvasObject {
	sc, s := p.view.session.Scene(), p.view.session.State()
	if sc.Image.RGB {
		return nil
	}
	grid := container.NewGridWithColumns(manyNames)
	for i, c := range s.Channels {
		n := &labelledName{mark: small("")}
		n.field = newField(p.view.tips, "", 80, func(text string) {
			p.view.act(viewer.Rename(i, text))
			n.field.value = "\x00" // an empty name has become another
			n.field.set(p.view.session.State().Channels[i].Name)
			n.field.SetText(n.field.value)
		})
		n.field.value, n.field.Text, n.field.whole = c.Name, c.Name, true
		p.names = append(p.names, n)
		grid.Add(stacked(2, labelled(Say("prop.channel", "N", group(i+1)), n.field), n.mark))
	}
	if len(s.Channels) > manyNames {
		return fixedTall(grid.Objects[0].MinSize().Height+24, container.NewVScroll(grid))
	}
	return grid
}

// say takes a size over, or says what is wrong with it.
func (p *properties) say(f *sizeField, text string) {
	v, err := viewer.ParseSize(f.axis, text)
	if err != nil {
		key := "prop.wrong"
		if f.axis == lazy.T {
			key = "prop.wrong.time"
		}
		f.note.paint(theme.ColorNameError)
		f.note.set(Say(key))
		return
	}
	p.view.act(viewer.SetSize(f.axis, v))
	f.field.SetText(f.field.value)
}

func (p *properties) restoreAll() {
	s := p.view.session
	p.view.act(func(sc *viewer.Scene, st viewer.State) viewer.State {
		st.Sizes = viewer.Sizes{}
		for i := range st.Channels {
			st = viewer.Rename(i, "")(sc, st)
		}
		return st
	})
	for _, f := range p.sizes {
		f.field.SetText(f.field.value)
	}
	for i, n := range p.names {
		n.field.SetText(s.State().Channels[i].Name)
	}
}

// update shows the state.
func (p *properties) update() {
	sc, s := p.view.session.Scene(), p.view.session.State()
	m := sc.Raw[0].Meta()
	for _, f := range p.sizes {
		f.field.set(sizeIn(f.axis, m.Scale[f.axis]))
		file, ink, note := sc.FileSize(f.axis), theme.ColorNamePlaceHolder, Say("prop.fromfile")
		switch {
		case s.Sizes[f.axis].Edited && file > 0:
			note, ink = Say("prop.edited", "Value", sizeIn(f.axis, file)), theme.ColorNamePrimary
		case s.Sizes[f.axis].Edited:
			note, ink = Say("prop.edited.unknown"), theme.ColorNamePrimary
		case file <= 0 && f.axis == lazy.T:
			note = Say("prop.notset")
		case file <= 0:
			note, ink = Say("prop.unknown"), theme.ColorNameWarning
		}
		f.note.paint(ink)
		f.note.set(note)
	}
	for i, n := range p.names[:min(len(p.names), len(s.Channels))] {
		n.field.set(s.Channels[i].Name)
		note, was := "", sc.FileName(i)
		if was != s.Channels[i].Name {
			note = Say("prop.edited", "Value", was)
		}
		n.mark.paint(theme.ColorNamePrimary)
		n.mark.set(note)
	}
	if sc.Edited(s) {
		p.restore.Enable()
	} else {
		p.restore.Disable()
	}
	p.all = everything(sc, s)
	p.sift()
}

// sift finds the lines that hold all the words of the search, in the name or in the value.
func (p *properties) sift() {
	words := strings.Fields(strings.ToLower(p.search.Text))
	p.found = nil
next:
	for _, e := range p.all {
		line := strings.ToLower(e.Name + " " + e.Value)
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		p.found = append(p.found, e)
	}
	p.count.set(Say("prop.count", "Shown", group(len(p.found)), "All", group(len(p.all))))
	p.list.UnselectAll()
	p.list.Refresh()
}

func (p *properties) copyOne(e lazy.Entry) {
	fyne.CurrentApp().Clipboard().SetContent(e.Value)
	p.tell(Say("prop.copied", "Name", e.Name) + "\n" + e.Value)
}

// copyAll copies the lines that are found, a name and a value a line with a tab between.
func (p *properties) copyAll() {
	var b strings.Builder
	for _, e := range p.found {
		b.WriteString(e.Name + "\t" + strings.NewReplacer("\n", " ", "\t", " ").Replace(e.Value) + "\n")
	}
	fyne.CurrentApp().Clipboard().SetContent(b.String())
	p.tell(Say("prop.copiedall", "N", group(len(p.found))))
}

func (p *properties) tell(text string) {
	if p.told.set(text) {
		p.told.Refresh()
	}
}

// saidList is the list of lines; only those on view exist as widgets. Esc goes on to the dialog.
type saidList struct {
	widget.List
	escape func()
}

func newSaidList(escape func(), lines func() []lazy.Entry, picked func(lazy.Entry)) *saidList {
	l := &saidList{escape: escape}
	l.Length = func() int { return len(lines()) }
	l.HideSeparators = true
	l.CreateItem = func() fyne.CanvasObject {
		return padded(8, 1, around(nil, nil, fixed(210, small("")), nil, padded(8, 0, newCaption("", theme.ColorNameForeground, sizeCaption))))
	}
	l.UpdateItem = func(i int, o fyne.CanvasObject) {
		if i >= len(lines()) {
			return
		}
		e := lines()[i]
		row := o.(*fyne.Container).Objects[0].(*fyne.Container)
		row.Objects[0].(*fyne.Container).Objects[0].(*caption).set(e.Name)
		row.Objects[1].(*fyne.Container).Objects[0].(*caption).set(strings.ReplaceAll(e.Value, "\n", "  "))
	}
	l.OnSelected = func(i int) {
		if i < len(lines()) {
			picked(lines()[i])
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey moves through the lines; Enter copies like Space.
func (l *saidList) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		l.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		l.List.TypedKey(e)
	}
}

package ui

import (
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// excerptForm asks which voxels are written as data, and says how many they are and what they take.
type excerptForm struct {
	v      *View
	box    *fyne.Container
	planes *spanRow
	times  *spanRow
	within *choice
	whose  *choice // channels
	size   *caption
	toll   *told
	file   *dialogEntry // of the name; nil before it is there
	named  func(viewer.Excerpt) string
	stem   string // that was written into it
	fault  string // why nothing can be written so; "" if it can
}

// The reaches of spans and the extents of a plane, by their texts.
var (
	spanReaches    = [...]string{"excerpt.here", "excerpt.around", "excerpt.between", "excerpt.everywhere"}
	excerptExtents = [...]string{"excerpt.plane", "excerpt.view", "excerpt.selection"}
)

// AskData asks which voxels are written as data and where they go. named is what a file of an excerpt is called, without
// its ending; the first of the endings is proposed.
func (v *View) AskData(folder string, named func(viewer.Excerpt) string, endings []string, do func(x viewer.Excerpt, path string, replace bool)) {
	if v.session != nil && len(v.dialogs) == 0 {
		v.askData(folder, named, endings, do)
	}
}

func (v *View) askData(folder string, named func(viewer.Excerpt) string, endings []string, do func(x viewer.Excerpt, path string, replace bool)) *excerptForm {
	f := v.newExcerptForm(named)
	f.stem = named(f.excerpt())
	f.file = v.askFile(Say("app.export.data.title"), folder, f.stem+endings[0], endings,
		fileForm{above: f.box, lines: f.lines(), wrong: func() string { return f.fault }},
		func(path string, replace bool) { do(f.excerpt(), path, replace) })
	return f
}

func (v *View) newExcerptForm(named func(viewer.Excerpt) string) *excerptForm {
	sc, s := v.session.Scene(), v.session.State()
	f := &excerptForm{v: v, named: named, size: newCaption("", theme.ColorNameForeground, theme.SizeNameText)}
	f.toll = newTold(v.tips, Say("excerpt.toll.tip"), theme.ColorNamePlaceHolder, sizeCaption)
	texts := func(keys []string) (all []string) {
		for _, k := range keys {
			all = append(all, Say(k))
		}
		return all
	}
	_, _, normal := s.Pane(0).Cut.Axes()
	f.planes = v.newSpanRow(normal, texts(spanReaches[:]), f.say)
	if s.Slab.Thick() {
		f.planes.reach.Options = append(f.planes.reach.Options, Say("excerpt.slab", "How", strings.ToLower(Say("slab."+s.Slab.How)), "N", strconv.Itoa(s.Slab.Half)))
	}
	f.times = v.newSpanRow(lazy.T, texts(spanReaches[:]), f.say)
	f.within = newChoice(v.tips, texts(excerptExtents[:]), Say("excerpt.within.tip"), func(string) { f.say() })
	f.within.set(f.within.Options[0])
	f.whose = newChoice(v.tips, []string{Say("excerpt.channels.all")}, Say("excerpt.channels.tip"), func(string) { f.say() })
	f.whose.set(f.whose.Options[0])
	f.box = stacked(8)
	if n := sc.Meta().Shape[lazy.C]; n > 1 && n == len(s.Channels) {
		f.whose.Options = append(f.whose.Options, Say("excerpt.channels.one", "Name", s.Channels[s.Active()].Name))
	}
	part := labelled(Say("excerpt.within"), f.within)
	if len(f.whose.Options) > 1 {
		part = container.NewGridWithColumns(2, part, labelled(Say("excerpt.channels"), f.whose))
	}
	f.box.Objects = []fyne.CanvasObject{f.planes.box, f.times.box, part, stacked(2, f.size, f.toll)}
	f.say()
	return f
}

// lines are those that text is written into.
func (f *excerptForm) lines() []*dialogEntry {
	return []*dialogEntry{f.planes.from, f.planes.to, f.times.from, f.times.to}
}

// excerpt is what is asked for.
func (f *excerptForm) excerpt() viewer.Excerpt {
	x := viewer.Excerpt{Planes: f.planes.span, Times: f.times.span, Active: f.whose.SelectedIndex() == 1}
	x.Within = viewer.Extent(max(0, f.within.SelectedIndex()))
	x.Slab = f.planes.reach.SelectedIndex() == len(spanReaches)
	return x
}

// say tells how many voxels are written and what they take, or what is wrong, and calls the file by what it holds.
func (f *excerptForm) say() {
	f.fault = ""
	for _, row := range []*spanRow{f.planes, f.times} {
		if err := row.read(); err != nil {
			f.fault = Say("excerpt.wrong", "Axis", strings.ToUpper(row.axis.String()), "N", group(row.n))
		}
	}
	x := f.excerpt()
	a, r, err := x.Of(f.v.session.Scene(), f.v.session.State())
	if err != nil && f.fault == "" {
		f.fault = plain(err)
	}
	if f.fault != "" {
		f.size.paint(theme.ColorNameError)
		f.size.set(f.fault)
		f.toll.set("")
		return
	}
	m := a.Meta()
	f.size.paint(theme.ColorNameForeground)
	f.size.set(Say("excerpt.size", "Shape", named(r.Shape()), "Type", m.DType.String(), "Bytes", bytes(int64(r.Voxels())*int64(m.DType.Size()))))
	f.toll.set(f.takes(a, r))
	if f.file != nil {
		f.rename(f.named(x))
	}
}

// takes says what a region takes to compute, as far as that can be said before.
func (f *excerptForm) takes(a lazy.Array, r lazy.Region) string {
	t, err := f.v.session.Foresee(a, r)
	if err != nil {
		return plain(err)
	}
	about := ""
	if t.Rough {
		about = Say("excerpt.about")
	}
	text := count("excerpt.reads", t.Chunks, "About", about, "Chunks", group(t.Chunks), "Bytes", bytes(t.Bytes))
	if t.Computed > 0 {
		text += Say("excerpt.computes", "About", about, "Voxels", group(t.Computed))
	}
	return text + price(t.Price)
}

// rename calls the file by another stem, unless the name is the user's own.
func (f *excerptForm) rename(stem string) {
	if rest, ours := strings.CutPrefix(f.file.Text, f.stem); ours && (rest == "" || filepath.Ext(rest) != "") && stem != f.stem {
		f.file.SetText(stem + rest)
		f.file.CursorColumn = 0
	}
	if strings.HasPrefix(f.file.Text, stem) {
		f.stem = stem
	}
}

// A spanRow asks for a part of an axis.
type spanRow struct {
	v        *View
	axis     lazy.Axis
	n, at    int
	box      *fyne.Container
	reach    *choice
	from, to *dialogEntry       // of Around, from is how many on each side
	places   [3]*fyne.Container // of from, the dots, and to
	where    *caption
	span     viewer.Span
}

func (v *View) newSpanRow(a lazy.Axis, reaches []string, changed func()) *spanRow {
	sc, s := v.session.Scene(), v.session.State()
	row := &spanRow{v: v, axis: a, n: sc.Meta().Shape[a], at: s.At[a], where: small("")}
	row.from, row.to = v.newHintedEntry("", Say("excerpt.from.tip")), v.newHintedEntry("", Say("excerpt.to.tip"))
	row.from.OnChanged = func(string) { changed() }
	row.to.OnChanged = row.from.OnChanged
	row.reach = newChoice(v.tips, reaches, Say("excerpt.reach.tip"), nil)
	row.reach.set(reaches[0])
	row.reach.OnChanged = func(string) {
		row.turn()
		changed()
	}
	dash := newCaption("…", theme.ColorNamePlaceHolder, theme.SizeNameText)
	row.places = [...]*fyne.Container{fixed(72, row.from), fixed(12, dash), fixed(72, row.to)}
	entries := container.NewHBox(fixed(200, row.reach), row.places[0], row.places[1], row.places[2])
	title := Say("excerpt.along", "Axis", strings.ToUpper(a.String()))
	if a == lazy.T {
		title = Say("excerpt.along.t")
	}
	row.box = stacked(2, small(title), container.NewBorder(nil, nil, entries, nil, padded(8, 0, row.where)))
	row.box.Hidden = row.n == 1
	row.turn()
	return row
}

// turn shows the lines that the reach needs, with what they may be to begin with.
func (row *spanRow) turn() {
	reach := viewer.Reach(row.reach.SelectedIndex())
	row.places[0].Hidden = reach != viewer.Around && reach != viewer.Between
	row.places[1].Hidden, row.places[2].Hidden = reach != viewer.Between, reach != viewer.Between
	switch reach {
	case viewer.Around:
		row.from.setQuietly("1")
	case viewer.Between:
		row.from.setQuietly("1")
		row.to.setQuietly(strconv.Itoa(row.n))
	}
	row.box.Refresh()
}

// read takes over what is written; the error is of words that name nothing.
func (row *spanRow) read() error {
	sc := row.v.session.Scene()
	p := viewer.Span{Reach: viewer.Reach(row.reach.SelectedIndex())}
	var err error
	switch p.Reach {
	case viewer.Around:
		p.Half, err = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(row.from.Text, "±")))
		if err == nil && p.Half < 0 {
			err = strconv.ErrRange
		}
	case viewer.Between:
		if p.From, err = sc.ParsePosition(row.axis, row.from.Text); err == nil {
			p.To, err = sc.ParsePosition(row.axis, row.to.Text)
		}
	case viewer.Here, viewer.Everywhere:
	default: // the slab
		p.Reach = viewer.Here
	}
	if err != nil {
		row.where.set("")
		return err
	}
	row.span = p
	first, end := p.Indices(row.at, row.n)
	text := Say("excerpt.one", "At", group(first+1), "N", group(row.n))
	if end-first > 1 {
		text = Say("excerpt.many", "First", group(first+1), "Last", group(end), "N", group(row.n))
	}
	row.where.set(text)
	return nil
}

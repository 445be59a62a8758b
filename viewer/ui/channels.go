package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/assets"
	"lamella/viewer"
)

// channelPanel is the left panel: the channels, and the contrast of the active one.
type channelPanel struct {
	box    *fyne.Container
	tips   *tips
	act    func(viewer.Action)
	drag   func(viewer.Action)
	settle func()
	rows   []*channelRow
	list   *fyne.Container
	single *check
	title  *link  // names the active channel; a click renames it
	naming *field // in the place of the title meanwhile
	plot   *histogramPlot
	low    *field
	high   *field
	gamma  *field
	lut    *choice
	note   *caption
	of     *link // what the histogram is of
	scene  *viewer.Scene
	state  viewer.State
	canvas func() fyne.Canvas
}

func newChannelPanel(of *tips, act, drag func(viewer.Action), settle func(), c func() fyne.Canvas) *channelPanel {
	p := &channelPanel{tips: of, act: act, drag: drag, settle: settle, canvas: c, list: stacked(2)}
	active := func() int { return p.state.Active() }
	p.single = newCheck(of, Say("channels.single"), Say("channels.single.tip"), func(bool) { act(viewer.Solo(active())) })
	p.title = newLink(of, Say("channels.rename.tip"), sizeCaption, p.rename)
	p.title.bold = true
	p.naming = newField(of, Say("channels.rename.tip"), 60, func(name string) { act(viewer.Rename(active(), name)) })
	p.naming.left = func() {
		p.naming.Hide()
		p.title.Show()
		p.box.Refresh()
	}
	p.naming.whole = true
	p.naming.Hide()
	p.plot = newHistogram(of, Say("contrast.plot.tip"), func(l viewer.Limits) { drag(viewer.SetLimits(active(), l)) }, settle)
	limit := func(set func(*viewer.Limits, float64)) func(string) {
		return func(text string) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				p.fill()
				return
			}
			l := p.state.Channels[active()].Limits
			set(&l, v)
			act(viewer.SetLimits(active(), l))
		}
	}
	p.low = newField(of, Say("contrast.low.tip"), 60, limit(func(l *viewer.Limits, v float64) { l.Low, l.High = v, max(v, l.High) }))
	p.high = newField(of, Say("contrast.high.tip"), 60, limit(func(l *viewer.Limits, v float64) { l.High, l.Low = v, min(v, l.Low) }))
	p.gamma = newField(of, Say("contrast.gamma.tip"), 60, func(text string) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			act(viewer.SetGamma(active(), v))
		}
		p.fill()
	})
	p.lut = newChoice(of, nil, Say("contrast.lut.tip"), func(name string) { p.choose(active(), name) })
	p.note = small("")
	p.of = newLink(of, Say("contrast.of.tip"), sizeCaption, func() { act(viewer.SampleWhole(!p.state.Sampled)) })
	auto := newButton(of, Say("contrast.auto"), nil, Say("contrast.auto.tip"), func() { act(viewer.Automatic(active(), viewer.Robust)) })
	more := newIcon(of, theme.MenuDropDownIcon(), Say("contrast.more.tip"), nil)
	more.OnTapped = func() { p.moreAuto(more) }
	p.box = stacked(8,
		heading(Say("channels.title")), p.list, p.single,
		rule(),
		p.title, p.naming, stacked(2, p.plot, p.of), p.note,
		container.New(halves(8), labelled(Say("contrast.low"), p.low), labelled(Say("contrast.high"), p.high)),
		around(nil, nil, nil, more, auto),
		container.New(halves(8), labelled(Say("contrast.gamma"), p.gamma), labelled(Say("contrast.lut"), p.lut)),
	)
	return p
}

// labelled puts a small name above a control.
func labelled(name string, o fyne.CanvasObject) fyne.CanvasObject { return stacked(2, small(name), o) }

// update shows a state.
func (p *channelPanel) update(sc *viewer.Scene, s viewer.State) {
	p.scene, p.state = sc, s
	for len(p.rows) < len(s.Channels) {
		i := len(p.rows)
		r := newChannelRow(p.tips, Say("channels.row.tip"))
		r.toggle = func() { p.act(viewer.Toggle(i)) }
		r.activate = func() { p.act(viewer.Activate(i)) }
		r.rename = func() {
			p.act(viewer.Activate(i))
			p.rename()
		}
		r.solo = func() { p.act(viewer.Solo(i)) }
		r.colors = func(at fyne.Position) { p.colors(i, at) }
		p.rows = append(p.rows, r)
		p.list.Add(r)
	}
	if len(p.rows) > len(s.Channels) {
		p.rows = p.rows[:len(s.Channels)]
		p.list.Objects = p.list.Objects[:len(s.Channels)]
		p.list.Refresh()
	}
	drawn := map[int]bool{}
	for _, c := range s.Shown() {
		drawn[c] = true
	}
	for i, r := range p.rows {
		r.set(s.Channels[i], p.paletteOf(i), drawn[i], i == s.Active() && len(p.rows) > 1)
	}
	if many := len(p.rows) > 1; many != p.single.Visible() {
		p.single.Hidden = !many
		p.box.Refresh()
	}
	p.single.set(s.Solo)
	p.fill()
}

// rename has the active channel's name written in the place of the title.
func (p *channelPanel) rename() {
	i := p.state.Active()
	if p.scene == nil || p.scene.Image.RGB || i >= len(p.state.Channels) {
		return
	}
	name := p.state.Channels[i].Name
	p.naming.value = name
	p.naming.SetText(name)
	p.title.Hide()
	p.naming.Show()
	p.box.Refresh()
	p.canvas().Focus(p.naming)
}

// fill shows the active channel's contrast.
func (p *channelPanel) fill() {
	i := p.state.Active()
	if i >= len(p.state.Channels) {
		return
	}
	c := p.state.Channels[i]
	title := Say("contrast.title")
	if len(p.state.Channels) > 1 {
		title += " · " + c.Name
	}
	p.title.set(title)
	p.low.set(number(c.Limits.Low))
	p.high.set(number(c.Limits.High))
	p.gamma.set(number(c.Gamma))
	names := assets.Names()
	if len(p.paletteOf(i)) > 0 {
		names = append([]string{Say("lut.file")}, names...)
	}
	names = append([]string{Say("lut.color")}, names...)
	p.lut.Options = names
	switch c.LUT {
	case "":
		p.lut.set(Say("lut.color"))
	case viewer.FileLUT:
		p.lut.set(Say("lut.file"))
	default:
		p.lut.set(c.LUT)
	}
	r, g, b, _ := colorOf(c, p.paletteOf(i)).RGBA()
	p.plot.set(p.plot.h, c.Limits, [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)})
}

// count shows a histogram of the active channel, of the plane or of what has been seen of the whole image.
func (p *channelPanel) count(r viewer.Report) {
	h, noFinite := r.Histogram, r.NoFinite
	if p.state.Sampled && r.Sample.Seen > 0 {
		h, noFinite = r.Sample.Histogram, r.Sample.Histogram.Peak == 0
	}
	of := Say("contrast.of.plane")
	switch {
	case p.state.Sampled && r.Sample.Seen > 0:
		of = count("contrast.of.whole", r.Sample.Of, "Seen", group(r.Sample.Seen), "Of", group(r.Sample.Of))
	case p.state.Sampled:
		of = Say("contrast.of.waiting")
	}
	p.of.set(of)
	p.plot.set(h, p.plot.limits, p.plot.color)
	note := ""
	if noFinite {
		note = Say("contrast.nofinite")
	}
	p.note.set(note)
	if (note != "") != p.note.Visible() {
		p.note.Hidden = note == ""
		p.box.Refresh()
	}
}

func (p *channelPanel) paletteOf(i int) [][3]uint8 {
	if p.scene == nil || i >= len(p.scene.Image.Channels) {
		return nil
	}
	return p.scene.Image.Channels[i].LUT
}

func (p *channelPanel) choose(i int, name string) {
	switch name {
	case Say("lut.color"):
		p.act(viewer.SetColor(i, p.state.Channels[i].Color))
	case Say("lut.file"):
		p.act(viewer.SetLUT(i, viewer.FileLUT))
	default:
		p.act(viewer.SetLUT(i, name))
	}
}

// ramps are the colours that a ramp can have, by the key of their name.
var ramps = [...]struct {
	key string
	rgb [3]uint8
}{
	{"color.white", [3]uint8{255, 255, 255}}, {"color.red", [3]uint8{255, 0, 0}}, {"color.green", [3]uint8{0, 255, 0}},
	{"color.blue", [3]uint8{0, 0, 255}}, {"color.cyan", [3]uint8{0, 255, 255}}, {"color.magenta", [3]uint8{255, 0, 255}},
	{"color.yellow", [3]uint8{255, 255, 0}}, {"color.orange", [3]uint8{255, 128, 0}},
}

// colors offers ramps and LUTs for a channel.
func (p *channelPanel) colors(i int, at fyne.Position) {
	m := fyne.NewMenu("")
	for _, r := range ramps {
		m.Items = append(m.Items, fyne.NewMenuItem(Say(r.key), func() { p.act(viewer.SetColor(i, r.rgb)) }))
	}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator())
	for _, name := range assets.Names()[7:] {
		m.Items = append(m.Items, fyne.NewMenuItem(name, func() { p.act(viewer.SetLUT(i, name)) }))
	}
	widget.ShowPopUpMenuAtPosition(m, p.canvas(), at)
}

// moreAuto offers the other ways to find limits.
func (p *channelPanel) moreAuto(below fyne.CanvasObject) {
	i := p.state.Active()
	item := func(key string, a viewer.Action) *fyne.MenuItem {
		return fyne.NewMenuItem(Say(key), func() { p.act(a) })
	}
	m := fyne.NewMenu("",
		item("contrast.imagej", viewer.Automatic(i, viewer.ImageJ)),
		item("contrast.minmax", viewer.Automatic(i, viewer.MinMax)),
		item("contrast.whole", viewer.Automatic(i, viewer.Whole)),
	)
	if d := p.scene.Meta().DType; !d.Float() {
		low, high := d.Range()
		m.Items = append(m.Items, item("contrast.range", viewer.SetLimits(i, viewer.Limits{Low: low, High: high})))
	}
	widget.ShowPopUpMenuAtRelativePosition(m, p.canvas(), fyne.NewPos(0, below.Size().Height), below)
}

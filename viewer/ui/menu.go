package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"lamella/viewer"
)

// menus builds the menu bar for what is on view. Checks and greyed entries are brought up to date by
// checkMenus.
func (v *View) menus() {
	v.window.SetMainMenu(fyne.NewMainMenu(v.fileMenu(), v.editMenu(), v.viewMenu(), v.imageMenu(), v.filterMenu(), v.measureMenu(), v.helpMenu()))
	v.bind()
	v.checkMenus()
}

const control = fyne.KeyModifierControl

func entry(key string, shortcut fyne.Shortcut, do func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(Say(key), do)
	m.Shortcut = shortcut
	return m
}

// within is an entry that opens others.
func within(key string, items ...*fyne.MenuItem) *fyne.MenuItem {
	m := entry(key, nil, nil)
	m.ChildMenu = fyne.NewMenu("", items...)
	return m
}

func ctrl(k fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: k, Modifier: control}
}

func ctrlShift(k fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: k, Modifier: control | fyne.KeyModifierShift}
}

func ctrlAlt(k fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: k, Modifier: control | fyne.KeyModifierAlt}
}

func (v *View) fileMenu() *fyne.Menu {
	recent := entry("menu.recent", nil, nil)
	recent.ChildMenu = fyne.NewMenu("")
	for _, r := range v.recent {
		recent.ChildMenu.Items = append(recent.ChildMenu.Items, fyne.NewMenuItem(r.Name, func() { v.asks.Open([]string{r.Source}) }))
	}
	if len(v.recent) > 0 {
		recent.ChildMenu.Items = append(recent.ChildMenu.Items, fyne.NewMenuItemSeparator(), entry("menu.recent.clear", nil, v.asks.ClearRecent))
	}
	recent.Disabled = len(v.recent) == 0
	sample := entry("menu.sample", nil, nil)
	sample.ChildMenu = fyne.NewMenu("")
	for _, s := range v.asks.Samples {
		sample.ChildMenu.Items = append(sample.ChildMenu.Items, fyne.NewMenuItem(Say(s.Name), func() { v.asks.Open([]string{s.Source}) }))
	}
	quit := entry("menu.quit", ctrl(fyne.KeyQ), v.asks.Quit)
	quit.IsQuit = true
	data, picture := entry("menu.export.data", ctrl(fyne.KeyS), v.asks.ExportData), entry("menu.export.picture", ctrlShift(fyne.KeyS), v.asks.ExportPicture)
	movie := entry("menu.export.movie", nil, v.asks.ExportMovie)
	data.Disabled, picture.Disabled, movie.Disabled = v.session == nil, v.session == nil, v.session == nil
	reload, follow := entry("menu.reload", nil, v.asks.Reload), entry("menu.follow", nil, func() { v.asks.Follow(!v.follow) })
	all, convert := entry("menu.export.all", nil, v.asks.ExportAll), entry("menu.convert", nil, v.asks.Convert)
	all.Disabled = v.session == nil
	reload.Disabled, follow.Disabled, follow.Checked, convert.Disabled = v.session == nil, v.session == nil, v.follow, v.session == nil
	session := entry("menu.session.save", ctrlAlt(fyne.KeyS), v.asks.SaveSession)
	session.Disabled = v.session == nil
	return fyne.NewMenu(Say("menu.file"),
		entry("menu.open", ctrl(fyne.KeyO), v.asks.OpenFile), entry("menu.openfolder", ctrlShift(fyne.KeyO), v.asks.OpenFolder),
		entry("menu.openaddress", ctrl(fyne.KeyL), v.AskAddress), recent, sample, entry("menu.importraw", nil, v.asks.ImportRaw),
		fyne.NewMenuItemSeparator(), session, entry("menu.session.last", nil, v.asks.GoOn),
		fyne.NewMenuItemSeparator(), reload, follow,
		fyne.NewMenuItemSeparator(), data, picture, movie, all, convert,
		fyne.NewMenuItemSeparator(), quit)
}

func (v *View) editMenu() *fyne.Menu {
	plane, picture := entry("menu.copy.plane", &fyne.ShortcutCopy{}, v.Copy), entry("menu.copy", ctrlShift(fyne.KeyC), v.asks.CopyPicture)
	copied, pasted := entry("menu.display.copy", nil, v.copyDisplay), entry("menu.display.paste", nil, v.pasteDisplay)
	plane.Disabled, picture.Disabled = v.session == nil, v.session == nil
	copied.Disabled, pasted.Disabled = v.session == nil, v.session == nil || v.display == nil
	return fyne.NewMenu(Say("menu.edit"),
		entry("menu.undo", &fyne.ShortcutUndo{}, v.Undo), entry("menu.redo", ctrlShift(fyne.KeyZ), v.Redo),
		fyne.NewMenuItemSeparator(), plane, picture, copied, pasted,
		fyne.NewMenuItemSeparator(), entry("menu.preferences", ctrl(fyne.KeyComma), v.asks.Preferences))
}

func (v *View) viewMenu() *fyne.Menu {
	do := func(key string, a viewer.Action) *fyne.MenuItem {
		return entry(key, nil, func() { v.act(a) })
	}
	look := entry("menu.look", nil, nil)
	look.ChildMenu = fyne.NewMenu("")
	for _, l := range []Look{System, Dark, Light} {
		m := fyne.NewMenuItem(Say("menu.look."+string(l)), func() { v.asks.SetLook(l) })
		look.ChildMenu.Items = append(look.ChildMenu.Items, m)
	}
	pace := entry("menu.pace", nil, nil)
	pace.ChildMenu = v.paceMenu()
	compute := entry("menu.device", nil, nil)
	compute.ChildMenu = v.deviceMenu()
	return fyne.NewMenu(Say("menu.view"),
		do("menu.fit", viewer.Fit()), do("menu.one", viewer.OneToOne()), do("menu.zoomin", viewer.Zoom(1.25)), do("menu.zoomout", viewer.Zoom(1/1.25)),
		fyne.NewMenuItemSeparator(), do("menu.xy", viewer.Turn(viewer.XY)), do("menu.xz", viewer.Turn(viewer.XZ)), do("menu.yz", viewer.Turn(viewer.YZ)),
		entry("menu.threeup", nil, func() { v.arrange(viewer.ThreeUp) }), entry("menu.bychannel", nil, func() { v.arrange(viewer.ByChannel) }), entry("menu.byimage", nil, func() { v.arrange(viewer.ByImage) }),
		fyne.NewMenuItemSeparator(),
		within("compare.title",
			entry("menu.curtain", nil, func() { v.compare(viewer.Curtain) }), entry("menu.flip", nil, v.flip),
			entry("menu.difference", nil, func() { v.compare(viewer.Difference) }), entry("menu.blink", nil, v.blink)),
		within("slab.title", entry("menu.thicker", nil, func() { v.act(viewer.Thicken(1)) }), entry("menu.thinner", nil, func() { v.act(viewer.Thicken(-1)) })),
		entry("menu.hilo", nil, func() { v.act(viewer.ShowHiLo(!v.session.State().HiLo)) }),
		entry("menu.smooth", nil, func() { v.toggleSampling() }),
		entry("menu.scalebar", nil, func() { v.act(viewer.ShowScaleBar(!v.session.State().ScaleBar)) }),
		entry("menu.stamp", nil, func() { v.act(viewer.ShowStamp(!v.session.State().Stamp)) }),
		entry("menu.legend", nil, func() { v.act(viewer.ShowLegend(!v.session.State().Legend)) }),
		entry("menu.values", nil, func() { v.act(viewer.ShowValues(!v.session.State().Values)) }),
		entry("menu.chunks", nil, func() { v.act(viewer.ShowChunks(!v.session.State().Chunks)) }),
		entry("menu.labels", nil, func() { v.act(viewer.FlipOverlay()) }),
		entry("menu.overview", nil, func() { v.act(viewer.ShowOverview(!v.session.State().Overview)) }),
		entry("menu.panels", nil, v.TogglePanels), entry("menu.fullscreen", nil, v.ToggleFullScreen), fyne.NewMenuItemSeparator(), v.bookmarkMenu(), fyne.NewMenuItemSeparator(), pace, compute, look)
}

func (v *View) imageMenu() *fyne.Menu {
	auto := func(key string, k viewer.RuleKind) *fyne.MenuItem {
		return entry(key, nil, func() { v.act(viewer.Automatic(v.session.State().Active(), k)) })
	}
	m := fyne.NewMenu(Say("menu.image"), entry("menu.properties", ctrl(fyne.KeyI), v.Properties), entry("menu.axes", nil, v.Axes), v.deriveMenu(),
		fyne.NewMenuItemSeparator(), auto("menu.auto", viewer.Robust), auto("contrast.imagej", viewer.ImageJ), auto("contrast.minmax", viewer.MinMax), auto("contrast.whole", viewer.Whole),
		fyne.NewMenuItemSeparator(), entry("menu.single", nil, func() { v.act(viewer.Solo(v.session.State().Active())) }))
	if v.session != nil && len(v.session.Set().Images) > 1 {
		series := entry("menu.series", nil, nil)
		series.ChildMenu = fyne.NewMenu("")
		for i := range v.session.Set().Images {
			item := fyne.NewMenuItem(imageName(v.session.Set(), i), func() { v.act(viewer.Select(i)) })
			series.ChildMenu.Items = append(series.ChildMenu.Items, item)
		}
		m.Items = append(m.Items, fyne.NewMenuItemSeparator(), series)
	}
	return m
}

func (v *View) filterMenu() *fyne.Menu {
	m := v.chain.Menu()
	m.Label = Say("menu.filter")
	m.Items[0].Shortcut = ctrl(fyne.KeyE) // a stencil
	find := entry("menu.addfilter", nil, v.AddFilter)
	m.Items = append([]*fyne.MenuItem{find}, m.Items...)
	kept := v.keptMenu()
	for _, item := range kept.Items {
		switch item.Label {
		case Say("menu.copychain"):
			item.Shortcut = ctrlAlt(fyne.KeyC)
		case Say("menu.pastechain"):
			item.Shortcut = ctrlAlt(fyne.KeyV)
		}
	}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator(), v.watchMenu(), fyne.NewMenuItemSeparator())
	m.Items = append(m.Items, kept.Items...)
	return m
}

func (v *View) helpMenu() *fyne.Menu {
	return fyne.NewMenu(Say("menu.help"), entry("menu.palette", ctrl(fyne.KeyK), v.Palette), entry("menu.keys", nil, v.Keys), entry("menu.notation", nil, v.Notation), entry("menu.about", nil, v.asks.About))
}

// checkMenus brings checks and greyed entries up to date, and redraws the bar only if any changed.
func (v *View) checkMenus() {
	bar := v.window.MainMenu()
	if bar == nil {
		return
	}
	changed := false
	on := func(m *fyne.MenuItem, enabled, checked bool) {
		if m.Disabled == enabled || m.Checked != checked {
			m.Disabled, m.Checked = !enabled, checked
			changed = true
		}
	}
	var s viewer.State
	there := v.session != nil
	if there {
		s = v.session.State()
		on(bar.Items[1].Items[0], v.session.CanUndo(), false)
		on(bar.Items[1].Items[1], v.session.CanRedo(), false)
	} else {
		on(bar.Items[1].Items[0], false, false)
		on(bar.Items[1].Items[1], false, false)
	}
	alone := s.Arrangement == viewer.Alone
	checks := map[string]bool{
		Say("menu.fit"): s.Fitted, Say("menu.xy"): alone && s.Cut == viewer.XY, Say("menu.xz"): alone && s.Cut == viewer.XZ, Say("menu.yz"): alone && s.Cut == viewer.YZ,
		Say("menu.threeup"): s.Arrangement == viewer.ThreeUp, Say("menu.bychannel"): s.Arrangement == viewer.ByChannel, Say("menu.byimage"): s.Arrangement == viewer.ByImage, Say("menu.curtain"): s.Compare == viewer.Curtain, Say("menu.flip"): s.Compare == viewer.Original,
		Say("menu.difference"): s.Compare == viewer.Difference, Say("menu.hilo"): s.HiLo, Say("menu.chunks"): s.Chunks, Say("menu.overview"): s.Overview, Say("menu.blink"): v.blinking != nil,
		Say("menu.labels"): s.Overlay.On, Say("menu.objects"): !v.objects.box.Hidden, Say("menu.results"): !v.results.box.Hidden, Say("menu.tool.pan"): s.Pencil.Tool == viewer.NoShape, Say("menu.tool.line"): s.Pencil.Tool == viewer.Line,
		Say("menu.tool.angle"): s.Pencil.Tool == viewer.Angle, Say("menu.tool.rectangle"): s.Pencil.Tool == viewer.Rectangle,
		Say("menu.tool.ellipse"): s.Pencil.Tool == viewer.Ellipse, Say("menu.tool.polygon"): s.Pencil.Tool == viewer.Polygon, Say("menu.tool.point"): s.Pencil.Tool == viewer.Point,
		Say("menu.smooth"): s.Sampling == viewer.Linear, Say("menu.scalebar"): s.ScaleBar, Say("menu.stamp"): s.Stamp, Say("menu.legend"): s.Legend, Say("menu.values"): s.Values, Say("menu.single"): s.Solo,
	}
	for _, menu := range bar.Items[2:6] {
		for _, m := range menu.Items {
			if m.IsSeparator || m.Label == Say("menu.look") || m.Label == Say("menu.pace") || m.Label == Say("menu.device") || m.Label == Say("menu.bookmarks") {
				continue
			}
			on(m, there && (m.Label != Say("menu.byimage") || len(v.session.Set().Images) > 1) && (m.Label != Say("menu.labels") || len(v.session.Scene().Layable()) > 0), there && checks[m.Label])
			if m.Label == Say("menu.derive") {
				for _, c := range m.ChildMenu.Items {
					on(c, there && (c.Label != Say("menu.derive.discard") || v.session.IsDerived()), false)
				}
			}
			if m.Label == Say("compare.title") || m.Label == Say("slab.title") {
				for _, c := range m.ChildMenu.Items {
					on(c, there, there && checks[c.Label])
				}
			}
			if m.Label == Say("menu.series") {
				for i, c := range m.ChildMenu.Items {
					on(c, true, i == s.Image)
				}
			}
		}
	}
	for _, m := range bar.Items[2].Items {
		if m.Label == Say("menu.device") {
			for i, c := range m.ChildMenu.Items {
				on(c, true, Devices[i] == v.device)
			}
		}
		if m.Label == Say("menu.look") {
			for i, c := range m.ChildMenu.Items {
				on(c, true, []Look{System, Dark, Light}[i] == v.look)
			}
		}
	}
	if changed {
		bar.Refresh()
	}
}

// copyDisplay remembers how the image is shown, for as long as the program runs.
func (v *View) copyDisplay() {
	d := v.session.State().Display()
	v.display = &d
	v.menus()
	v.Note(Say("display.copied"))
}

// pasteDisplay shows the image as that one was shown.
func (v *View) pasteDisplay() {
	v.hush()
	v.act(viewer.ShowAs(*v.display))
}

// Undo takes the newest step back: of the writing where a text has the focus, else of what was made of the
// picture. The toolkit asks the menu first, and gives Ctrl + Z a shortcut of its own kind.
func (v *View) Undo() {
	if text, ok := v.window.Canvas().Focused().(fyne.Shortcutable); ok {
		text.TypedShortcut(&fyne.ShortcutUndo{})
		return
	}
	v.back()
}

// Redo does again what Undo took back.
func (v *View) Redo() {
	if text, ok := v.window.Canvas().Focused().(fyne.Shortcutable); ok {
		text.TypedShortcut(&fyne.ShortcutRedo{})
		return
	}
	v.again()
}

// Copy puts what is chosen in a text on the clipboard where one has the focus, else the plane on view.
func (v *View) Copy() {
	if text, ok := v.window.Canvas().Focused().(fyne.Shortcutable); ok {
		text.TypedShortcut(&fyne.ShortcutCopy{Clipboard: fyne.CurrentApp().Clipboard()})
		return
	}
	if v.session != nil {
		v.asks.CopyPlane()
	}
}

// back takes the newest step back, and again does it once more.
func (v *View) back() {
	if v.session != nil && v.session.Undo() {
		v.update()
	}
}

func (v *View) again() {
	if v.session != nil && v.session.Redo() {
		v.update()
	}
}

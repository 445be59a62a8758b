package ui

import (
	"fyne.io/fyne/v2"

	"lamella/viewer"
)

// derivations are what is made of the image on view as a new one, each with the filters that make it.
var derivations = [...]struct{ key, chain string }{
	{"menu.derive.right", "rotate"}, {"menu.derive.left", "rotate by=270"}, {"menu.derive.half", "rotate by=180"},
	{"menu.derive.across", "flip"}, {"menu.derive.down", "flip axis=y"}, {"menu.derive.depth", "flip axis=z"},
	{"menu.derive.bin", "bin size=1,2,2"}, {"menu.derive.bin3", "bin"}, {"menu.derive.even", "resample"},
}

// deriveMenu makes new images of the one on view. They are recipes: nothing is copied.
func (v *View) deriveMenu() *fyne.MenuItem {
	m := within("menu.derive",
		entry("menu.derive.crop", ctrlShift(fyne.KeyX), func() { v.crop(false) }), entry("menu.derive.view", nil, func() { v.crop(true) }))
	for i, d := range derivations {
		if i == 0 || i == 3 || i == 6 {
			m.ChildMenu.Items = append(m.ChildMenu.Items, fyne.NewMenuItemSeparator())
		}
		m.ChildMenu.Items = append(m.ChildMenu.Items, entry(d.key, nil, func() {
			a, err := viewer.ParseChain(d.chain)
			v.derive(a, err)
		}))
	}
	discard := entry("menu.derive.discard", nil, v.discard)
	discard.Disabled = v.session == nil || !v.session.IsDerived()
	m.ChildMenu.Items = append(m.ChildMenu.Items, fyne.NewMenuItemSeparator(), discard)
	return m
}

// crop cuts the image to the shape that is chosen, or to what is on view.
func (v *View) crop(view bool) {
	s := v.session.State()
	if view && s.Panes() > 1 {
		s = s.Pane(0)
	}
	v.derive(v.session.Scene().CropTo(s, view))
}

// derive makes a new image by a chain, called after the one on view.
func (v *View) derive(chain viewer.Chain, err error) {
	if err == nil {
		s := v.session.State()
		name := imageName(v.session.Set(), s.Image)
		for _, step := range chain {
			if f, ok := viewer.LookupFilter(step.Filter); ok {
				name += " – " + filterTitle(f)
			}
		}
		err = v.session.Derive(name, chain)
	}
	if err != nil {
		v.Fail(err)
		return
	}
	v.hush()
	v.update()
	v.menus()
	v.pane.takeFocus()
}

// discard takes the image on view away again.
func (v *View) discard() {
	if err := v.session.Discard(); err != nil {
		v.Fail(err)
		return
	}
	v.update()
	v.menus()
}

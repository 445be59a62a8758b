package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// SetKept says which chains are kept under names.
func (v *View) SetKept(k viewer.KeptChains) {
	v.kept = k
	v.menus()
}

// keptMenu is what can be done with whole chains: those that are kept are put in the place of the one on view.
func (v *View) keptMenu() *fyne.Menu {
	var s viewer.State
	if v.session != nil {
		s = v.session.State()
	}
	save := entry("menu.chain.keep", nil, v.keepChain)
	save.Disabled = s.Chain.String() == ""
	use, forget := within("menu.chain.use"), within("menu.chain.forget")
	for _, k := range v.kept {
		use.ChildMenu.Items = append(use.ChildMenu.Items, fyne.NewMenuItem(k.Name, func() { v.useChain(k.Name) }))
		forget.ChildMenu.Items = append(forget.ChildMenu.Items, fyne.NewMenuItem(k.Name, func() { v.asks.KeepChains(v.kept.Without(k.Name)) }))
	}
	use.Disabled, forget.Disabled = len(v.kept) == 0, len(v.kept) == 0
	which := within("chain.which.whole")
	which.ChildMenu = v.chain.channelMenu(-1)
	which.Disabled = len(s.Chain) == 0 || len(s.Channels) < 2
	aside, swap, drop := entry("menu.aside", nil, func() { v.act(viewer.SetAside()) }), entry("menu.aside.swap", nil, func() { v.act(viewer.SwapAside()) }), entry("menu.aside.drop", nil, func() { v.act(viewer.DropAside()) })
	aside.Disabled, swap.Disabled, drop.Disabled = len(s.Chain) == 0, len(s.Aside) == 0, len(s.Aside) == 0
	return fyne.NewMenu("", save, use, forget, which, fyne.NewMenuItemSeparator(), aside, swap, drop, fyne.NewMenuItemSeparator(),
		entry("menu.copychain", nil, v.copyChain), entry("menu.pastechain", nil, v.pasteChain), entry("menu.clearchain", nil, func() { v.act(viewer.SetChain(nil)) }))
}

// useChain puts a chain that is kept in the place of the one on view.
func (v *View) useChain(name string) {
	a, err := v.kept.Use(name)
	if err != nil {
		v.Fail(err)
		return
	}
	v.act(a)
}

// keepChain asks for a name to keep the filters under.
func (v *View) keepChain() {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	chain := v.session.State().Chain
	name := v.newDialogEntry("")
	wrong := newParagraph("", theme.ColorNameError, sizeCaption)
	body := fixed(420, stacked(8, newParagraph(chain.String(), theme.ColorNamePlaceHolder, sizeCaption).Container, labelled(Say("save.name"), name), wrong.Container))
	var d *dialog.CustomDialog
	keep := v.newDialogButton(Say("save.write"), func() {
		kept, err := v.kept.With(name.Text, chain)
		if err != nil {
			wrong.set(plain(err))
			body.Refresh()
			return
		}
		d.Hide()
		v.asks.KeepChains(kept)
	})
	keep.Importance = widget.HighImportance
	name.OnSubmitted = func(string) { keep.OnTapped() }
	d = dialog.NewCustomWithoutButtons(Say("chain.keep.title"), padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), keep})
	v.Ask(d)
	v.window.Canvas().Focus(name)
}

package ui

import (
	"fyne.io/fyne/v2"

	"lamella/viewer"
)

// copyChain puts the filters that take part on the clipboard, as the command line's --filter takes them.
func (v *View) copyChain() {
	text := v.session.State().Chain.String()
	if text == "" {
		v.Note(Say("chain.copied.none"))
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(text)
	v.Note(Say("chain.copied", "Chain", text))
}

// pasteChain puts the filters of the clipboard in the place of those on view.
func (v *View) pasteChain() {
	a, err := viewer.PasteChain(fyne.CurrentApp().Clipboard().Content())
	if err != nil {
		v.Fail(err)
		return
	}
	v.hush()
	v.act(a)
}

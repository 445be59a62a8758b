package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
)

// AskReplace asks whether a file of a name, which is there, may be replaced, and calls replace if it may.
func (v *View) AskReplace(title, name string, replace func()) {
	var d *dialog.CustomDialog
	yes := v.newDialogButton(Say("save.replace"), func() {
		d.Hide()
		replace()
	})
	no := v.newDialogButton(Say("dialog.cancel"), func() { d.Hide() })
	body := fixed(360, newParagraph(Say("save.exists", "Name", name), theme.ColorNameForeground, theme.SizeNameText).Container)
	d = dialog.NewCustomWithoutButtons(title, padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{no, yes})
	v.Ask(d)
	v.window.Canvas().Focus(no)
}

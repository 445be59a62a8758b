package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
)

// Joining says what several files make that are opened at once.
type Joining string

// What they can make; the first is what is done where nobody is asked: one stack if they make one, else images apart.
const (
	JoinedAsFits     Joining = ""
	JoinedAsStack    Joining = "stack"
	JoinedAsChannels Joining = "channels"
	JoinedApart      Joining = "apart"
	JoinedBeside     Joining = "beside"
	JoinedAsLabels   Joining = "labels"
)

// joinings are those that are asked for, in the order of the dialog.
var joinings = [...]Joining{JoinedAsStack, JoinedAsChannels, JoinedApart, JoinedBeside, JoinedAsLabels}

// AskJoining asks what several files make.
func (v *View) AskJoining(n int, do func(Joining)) {
	if len(v.dialogs) > 0 {
		return
	}
	var d *dialog.CustomDialog
	body := stacked(12)
	var first fyne.Focusable
	for _, j := range joinings {
		b := v.newDialogButton(Say("join."+string(j)), func() {
			d.Hide()
			do(j)
		})
		if first == nil {
			first = b
		}
		body.Add(stacked(2, b, newParagraph(Say("join."+string(j)+".tip"), theme.ColorNamePlaceHolder, sizeCaption).Container))
	}
	d = dialog.NewCustomWithoutButtons(Say("join.title", "N", group(n)), padded(8, 8, fixed(440, body)), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), func() { d.Hide() })})
	v.Ask(d)
	v.window.Canvas().Focus(first)
}

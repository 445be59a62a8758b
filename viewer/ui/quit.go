package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// leaving is that the program is to end while files are being written.
type leaving struct {
	asked dialog.Dialog
	quit  func()
}

// AskQuit asks whether to end although n files are being written. While that is asked quit is done by itself once SetJobs tells
// that all are there; Fail takes the question back, for what went wrong is to be read.
func (v *View) AskQuit(n int, quit func()) {
	if v.isLeaving() {
		return
	}
	var d *dialog.CustomDialog
	now := v.newDialogButton(Say("quit.now"), func() {
		d.Hide()
		quit()
	})
	now.Importance = widget.DangerImportance
	stay := v.newDialogButton(Say("quit.stay"), func() { d.Hide() })
	body := fixed(440, newParagraph(Say("quit.about"), theme.ColorNameForeground, theme.SizeNameText).Container)
	d = dialog.NewCustomWithoutButtons(count("quit.title", n, "N", group(n)), padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{stay, now})
	v.leaving = leaving{asked: d, quit: quit}
	v.askMore(d)
	v.window.Canvas().Focus(stay)
}

// isLeaving reports whether it is being asked whether to end.
func (v *View) isLeaving() bool {
	return v.leaving.asked != nil && slices.Contains(v.dialogs, v.leaving.asked)
}

// stay takes the question back.
func (v *View) stay() {
	if v.isLeaving() {
		v.leaving.asked.Hide()
	}
}

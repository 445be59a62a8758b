package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"
)

// dialogs are the dialogs that are open, the newest last. One is open at a time, and what it asks in
// turn lies on it; keys meant for the picture do nothing meanwhile, and Esc closes the newest.
type dialogs []dialog.Dialog

// Ask shows a dialog, unless one is open already.
func (v *View) Ask(d dialog.Dialog) {
	if len(v.dialogs) == 0 {
		v.askMore(d)
	}
}

// askMore shows a dialog on the one that asks for it.
func (v *View) askMore(d dialog.Dialog) {
	v.tips.leave(nil)
	v.dialogs = append(v.dialogs, d)
	n := len(v.dialogs)
	d.SetOnClosed(func() { v.dialogs = v.dialogs[:min(n-1, len(v.dialogs))] })
	d.Show()
}

// dismiss closes the newest dialog, and reports whether there was one.
func (v *View) dismiss() bool {
	n := len(v.dialogs)
	if n == 0 {
		return false
	}
	v.dialogs[n-1].Dismiss()
	return true
}

// A dialogEntry is a line of text in a dialog; Esc goes on to the dialog.
type dialogEntry struct {
	widget.Entry
	escape func()
}

func (v *View) newDialogEntry(text string) *dialogEntry {
	e := &dialogEntry{escape: v.escape}
	e.Wrapping = fyne.TextWrapOff
	e.Scroll = fyne.ScrollHorizontalOnly
	e.Text = text
	e.ExtendBaseWidget(e)
	return e
}

func (e *dialogEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.escape()
		return
	}
	e.Entry.TypedKey(k)
}

// A dialogButton is a button of a dialog; Esc goes on to the dialog.
type dialogButton struct {
	widget.Button
	escape func()
}

func (v *View) newDialogButton(text string, do func()) *dialogButton {
	b := &dialogButton{escape: v.escape}
	b.Text, b.OnTapped = text, do
	b.ExtendBaseWidget(b)
	return b
}

func (b *dialogButton) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		b.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		b.Button.TypedKey(k)
	}
}

package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
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

// AskAlso shows a dialog on the one that asks for it, such as one for the name that is written there.
func (v *View) AskAlso(d dialog.Dialog) { v.askMore(d) }

// askMore shows a dialog on the one that asks for it.
func (v *View) askMore(d dialog.Dialog) {
	v.tips.leave(nil)
	v.dialogs = append(v.dialogs, d)
	n := len(v.dialogs)
	tipless := func() {}
	d.SetOnClosed(func() {
		v.dialogs = v.dialogs[:min(n-1, len(v.dialogs))]
		tipless()
	})
	d.Show()
	tipless = v.tips.over(v.window.Canvas().Overlays().Top())
}

// confirm asks whether something is to be done, on the dialog that leads to it. Enter leaves it.
func (v *View) confirm(title, question, yes string, do func()) {
	d := dialog.NewCustomWithoutButtons(title, padded(8, 8, fixed(400, newParagraph(question, theme.ColorNameForeground, theme.SizeNameText).Container)), v.window)
	leave, sure := v.newDialogButton(Say("dialog.cancel"), d.Hide), v.newDialogButton(yes, func() {
		d.Hide()
		do()
	})
	sure.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{leave, sure})
	v.askMore(d)
	v.window.Canvas().Focus(leave)
}

// newSheet is a dialog that only shows something.
func (v *View) newSheet(title string, body fyne.CanvasObject) *dialog.CustomDialog {
	d := dialog.NewCustomWithoutButtons(title, padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.close"), d.Hide)})
	return d
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
	tip    tip
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

// newHintedEntry is a dialogEntry with a tip.
func (v *View) newHintedEntry(text, hint string) *dialogEntry {
	e := v.newDialogEntry(text)
	e.tip = saying(v.tips, hint)
	return e
}

// setQuietly shows a text without telling that it changed.
func (e *dialogEntry) setQuietly(text string) {
	if e.Text != text {
		e.Text = text
		e.Refresh()
	}
}

// MouseIn shows the tip above the line.
func (e *dialogEntry) MouseIn(*desktop.MouseEvent) {
	if of := e.tip.of; of != nil {
		of.enter(&e.tip, e.tip.text(), above(of.local(fyne.CurrentApp().Driver().AbsolutePositionForObject(e))))
	}
}

// MouseMoved is of no meaning.
func (e *dialogEntry) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the tip away.
func (e *dialogEntry) MouseOut() { e.tip.MouseOut() }

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
	escape  func()
	focused bool
}

func (v *View) newDialogButton(text string, do func()) *dialogButton {
	b := &dialogButton{escape: v.escape}
	b.Text, b.OnTapped = text, do
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer shows the focus on any button.
func (b *dialogButton) CreateRenderer() fyne.WidgetRenderer {
	return ringed(&b.Button, &b.focused, b.Button.CreateRenderer())
}

func (b *dialogButton) FocusGained() {
	b.focused = true
	b.Button.FocusGained()
}

func (b *dialogButton) FocusLost() {
	b.focused = false
	b.Button.FocusLost()
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

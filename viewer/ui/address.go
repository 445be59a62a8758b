package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// schemes are what an address that is opened begins with.
var schemes = []string{"https://", "http://", "s3://", "gs://"}

// AskAddress asks for an address of the web and opens it. If the clipboard holds one, it stands there already.
func (v *View) AskAddress() {
	if len(v.dialogs) > 0 {
		return
	}
	address := v.newDialogEntry("")
	address.SetPlaceHolder("https://example.org/embryo.ome.zarr")
	if copied := strings.TrimSpace(fyne.CurrentApp().Clipboard().Content()); isAddress(copied) {
		address.SetText(copied)
	}
	hint := newParagraph(Say("address.hint"), theme.ColorNamePlaceHolder, sizeCaption)
	wrong := newParagraph("", theme.ColorNameError, sizeCaption)
	body := fixed(520, stacked(8, labelled(Say("address.label"), address), hint.Container, wrong.Container))
	var d *dialog.CustomDialog
	open := v.newDialogButton(Say("address.open"), func() {
		if text := strings.TrimSpace(address.Text); isAddress(text) {
			d.Hide()
			v.asks.Open([]string{text})
			return
		}
		wrong.set(Say("address.wrong", "Schemes", strings.Join(schemes, ", ")))
		body.Refresh()
	})
	open.Importance = widget.HighImportance
	address.OnSubmitted = func(string) { open.OnTapped() }
	d = dialog.NewCustomWithoutButtons(Say("address.title"), padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), open})
	v.Ask(d)
	v.window.Canvas().Focus(address)
}

// isAddress reports whether a line of text is an address with a host or bucket in it.
func isAddress(text string) bool {
	if strings.ContainsAny(text, "\n\r\t") {
		return false
	}
	for _, s := range schemes {
		if len(text) > len(s) && strings.EqualFold(text[:len(s)], s) {
			return true
		}
	}
	return false
}

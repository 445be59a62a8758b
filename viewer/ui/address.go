package ui

import (
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// schemes are what an address that is opened begins with.
var schemes = []string{"https://", "http://", "s3://", "gs://"}

// AskAddress asks for an address of the web, or for the path of a file or a folder, and opens it. If the clipboard holds one,
// it stands there already.
func (v *View) AskAddress() {
	begin := ""
	if copied := strings.TrimSpace(fyne.CurrentApp().Clipboard().Content()); isAddress(copied) || filepath.IsAbs(copied) && isPath(copied) {
		begin = copied
	}
	v.askWhere(whereabouts{title: Say("address.title"), label: Say("address.label"), hint: Say("address.hint"), example: "https://example.org/embryo.ome.zarr", begin: begin}, func(text string) {
		v.asks.Open([]string{text})
	})
}

// AskMoved asks where a file or a folder is now. browse has one chosen by the pointer.
func (v *View) AskMoved(was string, browse func(take func(path string)), do func(path string)) {
	v.askWhere(whereabouts{title: Say("moved.title", "Name", filepath.Base(was)), label: Say("moved.label"), hint: Say("moved.hint"), begin: was, browse: browse}, do)
}

// Whereabouts are a question for an address or a path, written in a line.
type whereabouts struct {
	title, label, hint string
	example, begin     string
	browse             func(take func(path string)) // nil is nothing to browse
}

func (v *View) askWhere(p whereabouts, do func(text string)) {
	if len(v.dialogs) > 0 {
		return
	}
	line := v.newHintedEntry(p.begin, p.label)
	line.SetPlaceHolder(p.example)
	wrong := newParagraph("", theme.ColorNameError, sizeCaption)
	field := fyne.CanvasObject(line)
	if p.browse != nil {
		field = container.NewBorder(nil, nil, nil, newIcon(v.tips, theme.FolderOpenIcon(), Say("moved.browse.tip"), func() { p.browse(line.SetText) }), line)
	}
	body := fixed(520, stacked(8, labelled(p.label, field), newParagraph(p.hint, theme.ColorNamePlaceHolder, sizeCaption).Container, wrong.Container))
	var d *dialog.CustomDialog
	open := v.newDialogButton(Say("address.open"), func() {
		text := atHome(strings.TrimSpace(line.Text))
		if isAddress(text) || isPath(text) || strings.HasPrefix(text, "sample:") {
			d.Hide()
			do(text)
			return
		}
		wrong.set(Say("address.wrong", "Schemes", strings.Join(schemes, ", ")))
		body.Refresh()
	})
	open.Importance = widget.HighImportance
	line.OnSubmitted = func(string) { open.OnTapped() }
	d = dialog.NewCustomWithoutButtons(p.title, padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), open})
	v.Ask(d)
	v.window.Canvas().Focus(line)
}

// atHome is a path whose ~ is the user's own folder.
func atHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// isPath reports whether a text names a file or a folder that is there, or several of them.
func isPath(text string) bool {
	if _, err := os.Stat(text); err == nil {
		return text != ""
	}
	found, err := filepath.Glob(text)
	return err == nil && len(found) > 0
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

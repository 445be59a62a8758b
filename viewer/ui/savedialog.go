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

// AskFile asks for the name of a file to write and calls do with it. Nothing is created: Fyne's own
// dialog for saving would empty an existing file before the new one is whole. A file that exists is
// replaced only after a second question. While another dialog is open it asks nothing.
func (v *View) AskFile(title, folder, name string, endings []string, do func(path string, replace bool)) {
	v.askFile(title, folder, name, endings, nil, do)
}

// askFile is AskFile with more to say above the name; nil is nothing.
func (v *View) askFile(title, folder, name string, endings []string, more fyne.CanvasObject, do func(path string, replace bool)) {
	if len(v.dialogs) > 0 {
		return
	}
	where, file := v.newDialogEntry(folder), v.newDialogEntry(name)
	browse := newIcon(v.tips, theme.FolderOpenIcon(), Say("save.browse.tip"), func() {
		d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			if err == nil && u != nil {
				where.SetText(u.Path())
			}
		}, v.window)
		d.SetView(dialog.ListView)
		d.Resize(fyne.NewSize(720, 480))
		v.askMore(d)
	})
	hint := newParagraph(Say("save.endings", "Endings", strings.Join(endings, ", ")), theme.ColorNamePlaceHolder, sizeCaption)
	wrong := newParagraph("", theme.ColorNameError, sizeCaption)
	if more == nil {
		more = stacked(0)
		more.Hide()
	}
	body := fixed(520, stacked(8, more,
		labelled(Say("save.name"), file),
		labelled(Say("save.folder"), container.NewBorder(nil, nil, nil, browse, where)),
		hint.Container, wrong.Container))
	var d *dialog.CustomDialog
	say := func(text string) {
		wrong.set(text)
		body.Refresh()
	}
	save := v.newDialogButton(Say("save.write"), func() {
		path := file.Text
		if !filepath.IsAbs(path) {
			path = filepath.Join(where.Text, path)
		}
		switch info, err := os.Stat(path); {
		case !hasEnding(file.Text, endings):
			say(Say("save.endings", "Endings", strings.Join(endings, ", ")))
		case err == nil && info.IsDir() && !strings.HasSuffix(path, ".zarr"):
			say(Say("save.isfolder"))
		case err == nil:
			v.askMore(dialog.NewCustomConfirm(title, Say("save.replace"), Say("dialog.cancel"), widget.NewLabel(Say("save.exists", "Name", file.Text)), func(yes bool) {
				if yes {
					d.Hide()
					do(path, true)
				}
			}, v.window))
		default:
			d.Hide()
			do(path, false)
		}
	})
	save.Importance = widget.HighImportance
	file.OnSubmitted = func(string) { save.OnTapped() }
	d = dialog.NewCustomWithoutButtons(title, padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), save})
	v.Ask(d)
	v.window.Canvas().Focus(file)
}

func hasEnding(name string, endings []string) bool {
	for _, e := range endings {
		if len(name) > len(e) && strings.HasSuffix(strings.ToLower(name), e) {
			return true
		}
	}
	return false
}

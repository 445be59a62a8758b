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
	v.askFile(title, folder, name, endings, fileForm{}, do)
}

// A fileForm is what is asked above the name of a file.
type fileForm struct {
	above fyne.CanvasObject // nil is nothing
	lines []*dialogEntry    // of it, in which Enter writes as well
	wrong func() string     // why it cannot be written so, "" if it can; nil is never
}

// askFile is AskFile with more to ask above the name. It gives the line of the name, or nil while another dialog is open.
func (v *View) askFile(title, folder, name string, endings []string, more fileForm, do func(path string, replace bool)) *dialogEntry {
	if len(v.dialogs) > 0 {
		return nil
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
	if more.above == nil {
		more.above = stacked(0)
		more.above.Hide()
	}
	body := fixed(520, stacked(8, more.above,
		labelled(Say("save.name"), file),
		labelled(Say("save.folder"), container.NewBorder(nil, nil, nil, browse, where)),
		hint.Container, wrong.Container))
	var d *dialog.CustomDialog
	say := func(text string) {
		wrong.set(text)
		body.Refresh()
	}
	save := v.newDialogButton(Say("save.write"), func() {
		if name := strings.TrimSpace(file.Text); len(endings) == 1 && name != "" && !hasEnding(name, endings) && filepath.Ext(name) == "" {
			file.SetText(name + endings[0]) // there is no other
		}
		path := file.Text
		if !filepath.IsAbs(path) {
			path = filepath.Join(where.Text, path)
		}
		switch info, err := os.Stat(path); {
		case more.wrong != nil && more.wrong() != "":
			say(more.wrong())
		case !hasEnding(file.Text, endings):
			say(Say("save.endings", "Endings", strings.Join(endings, ", ")))
		case err == nil && info.IsDir() && !strings.HasSuffix(path, ".zarr"):
			say(Say("save.isfolder"))
		case err == nil:
			v.confirm(title, Say("save.exists", "Name", file.Text), Say("save.replace"), func() {
				d.Hide()
				do(path, true)
			})
		default:
			d.Hide()
			do(path, false)
		}
	})
	save.Importance = widget.HighImportance
	for _, line := range append(more.lines, file, where) {
		line.OnSubmitted = func(string) { save.OnTapped() }
	}
	d = dialog.NewCustomWithoutButtons(title, padded(8, 8, body), v.window)
	d.SetButtons([]fyne.CanvasObject{v.newDialogButton(Say("dialog.cancel"), d.Hide), save})
	v.Ask(d)
	v.window.Canvas().Focus(file)
	return file
}

func hasEnding(name string, endings []string) bool {
	for _, e := range endings {
		if len(name) > len(e) && strings.HasSuffix(strings.ToLower(name), e) {
			return true
		}
	}
	return false
}

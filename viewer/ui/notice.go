package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// notice is one message between the picture and the sliders: what could not be done and why, or what
// has been done. A newer one takes its place; Esc or its button closes it.
type notice struct {
	box   *fyne.Container
	edge  *tinted
	words paragraph
	close *button
}

func newNotice(of *tips, closed func()) *notice {
	n := &notice{edge: newTinted(theme.ColorNameError)}
	n.words = newParagraph("", theme.ColorNameForeground, theme.SizeNameText)
	n.close = newIcon(of, theme.CancelIcon(), Say("notice.close.tip"), closed)
	n.box = on(colorPanel, around(nil, nil, fixed(4, n.edge), container.NewVBox(n.close), padded(12, 8, n.words.Container)))
	n.box.Hide()
	return n
}

// show puts up a message; failed says that something could not be done.
func (n *notice) show(text string, failed bool) {
	n.edge.name = theme.ColorNamePrimary
	if failed {
		n.edge.name = theme.ColorNameError
	}
	n.box.Show()
	n.edge.Refresh()
	n.words.set(text)
}

func (n *notice) hide() { n.box.Hide() }

func (n *notice) visible() bool { return n.box.Visible() }

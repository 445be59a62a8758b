package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// notice is one message on the picture's upper edge: what could not be done and why, or what has been
// done. A newer one takes its place; Esc or its button closes it.
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

// newStanding is a notice that stays for as long as what it says is so, and cannot be closed.
func newStanding() *notice {
	n := newNotice(nil, nil)
	n.close.Hide()
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

// over lays notices out below each other on the upper edge of the picture. They take no room from it:
// a picture that is fitted would change its size with every message.
type over struct {
	edges func() (left, top, right float32)
}

func (o over) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (o over) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, top, right := o.edges()
	for _, n := range objects {
		if !n.Visible() {
			continue
		}
		n.Move(fyne.NewPos(left, top))
		n.Resize(fyne.NewSize(size.Width-left-right, n.MinSize().Height))
		h := n.MinSize().Height // its words break into lines once the width is known
		n.Resize(fyne.NewSize(size.Width-left-right, h))
		top += h
	}
}

func (n *notice) hide() { n.box.Hide() }

func (n *notice) text() string { return n.words.rich.String() }

func (n *notice) visible() bool { return n.box.Visible() }

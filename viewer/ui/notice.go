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
	act   *button // what can be done about it; hidden where there is nothing
	copy  *button // puts what went wrong on the clipboard, to be told to others
	close *button
}

func newNotice(of *tips, closed func()) *notice {
	n := &notice{edge: newTinted(theme.ColorNameError)}
	n.words = newParagraph("", theme.ColorNameForeground, theme.SizeNameText)
	n.close = newIcon(of, theme.CancelIcon(), Say("notice.close.tip"), closed)
	n.act = newButton(of, "", nil, Say("notice.act.tip"), nil)
	n.act.Hide()
	n.copy = newIcon(of, theme.ContentCopyIcon(), Say("notice.copy.tip"), func() { fyne.CurrentApp().Clipboard().SetContent(n.text()) })
	n.copy.Hide()
	buttons := around(nil, nil, nil, container.NewVBox(container.NewHBox(n.copy, n.close)), padded(4, 4, container.NewVBox(n.act)))
	n.box = on(colorPanel, around(nil, nil, fixed(4, n.edge), buttons, padded(12, 8, n.words.Container)))
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
	n.act.Hide()
	n.copy.Hidden = !failed
	n.box.Show()
	n.edge.Refresh()
	n.words.set(text)
}

// offer puts up a message with what can be done about it, which also takes it away.
func (n *notice) offer(text, label string, failed bool, do func()) {
	n.show(text, failed)
	n.act.SetText(label)
	n.act.OnTapped = do
	n.act.Show()
	n.box.Refresh()
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

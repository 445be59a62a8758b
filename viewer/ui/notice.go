package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// notice is one message between the picture and the sliders: what could not be done and why, or what
// has been done. A newer one takes its place; Esc or its button closes it.
type notice struct {
	box   *fyne.Container
	edge  *tinted
	words *widget.RichText
	close *button
}

func newNotice(of *tips, closed func()) *notice {
	n := &notice{edge: newTinted(theme.ColorNameError)}
	n.words = widget.NewRichText(&widget.TextSegment{Style: widget.RichTextStyle{ColorName: theme.ColorNameForeground, SizeName: theme.SizeNameText}})
	n.words.Wrapping = fyne.TextWrapWord
	n.close = newIcon(of, theme.CancelIcon(), Say("notice.close.tip"), closed)
	n.box = on(colorPanel, container.NewBorder(nil, nil, fixed(4, n.edge), container.NewVBox(n.close), n.words))
	n.box.Hide()
	return n
}

// show puts up a message; failed says that something could not be done.
func (n *notice) show(text string, failed bool) {
	n.edge.name = theme.ColorNamePrimary
	if failed {
		n.edge.name = theme.ColorNameError
	}
	n.words.Segments[0].(*widget.TextSegment).Text = text
	n.box.Show()
	n.edge.Refresh()
	n.words.Refresh()
}

func (n *notice) hide() { n.box.Hide() }

func (n *notice) visible() bool { return n.box.Visible() }

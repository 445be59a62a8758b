package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/viewer"
)

// An asideRow shows the filters that are set aside to compare with, and what can be done with them.
type asideRow struct {
	box  *fyne.Container
	text paragraph
}

func newAsideRow(of *tips, do chainActs) *asideRow {
	r := &asideRow{text: newParagraph("", theme.ColorNameForeground, sizeCaption)}
	swap := newIcon(of, theme.ViewRefreshIcon(), Say("aside.swap.tip"), func() { do.act(viewer.SwapAside()) })
	drop := newIcon(of, theme.CancelIcon(), Say("aside.drop.tip"), func() { do.act(viewer.DropAside()) })
	curtain := newButton(of, Say("compare.curtain"), nil, Say("aside.curtain.tip"), func() { do.compare(viewer.Curtain) })
	difference := newButton(of, Say("compare.difference"), nil, Say("aside.difference.tip"), func() { do.compare(viewer.Difference) })
	r.box = stacked(4, rule(), headed(Say("aside.title"), swap, drop),
		r.text.Container, container.New(halves(8), curtain, difference))
	r.box.Hide()
	return r
}

// update shows a state, and reports whether the row has become taller or less so.
func (r *asideRow) update(s viewer.State) bool {
	changed := r.text.set(s.Aside.String())
	if hide := len(s.Aside) == 0; hide != r.box.Hidden {
		r.box.Hidden, changed = hide, true
	}
	return changed
}

package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// askChannels opens the choice of the channels that a step acts on, below what was pressed.
func (p *chainPanel) askChannels(step int, of fyne.CanvasObject) {
	widget.ShowPopUpMenuAtRelativePosition(p.channelMenu(step), p.canvas(), fyne.NewPos(0, of.Size().Height), of)
}

// channelMenu switches the channels that a step acts on; step -1 is all of the chain. One that is switched off last is all.
func (p *chainPanel) channelMenu(step int) *fyne.Menu {
	m := fyne.NewMenu("")
	s := p.state
	var on []int // of the step, or that all steps have
	for i, one := range s.Chain {
		if which := viewer.ActsOn(one); i == step || step < 0 && i == 0 {
			on = which
		} else if step < 0 && !slices.Equal(which, on) {
			on = nil
		}
	}
	all := fyne.NewMenuItem(Say("chain.which.all"), func() { p.act(viewer.ActOn(step, nil)) })
	all.Checked = on == nil
	m.Items = append(m.Items, all, fyne.NewMenuItemSeparator())
	for c, channel := range s.Channels {
		item := fyne.NewMenuItem(channel.Name, func() {
			next := slices.Clone(on)
			if i := slices.Index(next, c); i >= 0 {
				next = slices.Delete(next, i, i+1)
			} else {
				next = append(next, c)
			}
			p.act(viewer.ActOn(step, next))
		})
		item.Checked = slices.Contains(on, c)
		m.Items = append(m.Items, item)
	}
	return m
}

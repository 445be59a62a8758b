package ui

import (
	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// typed does what a written sign means while no text is being written.
func (v *View) typed(r rune) {
	if v.session == nil || len(v.dialogs) > 0 {
		return
	}
	_, _, normal := v.session.State().Cut.Axes()
	switch r {
	case ',', '<':
		v.act(viewer.Step(normal, -1))
	case '.', '>':
		v.act(viewer.Step(normal, 1))
	case '[':
		v.act(viewer.Step(lazy.T, -1))
	case ']':
		v.act(viewer.Step(lazy.T, 1))
	case '+', '=':
		v.act(viewer.Zoom(1.25))
	case '-':
		v.act(viewer.Zoom(1 / 1.25))
	case 'c', 'C':
		v.act(viewer.Automatic(v.session.State().Active(), viewer.Robust))
	case 'b', 'B':
		v.act(viewer.ShowScaleBar(!v.session.State().ScaleBar))
	case 'i', 'I':
		v.toggleSampling()
	case 'r', 'R':
		v.act(viewer.Fit())
	case '\\':
		v.play(v.playAxis())
	case '?':
		v.Keys()
	}
}

// pressed does what a key means by its name.
func (v *View) pressed(k fyne.KeyName, m fyne.KeyModifier) {
	switch k {
	case fyne.KeyEscape:
		v.escape()
		return
	case fyne.KeyF1:
		v.Keys()
		return
	case fyne.KeyF5:
		if v.session != nil && len(v.dialogs) == 0 {
			v.asks.Reload()
		}
		return
	case fyne.KeyF9:
		v.TogglePanels()
		return
	}
	if v.session == nil || len(v.dialogs) > 0 || m&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0 {
		return
	}
	_, _, normal := v.session.State().Cut.Axes()
	by := 1
	if m&fyne.KeyModifierShift != 0 {
		by = 10
	}
	switch k {
	case fyne.KeyLeft, fyne.KeyUp:
		v.act(viewer.Step(normal, -by))
	case fyne.KeyRight, fyne.KeyDown:
		v.act(viewer.Step(normal, by))
	case fyne.KeyPageUp:
		v.act(viewer.Step(normal, -10))
	case fyne.KeyPageDown:
		v.act(viewer.Step(normal, 10))
	case fyne.KeyHome:
		v.act(viewer.Fit())
	}
	if len(k) == 1 && k[0] >= '1' && k[0] <= '9' {
		if n := int(k[0] - '1'); m&fyne.KeyModifierShift != 0 {
			v.act(viewer.Solo(n))
		} else {
			v.act(viewer.Toggle(n))
		}
	}
}

// escape closes a dialog; without one it stops what goes on: playing, then opening or writing a file, then work for the picture; at
// last it closes the message.
func (v *View) escape() {
	switch {
	case v.dismiss():
	case v.player.on:
		v.stopPlaying()
	case v.asks.Stop():
	case v.session != nil && v.report.Busy:
		v.session.Cancel()
	default:
		v.hush()
	}
}

func (v *View) toggleSampling() {
	if v.session == nil {
		return
	}
	s := viewer.Linear
	if v.session.State().Sampling == viewer.Linear {
		s = viewer.Nearest
	}
	v.act(viewer.SetSampling(s))
}

package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"lamella/viewer"
)

// typed does what a written sign means while no text is being written. A capital letter that means nothing of its
// own is the small one.
func (v *View) typed(r rune) {
	if len(v.dialogs) > 0 || r >= '0' && r <= '9' || r == ' ' { // digits and blanks come as keys too
		return
	}
	if !v.do(string(r)) {
		v.do(strings.ToLower(string(r)))
	}
}

// pressed does what a key means by its name. Keys with Control are shortcuts, and signs are typed.
func (v *View) pressed(k fyne.KeyName, m fyne.KeyModifier) {
	if k == fyne.KeyEscape {
		v.escape()
		return
	}
	sign := len(k) == 1 && (k[0] < '0' || k[0] > '9')
	if len(v.dialogs) > 0 || sign || m&(fyne.KeyModifierControl|fyne.KeyModifierAlt|fyne.KeyModifierSuper) != 0 {
		return
	}
	v.do(pressedKey(k, m))
}

// escape closes a dialog; without one it stops what goes on: playing, then opening or writing a file, then work for the picture; at
// last it closes the message.
func (v *View) escape() {
	switch {
	case v.dismiss():
	case v.blinking != nil:
		v.stopBlinking()
		v.checkMenus()
	case v.player.on:
		v.stopPlaying()
	case v.session != nil && (v.session.State().Pencil.Tool != viewer.NoShape || v.session.State().Chosen >= 0):
		v.act(viewer.Drop())
	case v.objects.stop():
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

package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A wheel turns scroll events into notches. A mouse sends one event of 25 or more a notch, whatever the
// speed says; a touch pad sends many small ones, which add up.
type wheel struct{ sum float32 }

// notch is the least that a mouse wheel sends.
const notch = 25

// steps is how many notches an event amounts to: positive towards the user, which is forward through
// the stack. With Shift held the axes come swapped.
func (w *wheel) steps(e *fyne.ScrollEvent) int {
	d := e.Scrolled.DY
	if d == 0 {
		d = e.Scrolled.DX
	}
	switch {
	case d >= notch:
		w.sum = 0
		return -1
	case d <= -notch:
		w.sum = 0
		return 1
	}
	w.sum += d
	n := int(w.sum / notch)
	w.sum -= float32(n) * notch
	return -n
}

// held is the modifier keys that are down. Fyne's scroll and key events do not say.
func held() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

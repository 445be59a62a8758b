package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// A field is a line of text that is taken over by Enter or by leaving it, and dropped by Esc. The
// arrow keys up and down change a number in it by one of its last digit.
type field struct {
	widget.Entry
	tip   tip
	value string // what was taken over last
	take  func(string)
	whole bool   // the focus selects all of it, to be written over
	left  func() // the focus has gone elsewhere; nil is nothing
	wide  float32
}

func newField(of *tips, hint string, wide float32, take func(string)) *field {
	f := &field{tip: saying(of, hint), take: take, wide: wide}
	f.Wrapping = fyne.TextWrapOff
	f.Scroll = fyne.ScrollNone
	f.OnSubmitted = func(string) {
		f.commit()
		if f.left != nil {
			f.unfocus()
		}
	}
	f.ExtendBaseWidget(f)
	return f
}

// MinSize is as wide as the field was made for.
func (f *field) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	return fyne.NewSize(f.wide, f.Entry.MinSize().Height)
}

// set shows a value unless the user is writing one.
func (f *field) set(v string) {
	if f.value == v {
		return
	}
	writing := f.Text != f.value
	f.value = v
	if !writing {
		f.SetText(v)
	}
}

func (f *field) commit() {
	if f.Text != f.value {
		f.value = f.Text
		f.take(f.Text)
	}
}

// FocusGained begins the writing.
func (f *field) FocusGained() {
	f.Entry.FocusGained()
	if f.whole {
		f.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// FocusLost takes the text over.
func (f *field) FocusLost() {
	f.Entry.FocusLost()
	f.commit()
	if f.left != nil {
		f.left()
	}
}

// TypedKey handles the keys that mean more than in a plain text.
func (f *field) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		f.SetText(f.value)
		f.unfocus()
	case fyne.KeyUp:
		f.nudge(1)
	case fyne.KeyDown:
		f.nudge(-1)
	default:
		f.Entry.TypedKey(e)
	}
}

// TypedShortcut passes on what has Alt in it: such keys move a filter, and mean nothing in a line of text.
func (f *field) TypedShortcut(s fyne.Shortcut) {
	if k, ok := s.(fyne.KeyboardShortcut); ok && k.Mod() == fyne.KeyModifierAlt {
		if c, ok := fyne.CurrentApp().Driver().CanvasForObject(f).(interface{ TypedShortcut(fyne.Shortcut) }); ok {
			c.TypedShortcut(s)
		}
		return
	}
	f.Entry.TypedShortcut(s)
}

func (f *field) unfocus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Unfocus()
	}
}

func (f *field) nudge(by int) {
	if t, ok := nudged(f.Text, by); ok {
		f.SetText(t)
		f.commit()
	}
}

// nudged is a text whose leading number is more by so many of its last digit: "0.4um" becomes "0.5um",
// and 0.1 becomes 0.09 rather than 0.
func nudged(text string, by int) (string, bool) {
	end := 0
	for end < len(text) && strings.ContainsRune("+-.0123456789", rune(text[end])) {
		end++
	}
	v, err := strconv.ParseFloat(text[:end], 64)
	if err != nil || strings.Contains(text, ",") {
		return text, false
	}
	digits := 0
	if dot := strings.IndexByte(text[:end], '.'); dot >= 0 {
		digits = end - dot - 1
	}
	step := 1.0
	for range digits {
		step /= 10
	}
	if next := v + float64(by)*step; v > 0 && next <= 0 && digits > 0 {
		digits, step = digits+1, step/10
	}
	return strconv.FormatFloat(v+float64(by)*step, 'f', digits, 64) + text[end:], true
}

// MouseIn shows the tip above the field.
func (f *field) MouseIn(*desktop.MouseEvent) {
	f.tip.of.enter(&f.tip, f.tip.text(), above(f.tip.of.local(fyne.CurrentApp().Driver().AbsolutePositionForObject(f))))
}

// MouseMoved is of no meaning.
func (f *field) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the tip away.
func (f *field) MouseOut() { f.tip.MouseOut() }

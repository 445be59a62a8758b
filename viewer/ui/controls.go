package ui

import (
	"math"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A button is Fyne's with a tip.
type button struct {
	widget.Button
	tip     tip
	focused bool
}

func newButton(of *tips, text string, icon fyne.Resource, hint string, do func()) *button {
	b := &button{tip: saying(of, hint)}
	b.Text, b.Icon, b.OnTapped = text, icon, do
	b.ExtendBaseWidget(b)
	return b
}

// newIcon is a button that is only its icon until the pointer is over it.
func newIcon(of *tips, icon fyne.Resource, hint string, do func()) *button {
	b := newButton(of, "", icon, hint, do)
	b.Importance = widget.LowImportance
	return b
}

// CreateRenderer shows the focus on any button.
func (b *button) CreateRenderer() fyne.WidgetRenderer {
	return ringed(&b.Button, &b.focused, b.Button.CreateRenderer())
}

func (b *button) FocusGained() {
	b.focused = true
	b.Button.FocusGained()
}

func (b *button) FocusLost() {
	b.focused = false
	b.Button.FocusLost()
}

// TypedKey is the toolkit's, but that Esc and Enter mean here what they mean everywhere.
func (b *button) TypedKey(k *fyne.KeyEvent) {
	switch {
	case b.tip.escapes(k):
	case k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter:
		if !b.Disabled() {
			b.Tapped(&fyne.PointEvent{})
		}
	default:
		b.Button.TypedKey(k)
	}
}

func (b *button) MouseIn(e *desktop.MouseEvent) {
	b.Button.MouseIn(e)
	b.tip.MouseIn(e)
}

func (b *button) MouseOut() {
	b.Button.MouseOut()
	b.tip.MouseOut()
}

func (b *button) Tapped(e *fyne.PointEvent) {
	b.tip.MouseOut()
	b.Button.Tapped(e)
}

// setText shows another text.
func (b *button) setText(text string) {
	if b.Text != text {
		b.SetText(text)
	}
}

// A check is Fyne's with a tip.
type check struct {
	widget.Check
	tip tip
}

func newCheck(of *tips, text, hint string, do func(bool)) *check {
	c := &check{tip: saying(of, hint)}
	c.Text, c.OnChanged = text, do
	c.ExtendBaseWidget(c)
	return c
}

// CreateRenderer has the text stand in the middle of the box.
func (c *check) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	l := &checkLook{WidgetRenderer: c.Check.CreateRenderer()}
	for _, o := range l.Objects() {
		if text, ok := o.(*canvas.Text); ok {
			l.text = text
		}
	}
	return l
}

type checkLook struct {
	fyne.WidgetRenderer
	text *canvas.Text
}

func (l *checkLook) Layout(size fyne.Size) {
	l.WidgetRenderer.Layout(size)
	if l.text != nil {
		l.text.Move(l.text.Position().SubtractXY(0, lift(l.text.Text, l.text.TextSize)))
	}
}

// lift is how much higher a text is to stand, in units, than where the toolkit draws it: a text that begins in a script for which
// another font stands in hangs on the line of that font, in the room that was measured for its own.
func lift(text string, size float32) float32 {
	if first, _ := utf8.DecodeRuneInString(text); first < 0x2e80 || first == utf8.RuneError { // before Chinese, Japanese and Korean
		return 0
	}
	return float32(math.Round(0.11 * float64(size)))
}

// TypedKey is the toolkit's, but that Esc means here what it means everywhere.
func (c *check) TypedKey(k *fyne.KeyEvent) {
	if !c.tip.escapes(k) {
		c.Check.TypedKey(k)
	}
}

func (c *check) MouseIn(e *desktop.MouseEvent) {
	c.Check.MouseIn(e)
	c.tip.MouseIn(e)
}

func (c *check) MouseOut() {
	c.Check.MouseOut()
	c.tip.MouseOut()
}

// set shows a value without telling that it changed.
func (c *check) set(on bool) {
	if c.Checked != on {
		c.Checked = on
		c.Refresh()
	}
}

// A choice is Fyne's select with a tip.
type choice struct {
	widget.Select
	tip tip
}

func newChoice(of *tips, options []string, hint string, do func(string)) *choice {
	c := &choice{tip: saying(of, hint)}
	c.Options, c.OnChanged = options, do
	c.ExtendBaseWidget(c)
	return c
}

// CreateRenderer frames the toolkit's look as fields are framed, for it is of the colour of what it lies on in light dialogs.
func (c *choice) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	l := &choiceLook{WidgetRenderer: c.Select.CreateRenderer()}
	l.frame()
	return l
}

type choiceLook struct{ fyne.WidgetRenderer }

func (l *choiceLook) frame() {
	if ground, ok := l.Objects()[0].(*canvas.Rectangle); ok {
		ground.StrokeColor, ground.StrokeWidth = shade(theme.ColorNameInputBorder), 1
	}
}

func (l *choiceLook) Refresh() {
	l.frame()
	l.WidgetRenderer.Refresh()
}

// MinSize is narrow: the text of a choice is cut where there is no room.
func (c *choice) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return fyne.NewSize(60, c.Select.MinSize().Height)
}

// TypedKey goes from one option to the next by the arrows, where the toolkit opens the list; the space bar and Enter do that. Esc
// means what it means everywhere.
func (c *choice) TypedKey(k *fyne.KeyEvent) {
	i := c.SelectedIndex()
	switch {
	case c.Disabled() || c.tip.escapes(k):
	case k.Name == fyne.KeyUp && i > 0:
		c.SetSelectedIndex(i - 1)
	case k.Name == fyne.KeyDown && i+1 < len(c.Options):
		c.SetSelectedIndex(i + 1)
	case k.Name == fyne.KeyUp || k.Name == fyne.KeyDown:
	case k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter:
		c.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		c.Select.TypedKey(k)
	}
}

func (c *choice) MouseIn(e *desktop.MouseEvent) {
	c.Select.MouseIn(e)
	c.tip.MouseIn(e)
}

func (c *choice) MouseOut() {
	c.Select.MouseOut()
	c.tip.MouseOut()
}

// set shows a value without telling that it changed.
func (c *choice) set(v string) {
	if c.Selected != v {
		c.Selected = v
		c.Refresh()
	}
}

// able enables a control or disables it.
func able(b fyne.Disableable, on bool) {
	if on && b.Disabled() {
		b.Enable()
	} else if !on && !b.Disabled() {
		b.Disable()
	}
}

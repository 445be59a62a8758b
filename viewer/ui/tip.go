package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// tips shows what a control is for when the pointer rests on it. It is a layer above the window's
// contents, of objects that take no events. A dialog lies above that, so it has a layer of its own.
type tips struct {
	layer *fyne.Container   // of what lies on top
	below []*fyne.Container // those of what lies under it
	box   *canvas.Rectangle
	timer *time.Timer
	rest  time.Duration // how long the pointer must rest
	after func(d time.Duration, f func()) *time.Timer
	shown any // the control whose tip is on view or about to be

	escape func() // what Esc does, whatever control has the focus; nil is nothing
}

func newTips() *tips {
	t := &tips{layer: &fyne.Container{}, box: canvas.NewRectangle(nil), rest: 600 * time.Millisecond}
	t.after = func(d time.Duration, f func()) *time.Timer {
		return time.AfterFunc(d, func() { fyne.Do(f) })
	}
	t.box.StrokeWidth = 1
	t.box.CornerRadius = 3
	return t
}

// over shows tips on an overlay of the window, until it is done.
func (t *tips) over(o fyne.CanvasObject) (done func()) {
	layer := &fyne.Container{}
	switch o := o.(type) {
	case *popUp:
		o.above = layer
	case *widget.PopUp:
		c, ok := o.Content.(*fyne.Container)
		if !ok {
			return func() {}
		}
		c.Objects = append(c.Objects, layer) // the toolkit lays out its own by their places before it
	default:
		return func() {}
	}
	n := len(t.below)
	t.below = append(t.below, t.layer)
	t.layer = layer
	return func() {
		t.leave(nil)
		if n < len(t.below) { // else one below it has gone before
			t.layer, t.below = t.below[n], t.below[:n]
		}
	}
}

// spread lets the layer of an overlay cover the window, whose place in it has perhaps changed.
func (t *tips) spread() {
	d := fyne.CurrentApp().Driver()
	if c := d.CanvasForObject(t.layer); c != nil && len(t.below) > 0 {
		t.layer.Move(t.layer.Position().Subtract(d.AbsolutePositionForObject(t.layer)))
		t.layer.Resize(c.Size())
	}
}

// A spot is where a tip of a size goes in a window of a size.
type spot func(tip, window fyne.Size) fyne.Position

// under is below and to the right of the pointer, or on the other side where the window ends.
func under(pointer fyne.Position) spot {
	return func(tip, window fyne.Size) fyne.Position {
		p := pointer.AddXY(12, 18)
		if p.X+tip.Width > window.Width {
			p.X = max(0, window.Width-tip.Width-2)
		}
		if p.Y+tip.Height > window.Height {
			p.Y = max(0, pointer.Y-tip.Height-6)
		}
		return p
	}
}

// above is over a control whose corner is given, for what is wrong with its value is told below it; at
// the window's upper edge it is to the left.
func above(corner fyne.Position) spot {
	return func(tip, window fyne.Size) fyne.Position {
		if tip.Height+4 > corner.Y {
			return fyne.NewPos(max(0, corner.X-tip.Width-8), max(0, corner.Y))
		}
		return fyne.NewPos(max(0, min(corner.X, window.Width-tip.Width-2)), corner.Y-tip.Height-4)
	}
}

// local is a position of the window as the layer counts: without the menu bar above it.
func (t *tips) local(at fyne.Position) fyne.Position {
	t.spread()
	return at.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.layer))
}

// enter begins to wait over a control; text may have several lines.
func (t *tips) enter(control any, text string, at spot) {
	t.leave(control)
	if text == "" {
		return
	}
	t.shown = control
	t.timer = t.after(t.rest, func() {
		if t.shown == control {
			t.show(text, at)
		}
	})
}

// leave takes the tip away.
func (t *tips) leave(any) {
	t.shown = nil
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	if len(t.layer.Objects) > 0 {
		t.layer.Objects = nil
		t.layer.Refresh()
	}
}

// A laying is what moves controls from under the pointer without the toolkit saying so: which panels there are, and how long.
type laying struct {
	there       [8]bool
	filters     int
	arrangement viewer.Arrangement
}

// settled takes a tip away where the panels are others than when it came.
func (v *View) settled() {
	s := v.session.State()
	o := laying{filters: len(s.Chain), arrangement: s.Arrangement}
	for i, box := range [...]fyne.CanvasObject{v.left, v.right, v.objects.box, v.results.box, v.looking.over, v.notice.box, v.standing.box, v.tools.box} {
		o.there[i] = box.Visible()
	}
	if o != v.laid {
		v.laid = o
		v.tips.leave(nil)
	}
}

const tipWidth = 320

func (t *tips) show(text string, at spot) {
	size := theme.Size(sizeCaption)
	lines := wrap(text, tipWidth, func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width })
	t.layer.Objects = []fyne.CanvasObject{t.box}
	t.box.FillColor, t.box.StrokeColor = shade(theme.ColorNameMenuBackground), shade(colorFaint)
	var w, h float32
	const pad = 6
	var texts []*canvas.Text
	for _, l := range lines {
		c := canvas.NewText(l, shade(theme.ColorNameForeground))
		c.TextSize = size
		s := c.MinSize()
		w, h = max(w, s.Width), h+s.Height
		texts = append(texts, c)
		t.layer.Objects = append(t.layer.Objects, c)
	}
	box := fyne.NewSize(w+2*pad, h+2*pad)
	p := at(box, t.layer.Size())
	t.box.Move(p)
	t.box.Resize(box)
	y := p.Y + pad
	for _, c := range texts {
		c.Move(fyne.NewPos(p.X+pad, y))
		c.Resize(c.MinSize())
		y += c.MinSize().Height
	}
	t.layer.Refresh()
}

// A tip is what a control embeds to have one. Its methods are those of desktop.Hoverable, for controls
// that do nothing else when the pointer is over them.
type tip struct {
	of   *tips
	text func() string
}

// MouseIn begins to wait.
func (t *tip) MouseIn(e *desktop.MouseEvent) {
	if t.of != nil && t.text != nil {
		t.of.enter(t, t.text(), under(t.of.local(e.AbsolutePosition)))
	}
}

// MouseMoved is of no meaning.
func (t *tip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the tip away.
func (t *tip) MouseOut() {
	if t.of != nil {
		t.of.leave(t)
	}
}

// escapes reports whether a key is Esc, and if so does what it means.
func (t *tip) escapes(k *fyne.KeyEvent) bool {
	if k.Name != fyne.KeyEscape || t.of == nil || t.of.escape == nil {
		return false
	}
	t.of.escape()
	return true
}

// saying is a tip with a fixed text.
func saying(of *tips, text string) tip { return tip{of, func() string { return text }} }

// wrap breaks a text into lines of at most a width. Chinese has no blanks to break at, so a word that
// is too long breaks anywhere.
func wrap(text string, width float32, measure func(string) float32) []string {
	var lines []string
	line, word := "", ""
	put := func() {
		if line != "" && measure(line+word) > width {
			lines, line = append(lines, trimmed(line)), ""
		}
		line, word = line+word, ""
	}
	for _, r := range text {
		switch {
		case r == '\n':
			put()
			lines, line = append(lines, trimmed(line)), ""
		case r == ' ' || r > 0x2e80:
			word += string(r)
			put()
		default:
			word += string(r)
		}
	}
	put()
	return append(lines, trimmed(line))
}

func trimmed(s string) string {
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

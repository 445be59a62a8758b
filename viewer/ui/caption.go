package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A caption is a line of text of one of two sizes and a colour of the theme, cut with dots where it is
// too long for its place.
type caption struct {
	widget.BaseWidget
	words string
	name  fyne.ThemeColorName
	size  fyne.ThemeSizeName
	align fyne.TextAlign
	bold  bool
	mono  bool // letters of one width
}

func newCaption(words string, n fyne.ThemeColorName, s fyne.ThemeSizeName) *caption {
	c := &caption{words: words, name: n, size: s}
	c.ExtendBaseWidget(c)
	return c
}

// heading names a part of a panel.
func heading(words string) *caption {
	c := newCaption(words, theme.ColorNamePlaceHolder, sizeCaption)
	c.bold = true
	return c
}

func small(words string) *caption {
	return newCaption(words, theme.ColorNamePlaceHolder, sizeCaption)
}

func (c *caption) set(words string) {
	if c.words != words {
		c.words = words
		c.Refresh()
	}
}

// CreateRenderer draws the line.
func (c *caption) CreateRenderer() fyne.WidgetRenderer {
	r := &captionLook{c: c, text: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type captionLook struct {
	c    *caption
	text *canvas.Text
}

func (r *captionLook) Layout(s fyne.Size) {
	r.text.Text = r.c.words
	if s.Width > 0 && r.text.MinSize().Width > s.Width {
		letters := []rune(r.c.words)
		for len(letters) > 0 && r.text.MinSize().Width > s.Width {
			letters = letters[:len(letters)-1]
			r.text.Text = string(letters) + "…"
		}
	}
	h := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(0, (s.Height-h)/2-lift(r.text.Text, r.text.TextSize)))
	r.text.Resize(fyne.NewSize(s.Width, h))
}

func (r *captionLook) MinSize() fyne.Size {
	return fyne.NewSize(8, fyne.MeasureText("Mg", theme.Size(r.c.size), r.text.TextStyle).Height)
}
func (r *captionLook) Destroy()                     {}
func (r *captionLook) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }
func (r *captionLook) Refresh() {
	r.text.Color, r.text.TextSize, r.text.Alignment = shade(r.c.name), theme.Size(r.c.size), r.c.align
	r.text.TextStyle = fyne.TextStyle{Bold: r.c.bold, Monospace: r.c.mono}
	r.Layout(r.c.Size())
	canvas.Refresh(r.text)
}

// paint gives the line another colour.
func (c *caption) paint(n fyne.ThemeColorName) {
	if c.name != n {
		c.name = n
		c.Refresh()
	}
}

// A told is a caption with a tip.
type told struct {
	caption
	tip
}

func newTold(of *tips, hint string, n fyne.ThemeColorName, s fyne.ThemeSizeName) *told {
	t := &told{tip: saying(of, hint)}
	t.name, t.size = n, s
	t.ExtendBaseWidget(t)
	return t
}

func (t *told) set(words string) {
	if t.words != words {
		t.words = words
		t.Refresh()
	}
}

// A paragraph is words that break into lines at the width there is.
type paragraph struct {
	*fyne.Container
	rich *widget.RichText
}

func newParagraph(words string, n fyne.ThemeColorName, s fyne.ThemeSizeName) paragraph {
	rich := widget.NewRichText(&widget.TextSegment{Text: words, Style: widget.RichTextStyle{ColorName: n, SizeName: s}})
	rich.Wrapping = fyne.TextWrapWord
	pad := -theme.InnerPadding() // the toolkit's own padding, which would break the left edge of a panel
	return paragraph{padded(pad, pad, rich), rich}
}

// set shows other words, and reports whether they are others.
func (p paragraph) set(words string) bool {
	s := p.rich.Segments[0].(*widget.TextSegment)
	if s.Text == words {
		return false
	}
	s.Text = words
	p.rich.Refresh()
	return true
}

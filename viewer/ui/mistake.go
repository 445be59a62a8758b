package ui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"lamella/viewer"
)

// A mistakeBox says whether the picture shows the text, and if not, what is wrong with it: the line of the text
// with a mark under the place, and what was expected there in words. It keeps the room for that, so that
// nothing below moves while a text is written.
type mistakeBox struct {
	box    *fyne.Container
	state  *caption
	line   *markedLine
	words  paragraph
	broken bool
}

func newMistakeBox() *mistakeBox {
	m := &mistakeBox{line: &markedLine{}, state: small("")}
	m.line.ExtendBaseWidget(m.line)
	m.words = newParagraph("", theme.ColorNameError, sizeCaption)
	m.box = stacked(2, m.state, m.line, m.words.Container)
	return m
}

// set shows a mistake of a text, or with nil that there is none. It reports whether the box is of another
// height.
func (m *mistakeBox) set(text string, wrong *viewer.Mistake) bool {
	if m.broken = wrong != nil; !m.broken {
		m.state.set(Say("stencil.shown"))
		m.line.set("", 0)
		return m.words.set("")
	}
	m.state.set(Say("stencil.stays"))
	lines := strings.Split(text, "\n")
	line := ""
	if wrong.Line <= len(lines) {
		line = lines[wrong.Line-1]
	}
	m.line.set(line, wrong.Column)
	at := Say("stencil.column", "Column", strconv.Itoa(wrong.Column))
	if len(lines) > 1 {
		at = Say("stencil.line", "Line", strconv.Itoa(wrong.Line), "Column", strconv.Itoa(wrong.Column))
	}
	return m.words.set(at + problem(wrong.Problem))
}

// A markedLine is a line of a text with a bar under one of its letters. Of a long line the part around that
// letter is shown.
type markedLine struct {
	widget.BaseWidget
	line   string
	column int // counted from 1; beyond the line is after its end, and 0 is none
}

func (p *markedLine) set(line string, column int) {
	if p.line != line || p.column != column {
		p.line, p.column = line, column
		p.Refresh()
	}
}

// cutAround cuts a line to at most so many letters about a column, with dots where it goes on, and says which
// column of the result it is.
func cutAround(line string, column, most int) (string, int) {
	letters := []rune(strings.ReplaceAll(line, "\t", " "))
	column = max(1, min(len(letters)+1, column))
	if len(letters) <= most {
		return string(letters), column
	}
	from := max(0, min(len(letters)-most, column-1-most*2/3))
	to := from + most
	cut, shift := string(letters[from:to]), from
	if to < len(letters) {
		cut = string(letters[from:to-1]) + "…"
	}
	if from > 0 {
		cut = "…" + string([]rune(cut)[1:])
	}
	return cut, column - shift
}

// CreateRenderer draws the line and the bar.
func (p *markedLine) CreateRenderer() fyne.WidgetRenderer {
	l := &markedLook{p: p, text: canvas.NewText("", nil), bar: canvas.NewRectangle(nil)}
	l.text.TextStyle.Monospace = true
	l.Refresh()
	return l
}

type markedLook struct {
	p    *markedLine
	text *canvas.Text
	bar  *canvas.Rectangle
}

var monospace = fyne.TextStyle{Monospace: true}

func (l *markedLook) Layout(s fyne.Size) {
	l.bar.Hidden = l.p.column == 0
	letter := fyne.MeasureText("0", l.text.TextSize, monospace)
	most := max(8, int(s.Width/letter.Width))
	line, column := cutAround(l.p.line, l.p.column, most)
	l.text.Text = line
	letters := []rune(line)
	before := fyne.MeasureText(string(letters[:column-1]), l.text.TextSize, monospace)
	if column == 1 {
		before = fyne.NewSize(0, letter.Height)
	}
	width := letter.Width
	if column <= len(letters) {
		width = fyne.MeasureText(string(letters[column-1]), l.text.TextSize, monospace).Width
	}
	l.text.Move(fyne.NewPos(0, 0))
	l.text.Resize(fyne.NewSize(s.Width, letter.Height))
	l.bar.Move(fyne.NewPos(min(before.Width, s.Width-width), letter.Height))
	l.bar.Resize(fyne.NewSize(width, 2))
}

func (l *markedLook) MinSize() fyne.Size {
	return fyne.NewSize(8, fyne.MeasureText("Mg", theme.Size(sizeCaption), monospace).Height+4)
}

func (l *markedLook) Refresh() {
	l.text.TextSize = theme.Size(sizeCaption)
	l.text.Color, l.bar.FillColor = shade(theme.ColorNameForeground), shade(theme.ColorNameError)
	l.Layout(l.p.Size())
	canvas.Refresh(l.p)
}

func (l *markedLook) Destroy()                     {}
func (l *markedLook) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.text, l.bar} }

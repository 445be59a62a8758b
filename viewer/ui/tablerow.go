package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A tableColumn is one of a table.
type tableColumn struct {
	title string // its heading, or the key of it
	wide  float32
	words bool // stands at the left, as numbers do not
}

// width is that of columns together.
func width(all []tableColumn) (wide float32) {
	for _, c := range all {
		wide += c.wide
	}
	return wide
}

// A tableRow is a line of a table: words at the left, numbers at the right of their columns.
type tableRow struct {
	widget.BaseWidget
	columns []tableColumn
	texts   []string
	chosen  bool
	heading bool
}

func newTableRow(columns []tableColumn) *tableRow {
	r := &tableRow{columns: columns, texts: make([]string, len(columns))}
	r.ExtendBaseWidget(r)
	return r
}

func (r *tableRow) set(texts []string, chosen bool) {
	if !slices.Equal(r.texts, texts) || r.chosen != chosen {
		r.texts, r.chosen = slices.Clone(texts), chosen
		r.Refresh()
	}
}

// CreateRenderer draws the line.
func (r *tableRow) CreateRenderer() fyne.WidgetRenderer {
	l := &tableLook{r: r, mark: newTinted(colorCurrent)}
	l.Refresh()
	return l
}

type tableLook struct {
	r     *tableRow
	mark  *tinted
	cells []*caption
}

func (l *tableLook) Layout(s fyne.Size) {
	l.mark.Resize(s)
	x := float32(4)
	for i, c := range l.r.columns {
		l.cells[i].Move(fyne.NewPos(x, 0))
		l.cells[i].Resize(fyne.NewSize(c.wide-6, s.Height))
		x += c.wide
		l.cells[i].Hidden = x > s.Width+6 // there is no room
	}
}

func (l *tableLook) Refresh() {
	for len(l.cells) < len(l.r.columns) {
		l.cells = append(l.cells, newCaption("", theme.ColorNameForeground, sizeCaption))
	}
	l.cells = l.cells[:len(l.r.columns)]
	l.mark.Hidden = !l.r.chosen
	for i, c := range l.cells {
		c.name, c.align = theme.ColorNameForeground, fyne.TextAlignTrailing
		if l.r.columns[i].words {
			c.align = fyne.TextAlignLeading
		}
		if l.r.heading {
			c.name = theme.ColorNamePlaceHolder
		}
		c.words = l.r.texts[i]
		c.Refresh()
	}
	l.Layout(l.r.Size())
}

func (l *tableLook) MinSize() fyne.Size { return fyne.NewSize(100, 18) }
func (l *tableLook) Destroy()           {}
func (l *tableLook) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{l.mark}
	for _, c := range l.cells {
		o = append(o, c)
	}
	return o
}

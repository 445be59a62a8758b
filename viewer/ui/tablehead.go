package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// A tableHead is the heading of a table that is sorted by its columns: by a click, or with ← → and Enter. The column that it is
// sorted by has an arrow.
type tableHead struct {
	tableRow
	tip
	by      int  // the column
	down    bool // the greatest comes first
	at      int  // the column that the keys are on
	focused bool
	sorted  func(by int, down bool)
}

var (
	_ fyne.Tappable      = (*tableHead)(nil)
	_ fyne.Focusable     = (*tableHead)(nil)
	_ desktop.Cursorable = (*tableHead)(nil)
)

func newTableHead(of *tips, hint string, columns []tableColumn, sorted func(by int, down bool)) *tableHead {
	h := &tableHead{tip: saying(of, hint), sorted: sorted}
	h.heading = true
	h.ExtendBaseWidget(h)
	h.head(columns)
	return h
}

// CreateRenderer draws the heading.
func (h *tableHead) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	return h.tableRow.CreateRenderer()
}

// head shows other columns.
func (h *tableHead) head(columns []tableColumn) {
	h.columns = columns
	h.by, h.at = min(h.by, len(columns)-1), min(h.at, len(columns)-1)
	h.texts = make([]string, len(columns))
	for i, c := range columns {
		h.texts[i] = c.title
		switch {
		case i == h.by && h.down:
			h.texts[i] += " ↓"
		case i == h.by:
			h.texts[i] += " ↑"
		}
		if h.focused && i == h.at {
			h.texts[i] = "[" + h.texts[i] + "]"
		}
	}
	h.Refresh()
}

// sort sorts by a column, or the other way round.
func (h *tableHead) sort(by int) {
	h.down = by == h.by && !h.down
	h.by, h.at = by, by
	h.head(h.columns)
	h.sorted(h.by, h.down)
}

// Tapped sorts by the column under the pointer.
func (h *tableHead) Tapped(e *fyne.PointEvent) {
	x := float32(4)
	for i, c := range h.columns {
		if x += c.wide; e.Position.X < x {
			h.sort(i)
			return
		}
	}
}

// Cursor is a hand.
func (h *tableHead) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained and FocusLost show whether keys go to the heading.
func (h *tableHead) FocusGained() { h.focused = true; h.head(h.columns) }

// FocusLost takes the mark away.
func (h *tableHead) FocusLost() { h.focused = false; h.head(h.columns) }

// TypedRune does nothing.
func (h *tableHead) TypedRune(rune) {}

// TypedKey goes to another column or sorts by it.
func (h *tableHead) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		h.at = max(0, h.at-1)
	case fyne.KeyRight:
		h.at = min(len(h.columns)-1, h.at+1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		h.sort(h.at)
	}
	h.head(h.columns)
}

// rowHigh is how tall a line of a table is.
const rowHigh = 18

// MinSize is that of a line.
func (h *tableHead) MinSize() fyne.Size {
	return fyne.NewSize(100, max(rowHigh, fyne.MeasureText("Mg", theme.Size(sizeCaption), fyne.TextStyle{}).Height))
}

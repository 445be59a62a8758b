package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// A code is a text of several lines in letters of one width. Every change of it is told at once. Tab goes
// on to the next control and Esc back to the picture, as from any other control.
type code struct {
	widget.Entry
	tip     tip
	do      codeActs
	high    int  // lines on view
	setting bool // the text is being replaced from outside, which is nothing to tell
}

// codeActs is what a text asks for.
type codeActs struct {
	wrote  func(text string)
	settle func() // the writing has come to an end
	leave  func() // back to the picture
	undo   func() // of what was done before the writing
	redo   func()
}

func newCode(of *tips, hint string, rows int, do codeActs) *code {
	c := &code{tip: saying(of, hint), do: do}
	c.MultiLine = true
	c.TextStyle.Monospace = true
	c.Wrapping = fyne.TextWrapWord
	c.Scroll = fyne.ScrollVerticalOnly
	c.OnChanged = func(text string) {
		if !c.setting {
			do.wrote(text)
		}
	}
	c.ExtendBaseWidget(c)
	c.rows(rows)
	return c
}

// rows has so many lines on view, and reports whether they were others before.
func (c *code) rows(n int) bool {
	if c.high == n {
		return false
	}
	c.high = n
	c.SetMinRowsVisible(n)
	return true
}

// set shows another text, and puts the cursor at its end.
func (c *code) set(text string) {
	if c.Text == text {
		return
	}
	c.setting = true
	c.SetText(text)
	c.setting = false
	c.toEnd()
}

func (c *code) toEnd() {
	c.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // the last letter
}

// MinSize is narrow: lines break where there is no room.
func (c *code) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	return fyne.NewSize(120, c.Entry.MinSize().Height)
}

// AcceptsTab leaves Tab to the window.
func (c *code) AcceptsTab() bool { return false }

// FocusLost ends the writing.
func (c *code) FocusLost() {
	c.Entry.FocusLost()
	c.do.settle()
}

// TypedKey handles the keys that mean more than in a plain text.
func (c *code) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		c.do.leave()
		return
	}
	c.Entry.TypedKey(e)
}

// TypedShortcut undoes the writing letter by letter, and then what was done before it.
func (c *code) TypedShortcut(s fyne.Shortcut) {
	was := c.Text
	c.Entry.TypedShortcut(s)
	if c.Text != was {
		return
	}
	switch s.(type) {
	case *fyne.ShortcutUndo:
		c.do.undo()
	case *fyne.ShortcutRedo:
		c.do.redo()
	}
}

// MouseIn shows the tip above the text.
func (c *code) MouseIn(*desktop.MouseEvent) {
	c.tip.of.enter(&c.tip, c.tip.text(), above(c.tip.of.local(fyne.CurrentApp().Driver().AbsolutePositionForObject(c))))
}

// MouseMoved is of no meaning.
func (c *code) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the tip away.
func (c *code) MouseOut() { c.tip.MouseOut() }

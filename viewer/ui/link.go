package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// A link is a caption that does something when it is clicked; it lights up under the pointer.
type link struct {
	caption
	tip
	press func()
	calm  fyne.ThemeColorName // its colour while the pointer is elsewhere
}

var (
	_ fyne.Tappable      = (*link)(nil)
	_ desktop.Hoverable  = (*link)(nil)
	_ desktop.Cursorable = (*link)(nil)
)

func newLink(of *tips, hint string, s fyne.ThemeSizeName, press func()) *link {
	l := &link{tip: saying(of, hint), press: press, calm: theme.ColorNamePlaceHolder}
	l.name, l.size = l.calm, s
	l.ExtendBaseWidget(l)
	return l
}

func (l *link) set(words string) {
	if l.words != words {
		l.words = words
		l.Refresh()
	}
}

func (l *link) shade(n fyne.ThemeColorName) {
	if l.name != n {
		l.name = n
		l.Refresh()
	}
}

// Tapped does it.
func (l *link) Tapped(*fyne.PointEvent) {
	l.tip.MouseOut()
	l.press()
}

// MouseIn lights the words.
func (l *link) MouseIn(e *desktop.MouseEvent) {
	l.shade(theme.ColorNameForeground)
	l.tip.MouseIn(e)
}

// MouseOut takes the light away.
func (l *link) MouseOut() {
	l.shade(l.calm)
	l.tip.MouseOut()
}

// Cursor is a hand.
func (l *link) Cursor() desktop.Cursor { return desktop.PointerCursor }

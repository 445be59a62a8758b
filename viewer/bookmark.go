package viewer

import (
	"slices"
	"strings"

	"lamella/lazy"
)

// A Bookmark is a place to come back to.
type Bookmark struct {
	Name   string // that a person gave it; "" is called by its place
	Cut    Orientation
	At     lazy.Index
	Zoom   float64
	Center [lazy.Rank]float64
	Fitted bool
}

// AddBookmark keeps the place on view.
func AddBookmark(name string) Action {
	return func(_ *Scene, s State) State {
		s.Bookmarks = append(slices.Clone(s.Bookmarks), Bookmark{name, s.Cut, s.At, s.Zoom, s.Center, s.Fitted})
		return s
	}
}

// NameBookmark gives a bookmark a name; without one it is called by its place.
func NameBookmark(i int, name string) Action {
	return func(_ *Scene, s State) State {
		if i >= 0 && i < len(s.Bookmarks) {
			s.Bookmarks = slices.Clone(s.Bookmarks)
			s.Bookmarks[i].Name = strings.TrimSpace(name)
		}
		return s
	}
}

// GoTo goes to a bookmark.
func GoTo(i int) Action {
	return func(_ *Scene, s State) State {
		if i < 0 || i >= len(s.Bookmarks) {
			return s
		}
		b := s.Bookmarks[i]
		s.Cut, s.At, s.Zoom, s.Center, s.Fitted = b.Cut, b.At, b.Zoom, b.Center, b.Fitted
		return s
	}
}

// RemoveBookmark forgets a bookmark.
func RemoveBookmark(i int) Action {
	return func(_ *Scene, s State) State {
		if i >= 0 && i < len(s.Bookmarks) {
			s.Bookmarks = slices.Delete(slices.Clone(s.Bookmarks), i, i+1)
		}
		return s
	}
}

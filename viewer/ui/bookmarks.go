package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"lamella/lazy"
	"lamella/viewer"
)

// bookmarkMenu lists the places to come back to.
func (v *View) bookmarkMenu() *fyne.MenuItem {
	m := entry("menu.bookmarks", nil, nil)
	add := entry("menu.bookmark.add", ctrl(fyne.KeyB), func() { v.act(viewer.AddBookmark("")); v.menus() })
	remove := entry("menu.bookmark.remove", nil, func() {
		if v.session != nil {
			v.act(viewer.RemoveBookmark(len(v.session.State().Bookmarks) - 1))
			v.menus()
		}
	})
	m.ChildMenu = fyne.NewMenu("", add)
	v.marked = nil
	if v.session == nil {
		add.Disabled = true
		return m
	}
	v.marked = v.session.State().Bookmarks
	if len(v.marked) > 0 {
		m.ChildMenu.Items = append(m.ChildMenu.Items, remove, fyne.NewMenuItemSeparator())
	}
	for i, b := range v.marked {
		m.ChildMenu.Items = append(m.ChildMenu.Items, fyne.NewMenuItem(strconv.Itoa(i+1)+"  "+bookmarkName(v.session.Scene(), b), func() { v.act(viewer.GoTo(i)) }))
	}
	return m
}

// marks has the menu list other bookmarks, as after undo.
func (v *View) marks(s viewer.State) {
	if !slices.Equal(v.marked, s.Bookmarks) {
		v.menus()
	}
}

// bookmarkName is what a place is called: by its plane and its time, counted from 1.
func bookmarkName(sc *viewer.Scene, b viewer.Bookmark) string {
	if b.Name != "" {
		return b.Name
	}
	parts := []string{strings.ToUpper(b.Cut.String())}
	_, _, normal := b.Cut.Axes()
	for _, a := range []lazy.Axis{normal, lazy.T} {
		if sc.Meta().Shape[a] > 1 {
			parts = append(parts, a.String()+" "+group(b.At[a]+1))
		}
	}
	if !b.Fitted {
		parts = append(parts, percent(b.Zoom))
	}
	return strings.Join(parts, "  ")
}

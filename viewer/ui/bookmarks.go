package ui

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"lamella/lazy"
	"lamella/viewer"
)

// bookmarkMenu lists the places to come back to.
func (v *View) bookmarkMenu() *fyne.MenuItem {
	m := entry("menu.bookmarks", nil, nil)
	add, list := entry("menu.bookmark.add", ctrl(fyne.KeyB), v.addBookmark), entry("menu.bookmark.list", ctrlAlt(fyne.KeyB), v.Bookmarks)
	m.ChildMenu = fyne.NewMenu("", add, list)
	v.marked = nil
	if v.session == nil {
		add.Disabled, list.Disabled = true, true
		return m
	}
	v.marked = v.session.State().Bookmarks
	list.Disabled = len(v.marked) == 0
	if len(v.marked) > 0 {
		m.ChildMenu.Items = append(m.ChildMenu.Items, fyne.NewMenuItemSeparator())
	}
	for i, b := range v.marked {
		m.ChildMenu.Items = append(m.ChildMenu.Items, fyne.NewMenuItem(strconv.Itoa(i+1)+"  "+bookmarkName(v.session.Scene(), b), func() { v.act(viewer.GoTo(i)) }))
	}
	return m
}

// addBookmark keeps the place on view and says so.
func (v *View) addBookmark() {
	if v.session == nil {
		return
	}
	v.act(viewer.AddBookmark(""))
	v.menus()
	all := v.session.State().Bookmarks
	v.Note(Say("bookmark.kept", "N", group(len(all)), "Name", bookmarkPlace(v.session.Scene(), all[len(all)-1])))
}

// Bookmarks is a sheet of the places to come back to: to go to, to give names, to forget.
func (v *View) Bookmarks() {
	if v.session == nil || len(v.session.State().Bookmarks) == 0 || len(v.dialogs) > 0 {
		return
	}
	list := stacked(6)
	scroll := container.NewVScroll(list)
	d := v.newSheet(Say("menu.bookmarks"), fixed(520, scroll))
	var fill func() *dialogEntry
	fill = func() (first *dialogEntry) {
		list.Objects = nil
		sc := v.session.Scene()
		for i, b := range v.session.State().Bookmarks {
			leave := func() {
				d.Hide()
				v.settle()
				v.act(viewer.GoTo(i))
			}
			name := v.newHintedEntry(b.Name, Say("bookmark.name.tip"))
			name.SetPlaceHolder(Say("bookmark.name"))
			name.OnChanged = func(text string) { v.drag(viewer.NameBookmark(i, text)) }
			name.OnSubmitted = func(string) { leave() }
			if first == nil {
				first = name
			}
			forget := newIcon(v.tips, theme.DeleteIcon(), Say("bookmark.forget.tip"), func() {
				v.settle()
				v.act(viewer.RemoveBookmark(i))
				if len(v.session.State().Bookmarks) == 0 {
					d.Hide()
					return
				}
				v.window.Canvas().Focus(fill())
			})
			place := newTold(v.tips, Say("bookmark.name.tip"), theme.ColorNamePlaceHolder, sizeCaption)
			place.set(bookmarkPlace(sc, b))
			list.Add(around(nil, nil, fixed(24, small(strconv.Itoa(i+1))), container.NewHBox(fixed(170, padded(8, 0, place)), newIcon(v.tips, theme.NavigateNextIcon(), Say("bookmark.go.tip"), leave), forget), name))
		}
		scroll.SetMinSize(fyne.NewSize(0, min(320, list.MinSize().Height)))
		list.Refresh()
		return first
	}
	first := fill()
	v.Ask(d)
	v.window.Canvas().Focus(first)
}

// marks has the menu list other bookmarks, as after undo.
func (v *View) marks(s viewer.State) {
	if !slices.Equal(v.marked, s.Bookmarks) {
		v.menus()
	}
}

// bookmarkName is what a place is called.
func bookmarkName(sc *viewer.Scene, b viewer.Bookmark) string {
	if b.Name != "" {
		return b.Name
	}
	return bookmarkPlace(sc, b)
}

// bookmarkPlace is where a place is: its plane and its time, counted from 1.
func bookmarkPlace(sc *viewer.Scene, b viewer.Bookmark) string {
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

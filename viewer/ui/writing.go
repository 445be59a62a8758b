package ui

import "lamella/viewer"

// writeWide is how wide the panel of filters is while a formula is written in it.
const writeWide = 400

// write makes room for the editor when it opens, puts it on view with the cursor in it, and gives the room
// back when it closes. The picture stays beside it, so that every change is seen.
func (v *View) write(d viewer.Draft) {
	was := v.writing
	v.writing = d
	if d.Open == was.Open && d.Step == was.Step {
		return
	}
	wide := float32(rightWide)
	if d.Open {
		wide = writeWide
	}
	v.right.Layout = fixedWidth(wide)
	if d.Open && v.right.Hidden {
		v.TogglePanels()
	}
	v.middle.Refresh()
	v.notices.Refresh()
	row := v.chain.written(d)
	switch {
	case row == nil && was.Open:
		v.pane.takeFocus()
	case row != nil && !was.Open:
		v.filters.ScrollToOffset(row.box.Position().AddXY(0, v.chain.list.Position().Y+panelRoom))
		v.window.Canvas().Focus(row.stencil.code)
		row.stencil.code.toEnd()
	}
}

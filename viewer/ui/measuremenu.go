package ui

import (
	"fyne.io/fyne/v2"

	"lamella/viewer"
)

// measureMenu chooses what is drawn and what becomes of it.
func (v *View) measureMenu() *fyne.Menu {
	m := fyne.NewMenu(Say("menu.measure"))
	for _, t := range tools {
		m.Items = append(m.Items, entry("menu.tool."+t.name, nil, func() { v.take(t.kind) }))
	}
	m.Items = append(m.Items, fyne.NewMenuItemSeparator(),
		entry("menu.results", nil, v.ToggleResults),
		entry("menu.results.save", nil, v.asks.ExportResults),
		entry("menu.results.profile", nil, v.asks.ExportProfile),
		fyne.NewMenuItemSeparator(),
		entry("menu.objects", nil, v.ToggleObjects),
		entry("menu.objects.save", nil, func() { v.asks.ExportObjects() }),
		fyne.NewMenuItemSeparator(),
		entry("menu.rois.open", nil, v.asks.OpenROIs), entry("menu.rois.save", nil, v.asks.SaveROIs),
		fyne.NewMenuItemSeparator(),
		entry("menu.shape.remove", nil, func() { v.act(viewer.RemoveShape(-1)) }),
		entry("menu.shapes.remove", nil, func() { v.act(viewer.RemoveShapes()) }))
	return m
}

// Measured is the table of results as it is on view.
func (v *View) Measured() []viewer.Measurement { return v.results.rows }

// Plotted is what the plot shows: the names of the channels and their profiles.
func (v *View) Plotted() (names []string, profiles []viewer.Profile) {
	for i, c := range v.results.plot.curves {
		if i < len(v.results.asked.channels) {
			names = append(names, v.session.State().Channels[v.results.asked.channels[i]].Name)
			profiles = append(profiles, c.Profile)
		}
	}
	return names, profiles
}

// AddShapes draws shapes, as one step to undo, with the results on view.
func (v *View) AddShapes(shapes []viewer.Shape) {
	if v.session == nil {
		return
	}
	for _, h := range shapes {
		v.session.Drag(viewer.AddShape(h))
	}
	v.session.Settle()
	v.act(viewer.Choose(v.session.State().Chosen))
	if v.results.box.Hidden {
		v.ToggleResults()
	}
}

// take chooses a tool, and has the results on view once there is something to measure with.
func (v *View) take(k viewer.ShapeKind) {
	if v.session == nil {
		return
	}
	if k != viewer.NoShape && v.results.box.Hidden {
		v.ToggleResults()
	}
	v.act(viewer.Take(k))
	v.pane.takeFocus()
}

// Package ui is the window's contents, in widgets of Fyne. It shows what package viewer says and turns
// clicks, keys and the wheel into viewer's Actions; it computes nothing, and it never waits.
//
//	view := ui.New(window, ui.Asks{Open: chooseFile})
//	session, err := viewer.Open(&set, view.Options(engine))
//	view.Show(session, "embryo.ome.zarr")
//
// The package does not import fyne/app, so its tests need neither a display nor OpenGL.
package ui

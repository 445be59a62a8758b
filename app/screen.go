//go:build !headless

package main

import (
	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// fitScreen makes the window no larger than the screen, whose size Fyne does not tell. It runs on the
// toolkit's goroutine once the window is up: before, the scale is not known.
func (w *window) fitScreen() {
	m := glfw.GetPrimaryMonitor()
	if m == nil {
		return
	}
	_, _, width, height := m.GetWorkarea()
	c := w.win.Canvas()
	if size := within(c.Size(), width, height, c.Scale()); size != c.Size() {
		w.win.Resize(size)
	}
}

// within is a size cut to a screen of so many device pixels, of which a unit takes scale, less what the
// desktop draws around a window.
func within(size fyne.Size, width, height int, scale float32) fyne.Size {
	if width <= 0 || height <= 0 || scale <= 0 {
		return size
	}
	const frame = 40 // device pixels, for a title bar
	return fyne.NewSize(min(size.Width, float32(width)/scale), min(size.Height, float32(height-frame)/scale))
}

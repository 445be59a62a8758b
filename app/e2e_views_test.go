//go:build !headless

package main

import "testing"

func TestThreePicturesASlabAndBackAgain(t *testing.T) {
	p := newScreen(t).start("sample:cells — Lamella", "sample:cells")
	p.xdotool("mousemove", "600", "350", "click", "1")
	first := p.steady()
	three := p.changes("three pictures", func() { p.key("slash") })
	p.xdotool("mousemove", "480", "260")
	if moved := p.changes("the crosshair elsewhere", func() { p.xdotool("click", "1") }); moved == three {
		t.Error("a click did not move the crosshair")
	}
	if back := p.changes("one picture", func() { p.key("slash") }); back != first {
		t.Error("back from three pictures the one is another")
	}
	p.changes("a slab", func() { p.key("braceright", "braceright") })
	if back := p.changes("a plane", func() { p.key("braceleft", "braceleft") }); back != first {
		t.Error("a slab there and back gives another picture")
	}
	p.changes("the storage grid", func() { p.key("x") })
	p.quit()
}

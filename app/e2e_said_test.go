//go:build !headless

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that says nothing of sizes is given one, and is read again when it has become another.
func TestASizeIsSetAndAFileIsReadAgain(t *testing.T) {
	s := newScreen(t)
	dir := t.TempDir()
	path, next := filepath.Join(dir, "a.npy"), filepath.Join(dir, "next.npy")
	run(t, "export", "sample:random?shape=6x40x50&seed=1", "--out", path)
	run(t, "export", "sample:random?shape=6x40x50&seed=2", "--out", next)
	p := s.start("a.npy — Lamella", path)
	p.xdotool("mousemove", "600", "350")
	before := p.steady()
	p.xdotool("mousemove", "500", "36", "click", "1") // the caption says that the size is not known
	p.waitFor("the sheet", func() bool { return p.picture() != before })
	p.typed("2")
	p.key("Tab")
	p.typed("1000 nm")
	p.key("Return", "Escape", "Escape")
	p.xdotool("mousemove", "600", "350")
	if p.steady() == before {
		t.Error("with voxels twice as wide as high it is the same picture")
	}
	p.key("ctrl+z", "ctrl+z")
	p.waitFor("the picture before", func() bool { return p.picture() == before })
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	p.changes("what was read again", func() { p.key("F5") })
	p.changes("the message gone", func() { p.key("Escape") })
	if p.steady() == before {
		t.Error("read again, the file of other voxels gives the same picture")
	}
	p.quit()
}

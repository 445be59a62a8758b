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
	s.area = "720x400+260+220" // below messages, which go by themselves
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
	p.quit()
}

// Chunks that are written while the metadata stay are seen on Reload, and without it by one who follows.
func TestChunksOfAZarrThatAreWrittenAgainAreSeen(t *testing.T) {
	s := newScreen(t)
	s.area = "720x400+260+220" // below messages
	dir := t.TempDir()
	path, next := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "next.zarr")
	run(t, "export", "sample:random?shape=6x40x50&seed=1", "--out", path)
	run(t, "export", "sample:random?shape=6x40x50&seed=2", "--out", next)
	p := s.start("a.zarr — Lamella", path)
	p.xdotool("mousemove", "600", "350")
	first := p.steady()
	exchange(t, path, next)
	second := p.changes("the chunks read again", func() { p.key("F5") })
	p.command("follow")
	p.waitFor("the picture behind the list of commands", func() bool { return p.picture() == second })
	exchange(t, path, next)
	p.waitFor("the chunks of before, by themselves", func() bool { return p.picture() == first })
	p.quit()
}

// exchange gives each of two Zarr groups the chunks of the other, as one who writes them does; their metadata stay as they are.
func exchange(t *testing.T, a, b string) {
	t.Helper()
	err := filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".json" || filepath.Base(path)[0] == '.' {
			return err
		}
		inside, err := filepath.Rel(a, path)
		if err != nil {
			return err
		}
		other := filepath.Join(b, inside)
		for _, move := range [][2]string{{path, path + ".old"}, {other, path}, {path + ".old", other}} {
			if err := os.Rename(move[0], move[1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

//go:build !headless

package main

import (
	"image/gif"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// command does a command of the palette.
func (p *running) command(name string) {
	p.key("ctrl+k")
	time.Sleep(300 * time.Millisecond) // the palette takes the focus
	p.typed(name)
	time.Sleep(200 * time.Millisecond)
	p.key("Return")
}

func TestACurtainIsDraggedBetweenFiltersAndTheStoredPicture(t *testing.T) {
	p := newScreen(t).start("sample:cells — Lamella", "sample:cells")
	p.xdotool("mousemove", "600", "350", "click", "1")
	edges := p.changes("edges", func() { p.key("f"); time.Sleep(300 * time.Millisecond); p.typed("sobel"); p.key("Return") })
	half := p.changes("half of them", func() { p.key("k") })
	p.xdotool("mousemove", "628", "420")
	if more := p.changes("the curtain elsewhere", func() {
		p.xdotool("mousedown", "1", "mousemove", "600", "420", "mousemove", "560", "420", "mousemove", "500", "420", "mouseup", "1")
	}); more == half || more == edges {
		t.Error("the curtain hangs where it hung")
	}
	p.xdotool("mousemove", "600", "350")
	if whole := p.changes("edges again", func() { p.key("k") }); whole != edges {
		t.Error("without the curtain the picture is another")
	}
	p.quit()
}

func TestAMovieAndAWholeVolumeAreExported(t *testing.T) {
	source := "sample:random?shape=6x64x64"
	p := newScreen(t).start(source+" — Lamella", source)
	dir := t.TempDir()
	p.xdotool("mousemove", "600", "350", "click", "1")
	p.steady()
	export := func(command, path string) {
		t.Helper()
		p.command(command)
		time.Sleep(500 * time.Millisecond) // the dialog takes the focus
		p.key("ctrl+a")
		p.typed(path)
		p.key("Return")
		p.waitFor(path, func() bool { _, err := os.Stat(path); return err == nil })
	}
	movie, volume := filepath.Join(dir, "z.gif"), filepath.Join(dir, "all.ome.zarr")
	export("export movie", movie)
	export("export everything", volume)
	f, err := os.Open(movie)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if g, err := gif.DecodeAll(f); err != nil || len(g.Image) != 6 || g.Config.Width != 64 {
		t.Errorf("the movie: %v", err)
	}
	got, want := filepath.Join(dir, "window.npy"), filepath.Join(dir, "cli.npy")
	run(t, "export", volume, "--out", got)
	run(t, "export", source, "--out", want)
	a, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(want); err != nil || string(a) != string(b) {
		t.Errorf("the volume that was exported is another: %v", err)
	}
	p.quit()
}

func TestAfterACrashTheLastStateIsThere(t *testing.T) {
	s := newScreen(t)
	s.home = t.TempDir()
	p := s.start("sample:cells — Lamella", "sample:cells")
	p.xdotool("mousemove", "600", "350", "click", "1")
	first := p.steady()
	p.changes("another plane", func() { p.key("period") })
	last := p.changes("one channel less", func() { p.key("2") })
	time.Sleep(keepEvery + time.Second) // the state is written at every beat in which it has changed
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.ended

	p = s.start("Lamella")
	p.command("go on where")
	p.waitFor("what was open", func() bool { return p.title() == "sample:cells — Lamella" })
	p.xdotool("mousemove", "600", "350")
	if again := p.steady(); again == first || again != last {
		t.Error("the picture is not the one before the crash")
	}
	p.quit()
}

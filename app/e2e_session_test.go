//go:build !headless

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestASessionOpensFromBesideItsSource(t *testing.T) {
	s := newScreen(t)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data #1%"), 0o777); err != nil {
		t.Fatal(err)
	}
	run(t, "export", "sample:random?shape=9x40x50", "--out", filepath.Join(dir, "data #1%", "a.npy"))
	session := filepath.Join(dir, "名字.lamella")
	text := `{"Lamella":1,"Sources":["data #1%/a.npy"],"State":{"Cut":"xy","At":[0,2,0,0,0],"Fitted":true,"Chain":[{"Filter":"gaussian"}],
		"Shapes":[{"Kind":"line","At":[0,2,0,0,0],"Points":[[5,5],[30,20]]}]}}`
	if err := os.WriteFile(session, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p := s.start("a.npy — Lamella", session)
	p.xdotool("mousemove", "600", "350")
	p.steady()
	p.changes("the results below the picture", func() { p.key("m") })
	p.changes("the shape is gone", func() { p.key("ctrl+k"); p.typed("remove all shapes"); p.key("Return") })
	p.changes("and comes back", func() { p.key("ctrl+z") })
	p.quit()
}

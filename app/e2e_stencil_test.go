//go:build !headless

package main

import (
	"os/exec"
	"syscall"
	"testing"
)

// Beside the editor the picture ends further to the left.
const besideEditor = "560x560+260+60"

// faults counts the pixels in the colour of mistakes, dark or light, in the panel on the right.
func (p *running) faults() int {
	p.Helper()
	cmd := exec.Command("import", "-window", "root", "-crop", "396x500+884+80", "-depth", "8", "rgb:-")
	cmd.Env = p.env()
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("taking a picture of the screen: %v", err)
	}
	n := 0
	for i := 0; i+3 <= len(out); i += 3 {
		if c := [3]byte(out[i:]); c == [3]byte{0xf0, 0x80, 0x74} || c == [3]byte{0xb0, 0x2a, 0x1e} {
			n++
		}
	}
	return n
}

func TestAStencilIsWrittenBesideThePicture(t *testing.T) {
	p := newScreen(t).start("sample:cells — Lamella", "sample:cells")
	p.area = besideEditor
	p.xdotool("mousemove", "500", "350")
	p.steady()
	p.changes("the mean of the neighbours", func() { p.key("ctrl+e") })
	slope := p.changes("the slope along x", func() {
		p.key("ctrl+a")
		p.typed("x[0,1] - x[0,-1]")
	})
	if n := p.faults(); n > 0 {
		t.Errorf("%d pixels in the colour of a mistake beside a text that is right", n)
	}
	p.key("BackSpace")
	p.waitFor("the mistake", func() bool { return p.faults() > 0 })
	if p.steady() != slope {
		t.Error("a broken text changes the picture")
	}
	p.typed("]")
	p.waitFor("no mistake", func() bool { return p.faults() == 0 })
	if p.steady() != slope {
		t.Error("mended, it is another picture")
	}
	p.changes("a text with a number", func() {
		p.key("ctrl+a")
		p.typed("@param k = 1 0..20")
		p.key("Return")
		p.typed("k * x[0,2] - x")
	})
	one := p.steady()
	p.changes("the number at 3", func() { p.key("Tab", "Right", "Right") })
	for range 2 {
		p.changes("one step back", func() { p.key("ctrl+z") })
	}
	if p.steady() != one {
		t.Error("with the slider's steps undone, it is another picture")
	}
	p.quit()
}

// The device is whatever there is here, and on most servers the processor in disguise. Work is on it when
// the program is told to end.
func TestItEndsInOrderWhileTheGraphicsDeviceComputes(t *testing.T) {
	s := newScreen(t)
	const source = "sample:blobs?shape=64x2048x2048&chunk=16x256x256&dtype=uint16"
	for _, end := range []func(p *running){
		func(p *running) { p.quit() },
		func(p *running) {
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			p.endsWell()
		},
	} {
		p := s.start(source+" — Lamella", "--device", "gpu", source)
		p.xdotool("mousemove", "500", "350")
		p.key("ctrl+e", "ctrl+a")
		p.typed("sqrt(exp(x[1,0,0]/9999) + x**2 + x[0,1]**2)")
		p.key("Escape", "period", "period")
		end(p)
	}
}

//go:build cgo && !headless && linux

package gpu

import (
	"context"
	"slices"
	"testing"

	"lamella/filters/filtertest"
	"lamella/lazy"
	"lamella/lazy/engine"
)

// The suite of all executors, on the device. Software renderers have exact roots and quotients; others may
// differ there by two units in the last place. Ops with a program of their own, which transform, are near.
func TestTheDeviceGivesTheProcessorsNumbers(t *testing.T) {
	d := theDevice(t)
	ulps := 2
	if d.Info().Software() {
		ulps = 0
	}
	e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(err error) { t.Error(err) }})
	defer e.Close()
	onDevice := 0
	for c := range filtertest.Cases() {
		all, some := taken(d, c.Array.Node())
		if !some {
			continue // all of it is the processor's
		}
		want, err := filtertest.Processor(c)
		must(t, err)
		got, s, err := e.Get(context.Background(), c.Array, c.Region, engine.Priority{})
		must(t, err)
		err = filtertest.Same(got, want, ulps)
		if programmed(c.Array.Node()) {
			err = filtertest.Near(got, want, 1e-4)
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if ran := s.Device; ran == "cpu" || all && ran != "gpu" {
			t.Errorf("%s ran on %q", c.Name, ran)
		}
		if all {
			onDevice++
		}
	}
	if onDevice < 300 {
		t.Errorf("only %d cases ran on the device", onDevice)
	}
}

// taken reports whether the device takes all ops of a recipe, and some.
func taken(d *Device, n *lazy.Node) (all, some bool) {
	if n.Op == nil {
		return true, false
	}
	all = d.Takes(n)
	some = all
	for _, in := range n.In {
		a, s := taken(d, in)
		all, some = all && a, some || s
	}
	return all, some
}

// programmed reports whether an op of a recipe has a program of its own.
func programmed(n *lazy.Node) bool {
	if op, ok := n.Op.(lazy.Programmer); ok && op.Programmed(n.InMetas()) {
		return true
	}
	return slices.ContainsFunc(n.In, programmed)
}

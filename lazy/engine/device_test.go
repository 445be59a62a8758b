package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// A loan runs ops on the processor and fails when it is told to.
type loan struct {
	runs  atomic.Int64
	fails error
}

func (l *loan) Run(ctx context.Context, op lazy.Op, dst *lazy.Block, src []*lazy.Block) error {
	l.runs.Add(1)
	if l.fails != nil {
		lazy.Fill(dst, 99) // a device that fails may have written anything
		return l.fails
	}
	return op.Compute(ctx, dst, src)
}

func TestAFailingDeviceLosesNothingAndIsToldOnce(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 6, 1, 8, 8}, lazy.Shape{1, 1, 1, 8, 8})
	op := lazytest.BoxSum{Halo: halo(1, 1, 1)}
	for _, c := range []struct {
		name       string
		fails      error
		device     string
		runs, told int64
	}{
		{"a device that works runs everything", nil, "gpu", 6, 0},
		{"one that declines is asked again", lazy.ErrDeclined, "cpu", 6, 0},
		{"one that breaks is not", errors.New("gpu: out of memory"), "cpu", 1, 1},
	} {
		device, told := &loan{fails: c.fails}, atomic.Int64{}
		e := engine.New(engine.Options{Workers: 1, Device: device, Unwell: func(error) { told.Add(1) }})
		a := apply(t, op, lazytest.Array(m, ramp))
		for z := range 6 {
			plane := m.Shape.Whole().With(lazy.Z, z, z+1)
			got, s, err := e.Get(context.Background(), a, plane, engine.Priority{})
			if err != nil || s.Device != c.device {
				t.Fatalf("%s: plane %d on %q, %v", c.name, z, s.Device, err)
			}
			sameBlock(t, got, direct(op, m, plane))
		}
		if device.runs.Load() != c.runs || told.Load() != c.told {
			t.Errorf("%s: %d runs, told %d times", c.name, device.runs.Load(), told.Load())
		}
		e.Close()
	}
}

func TestTheDeviceIsChangedWhileTheEngineRuns(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 6, 1, 8, 8}, lazy.Shape{1, 1, 1, 8, 8})
	a := apply(t, lazytest.BoxSum{}, lazytest.Array(m, ramp))
	e := newEngine(t, 0)
	broken, works := &loan{fails: errors.New("gpu: the device is lost")}, &loan{}
	for z, c := range []struct {
		name   string
		use    engine.Executor
		device string
		unwell bool
	}{
		{"the processor alone", nil, "cpu", false},
		{"a device that works", works, "gpu", false},
		{"one that breaks", broken, "cpu", true},
		{"the first again", works, "gpu", false},
		{"none", nil, "cpu", false},
	} {
		e.Use(c.use)
		if d, err := e.Device(); d != c.use || err != nil {
			t.Errorf("%s: %v, %v once chosen", c.name, d, err)
		}
		_, s, err := e.Get(context.Background(), a, m.Shape.Whole().With(lazy.Z, z, z+1), engine.Priority{})
		if err != nil || s.Device != c.device {
			t.Errorf("%s: ran on %q, %v", c.name, s.Device, err)
		}
		if _, unwell := e.Device(); (unwell != nil) != c.unwell {
			t.Errorf("%s: unwell %v", c.name, unwell)
		}
	}
	broken.fails = nil
	e.Use(broken)
	if _, s, _ := e.Get(context.Background(), a, m.Shape.Whole().With(lazy.Z, 5, 6), engine.Priority{}); s.Device != "gpu" {
		t.Errorf("a device that is chosen again ran on %q", s.Device)
	}
}

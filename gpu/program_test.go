//go:build cgo && !headless && linux

package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"lamella/filters"
	"lamella/filters/fft"
	"lamella/filters/filtertest"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// Every length up to 200 that has a shader, and long ones; the processor's transforms are checked against their definition.
func TestLinesOnTheDeviceHaveTheProcessorsSpectra(t *testing.T) {
	d := theDevice(t)
	worst := 0.0
	for n := 1; n <= 2048; n = fft.Good(n + 1) {
		if n > 200 && n != 288 && n != 625 && n != 1080 && n != 2048 {
			continue
		}
		src := lazy.NewBlock(lazy.Shape{1, 1, 1, 3, 2 * n}.Whole(), lazy.F32)
		lazytest.Set(src, noise)
		got, err := d.transformed(context.Background(), src, n)
		must(t, err)
		off := apart(lazy.View[float32](src), lazy.View[float32](got), n)
		if worst = max(worst, off); !(off <= 2e-6) {
			t.Fatalf("a line of %d values is off by %.2g of the largest", n, off)
		}
	}
	t.Logf("off by %.2g of the largest at most", worst)
}

// What the device computes is within 1e-5 of the largest value of what the processor does; 1e-4 is what the suite of all executors asks.
func TestDeconvolutionOnTheDeviceIsTheProcessors(t *testing.T) {
	d := theDevice(t)
	for _, c := range []struct {
		chain string
		dtype lazy.DType
		shape lazy.Shape
	}{
		{"richardson-lucy psf=gaussian(sigma=1.5,1,0.7) iterations=5", lazy.U16, lazy.Shape{1, 7, 2, 19, 23}},
		{"richardson-lucy psf=gaussian(sigma=1) iterations=1 edges=zero start=0.5", lazy.F32, lazy.Shape{1, 6, 1, 17, 20}},
		{"richardson-lucy psf=gaussian(sigma=1) iterations=4 edges=mirror background=3 gain=2", lazy.U8, lazy.Shape{1, 5, 1, 16, 18}},
		{"richardson-lucy psf=gaussian(sigma=1,size=1,4,6) iterations=4 start=input", lazy.I16, lazy.Shape{2, 3, 1, 16, 18}},
		{"richardson-lucy psf=gaussian(sigma=0.5,2,2) iterations=6 block=0,16,16 halo=0,8,8", lazy.U16, lazy.Shape{1, 4, 1, 40, 37}},
		{"richardson-lucy psf=gaussian(sigma=0.5,2,2) iterations=6 edges=zero block=0,16,16 halo=0,8,8", lazy.I8, lazy.Shape{1, 4, 1, 40, 37}},
		{"landweber psf=gaussian(sigma=1) iterations=5 step=1.5 background=2", lazy.F32, lazy.Shape{1, 1, 1, 30, 41}},
	} {
		chain, err := filters.Parse(c.chain)
		must(t, err)
		a, err := chain.Provisional().Apply(lazytest.Array(lazytest.Meta(c.dtype, c.shape, lazy.Shape{1, 2, 1, 16, 16}), noise))
		must(t, err)
		want, _ := get(t, nil, a, a.Meta().Shape.Whole())
		got, s := get(t, d, a, a.Meta().Shape.Whole())
		if s.Device != "gpu" || s.BytesBack != int64(len(want.Bytes())) {
			t.Errorf("%s of %v ran on %q, and %d bytes went back: want the %d of the result", c.chain, c.dtype, s.Device, s.BytesBack, len(want.Bytes()))
		}
		if err := filtertest.Near(got, want, 1e-5); err != nil {
			t.Errorf("%s of %v: %v", c.chain, c.dtype, err)
		}
	}
}

const deconvolved = "richardson-lucy psf=gaussian(sigma=1) iterations=4"

// A device that is killed at any step, is full for good, or does not compile: the processor does it, and one is told.
func TestADeconvolutionSurvivesItsDevice(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, deconvolved)
	plane := a.Meta().Shape.Whole().With(lazy.T, 0, 1).With(lazy.C, 0, 1)
	want, _ := get(t, nil, a, plane)
	for _, why := range []error{ErrLost, lazy.ErrNoRoom, errors.New("gpu: compiling a shader: syntax error")} {
		for _, dies := range []int64{1, 2, 3, 4, 8, 12} {
			var steps, told atomic.Int64
			must(t, d.do(context.Background(), func() error {
				d.fault = func(step string) error {
					if steps.Add(1) < dies {
						return nil
					}
					return fmt.Errorf("gpu: %s: %w", step, why)
				}
				return nil
			}))
			e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(error) { told.Add(1) }})
			got, s, err := e.Get(context.Background(), a, plane, engine.Priority{})
			must(t, err)
			if err := agree(got, want); err != nil || s.Device != "cpu" || told.Load() != 1 {
				t.Errorf("%v at step %d: on %q, told %d times: %v", why, dies, s.Device, told.Load(), err)
			}
			e.Close()
		}
	}
}

// What does not fit into the device's room is the processor's, which is no failure.
func TestADeconvolutionWithoutRoomIsTheProcessors(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, deconvolved)
	plane := a.Meta().Shape.Whole().With(lazy.T, 0, 1).With(lazy.C, 0, 1)
	need, _ := d.Scratch(a.Node(), plane)
	want, _ := get(t, nil, a, plane)
	for room, ran := range map[int64]string{need / 2: "cpu", 2 * need: "gpu"} {
		d.SetRoom(room)
		got, s := get(t, d, a, plane)
		if s.Device != ran {
			t.Errorf("in %d bytes, of which it needs %d, it ran on %q", room, need, s.Device)
		}
		if err := agree(got, want); err != nil && ran == "cpu" {
			t.Error(err)
		}
	}
	d.SetRoom(0)
	d.view = need / 8
	if _, s := get(t, d, a, plane); s.Device != "cpu" {
		t.Errorf("with views of %d bytes it ran on %q", d.view, s.Device)
	}
}

// Work that is cancelled ends between two iterations, and leaves nothing on the device.
func TestADeconvolutionOnTheDeviceIsCancelledBetweenIterations(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, "richardson-lucy psf=gaussian(sigma=1) iterations=9000")
	ctx, cancel := context.WithCancel(context.Background())
	var steps atomic.Int64
	must(t, d.do(context.Background(), func() error {
		d.fault = func(step string) error {
			if step == "make" && steps.Add(1) == 10 {
				cancel()
			}
			return nil
		}
		return nil
	}))
	e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(err error) { t.Error(err) }})
	plane := a.Meta().Shape.Whole().With(lazy.T, 0, 1).With(lazy.C, 0, 1)
	if _, _, err := e.Get(ctx, a, plane, engine.Priority{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	e.Close()
	must(t, d.do(context.Background(), func() error { d.tidy(); return nil }))
	must(t, d.do(context.Background(), func() error {
		if len(d.freed) > 0 || steps.Load() > 12 {
			return fmt.Errorf("%d blocks are left, %d rounds were begun", len(d.freed), steps.Load())
		}
		return nil
	}))
}

// What a program has in buffers is what the engine was told, so that it keeps within the room of the device.
func TestAProgramTakesWhatItSays(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, deconvolved)
	n := a.Node()
	op := n.Op.(lazy.Programmer)
	tile := n.Op.(lazy.Tiler).Tile(a.Meta()).Whole()
	said, _ := d.Scratch(n, tile)
	psf := n.In[1].Meta
	block := lazy.NewBlock(psf.Shape.Whole(), psf.DType)
	lazytest.Set(block, func(lazy.Index) float64 { return 1 })
	p, err := op.Program(tile, n.InMetas(), []*lazy.Block{nil, block})
	must(t, err)
	takes := int64(op.Need(tile, n.InMetas())[0].Voxels() * lazy.U16.Size())
	for _, b := range p.Buffers {
		takes += int64(4 * b.Words)
	}
	if takes > said || said > takes*5/4 {
		t.Errorf("it takes %d bytes and says %d", takes, said)
	}
}

func TestWhatHasNoProgramIsTheProcessors(t *testing.T) {
	d := theDevice(t)
	for _, chain := range []string{
		"richardson-lucy accelerate=true", "richardson-lucy tv=0.01", "wiener", "tikhonov-miller",
		"richardson-lucy psf=gaussian(sigma=1,size=5,5,1023)",
	} {
		c, err := filters.Parse(chain)
		must(t, err)
		a, err := c.Provisional().Apply(lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 6, 1, 8, 4000}, lazy.Shape{1, 6, 1, 8, 4000}), noise))
		must(t, err)
		if d.Takes(a.Node()) {
			t.Errorf("the device takes %s", chain)
		}
	}
	for _, dtype := range []lazy.DType{lazy.U32, lazy.I32, lazy.U64, lazy.F64} {
		if d.Takes(filtered(t, dtype, deconvolved).Node()) {
			t.Errorf("the device takes %v", dtype)
		}
	}
}

var _ engine.Sizer = (*Device)(nil)

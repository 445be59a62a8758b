//go:build cgo && !headless && linux

package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

var _ engine.Pricer = (*Device)(nil)

// filtered is a chain on a small volume whose chunks are smaller than a tile, so that inputs are gathered.
func filtered(t testing.TB, d lazy.DType, chain string) lazy.Array {
	t.Helper()
	c, err := filters.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Provisional().Apply(lazytest.Array(lazytest.Meta(d, lazy.Shape{2, 6, 2, 21, 37}, lazy.Shape{1, 4, 1, 8, 16}), noise))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// get computes a region with an engine of its own, on the processor if d is nil.
func get(t testing.TB, d *Device, a lazy.Array, r lazy.Region) (*lazy.Block, engine.Stats) {
	t.Helper()
	o := engine.Options{Workers: 2, Unwell: func(err error) { t.Error(err) }}
	if d != nil {
		o.Device = d
	}
	e := engine.New(o)
	defer e.Close()
	b, s, err := e.Get(context.Background(), a, r, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	return b, s
}

func agree(got, want *lazy.Block) error {
	if got.Region != want.Region || got.DType != want.DType {
		return fmt.Errorf("%v of %v, want %v of %v", got.Region, got.DType, want.Region, want.DType)
	}
	if string(got.Bytes()) == string(want.Bytes()) {
		return nil
	}
	for i, v := range lazytest.Values(got) {
		if w := lazytest.Values(want)[i]; v != w {
			return fmt.Errorf("voxel %d is %v, the processor has %v", i, v, w)
		}
	}
	return nil
}

const chainOfFive = "gaussian sigma=1.1 | sobel | mean size=3 | clip low=3 high=90 | unsharp"

func TestAChainIsCarriedOverAndBackOnce(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U8, chainOfFive)
	plane := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 21, 37})
	got, s := get(t, d, a, plane)
	want, cpu := get(t, nil, a, plane)
	if err := agree(got, want); err != nil {
		t.Error(err)
	}
	if s.Device != "gpu" || s.Uploads != cpu.ChunksRead || s.ReadBacks != 1 || s.BytesBack != int64(len(want.Bytes())) || s.BytesUp != cpu.BytesRead {
		t.Errorf("%+v: want each of %d chunks of %d bytes carried over once, and one plane back", s, cpu.ChunksRead, cpu.BytesRead)
	}
}

func TestFusedStepsAreStagesOnTheDevice(t *testing.T) {
	d := theDevice(t)
	for _, dtype := range []lazy.DType{lazy.U8, lazy.I16, lazy.F32} {
		for _, chain := range []string{
			"rescale newhigh=7 | clip low=2 high=5 | invert",
			"mean | rescale newhigh=900 dtype=float32 | threshold value=300 | invert",
		} {
			a := filtered(t, dtype, chain)
			if _, fused := a.Node().Op.(stencil.Fused); !fused {
				t.Errorf("%s is not fused", chain)
			}
			got, s := get(t, d, a, a.Meta().Shape.Whole())
			want, _ := get(t, nil, a, a.Meta().Shape.Whole())
			if err := agree(got, want); err != nil || s.Device != "gpu" {
				t.Errorf("%s of %v ran on %q: %v", chain, dtype, s.Device, err)
			}
		}
	}
}

func TestEveryBorderIsFilledOnTheDevice(t *testing.T) {
	d := theDevice(t)
	for _, dtype := range []lazy.DType{lazy.I8, lazy.F32} {
		for _, border := range []string{"reflect", "mirror", "nearest", "wrap", "constant:-7", "constant:3.5", "blank"} {
			for _, chain := range []string{"mean size=3 border=%s", "gaussian sigma=4 border=%s dtype=float32", "sobel border=%s", "stencil \"x[-2,0,5] - x[0,3,0]\" border=%s"} {
				a := filtered(t, dtype, fmt.Sprintf(chain, border))
				for _, r := range []lazy.Region{a.Meta().Shape.Whole(), lazy.At(lazy.Index{1, 2, 0, 0, 0}, lazy.Shape{1, 1, 1, 21, 37}), lazy.At(lazy.Index{0, 0, 1, 20, 0}, lazy.Shape{1, 6, 1, 1, 37})} {
					got, s := get(t, d, a, r)
					want, _ := get(t, nil, a, r)
					if err := agree(got, want); err != nil || s.Device != "gpu" {
						t.Errorf("%s of %v, %v, on %q: %v", fmt.Sprintf(chain, border), dtype, r, s.Device, err)
					}
				}
			}
		}
	}
}

func TestWhatAShaderCannotSeeAtOnceIsComputedInSlabs(t *testing.T) {
	d := theDevice(t)
	for view, chains := range map[int64][]string{
		4 << 10:  {"mean size=5 border=wrap", "stencil \"x[0,7] + x[3,0]\" border=blank"},
		40 << 10: {chainOfFive, "gaussian sigma=2 border=constant:9", "sobel border=blank"},
	} {
		d.view = view
		for _, dtype := range []lazy.DType{lazy.U8, lazy.U16, lazy.F32} {
			for _, chain := range chains {
				a := filtered(t, dtype, chain)
				got, s := get(t, d, a, a.Meta().Shape.Whole())
				want, _ := get(t, nil, a, a.Meta().Shape.Whole())
				if err := agree(got, want); err != nil || s.Device != "gpu" {
					t.Errorf("%s of %v in views of %d bytes, on %q: %v", chain, dtype, view, s.Device, err)
				}
			}
		}
	}
	d.view = 1 << 10
	a := filtered(t, lazy.F32, "stencil \"x[40,0] + x[-40,0] + x[0,40]\"") // one voxel looks over 81 rows
	got, s := get(t, d, a, a.Meta().Shape.Whole())
	want, _ := get(t, nil, a, a.Meta().Shape.Whole())
	if err := agree(got, want); err != nil || s.Device != "cpu" {
		t.Errorf("what does not fit at all ran on %q: %v", s.Device, err)
	}
}

// A device is killed at any step, from which on everything fails, as after a reset, or one kind of step: a
// shader that does not compile, memory that is full for good.
func TestKillingTheDeviceAnywhereLosesNothing(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, chainOfFive)
	whole := a.Meta().Shape.Whole()
	want, _ := get(t, nil, a, whole)
	rapid.Check(t, func(t *rapid.T) {
		dies, steps := int64(rapid.IntRange(1, 60).Draw(t, "dies at step")), atomic.Int64{}
		only := rapid.SampledFrom([]string{"", "upload", "compile", "make", "read"}).Draw(t, "what fails")
		why := rapid.SampledFrom([]error{ErrLost, lazy.ErrNoRoom, errors.New("gpu: compiling a shader: syntax error")}).Draw(t, "why")
		var failed, told atomic.Int64
		must(t, d.do(context.Background(), func() error {
			d.fault = func(step string) error {
				if steps.Add(1) < dies || only != "" && only != step {
					return nil
				}
				failed.Add(1)
				return fmt.Errorf("gpu: %s: %w", step, why)
			}
			return nil
		}))
		e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(error) { told.Add(1) }})
		var wg sync.WaitGroup
		for _, z := range rapid.SliceOfN(rapid.IntRange(0, 5), 1, 4).Draw(t, "planes") {
			wg.Go(func() {
				plane := whole.With(lazy.Z, z, z+1).With(lazy.T, 0, 1)
				got, _, err := e.Get(context.Background(), a, plane, engine.Priority{})
				if err != nil {
					t.Errorf("plane %d: %v", z, err)
					return
				}
				part := lazy.NewBlock(plane, want.DType)
				lazy.CopyRegion(part, want, plane)
				if err := agree(got, part); err != nil {
					t.Errorf("plane %d: %v", z, err)
				}
			})
		}
		wg.Wait()
		if told.Load() != min(1, failed.Load()) {
			t.Errorf("told %d times of %d failures", told.Load(), failed.Load())
		}
		e.Close()
	})
}

func TestAMomentOfFullMemoryIsNoFailure(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, chainOfFive)
	whole := a.Meta().Shape.Whole()
	want, _ := get(t, nil, a, whole)
	for fails := range int64(25) {
		var steps atomic.Int64
		must(t, d.do(context.Background(), func() error {
			d.fault = func(step string) error {
				if steps.Add(1) == fails {
					return fmt.Errorf("gpu: %s: %w", step, lazy.ErrNoRoom)
				}
				return nil
			}
			return nil
		}))
		got, _ := get(t, d, a, whole) // which allows of no word about the device
		if err := agree(got, want); err != nil {
			t.Errorf("full at step %d: %v", fails, err)
		}
	}
}

func TestAClosedDeviceLosesNothing(t *testing.T) {
	theDevice(t)
	a := filtered(t, lazy.U16, chainOfFive)
	whole := a.Meta().Shape.Whole()
	want, _ := get(t, nil, a, whole)
	for range 8 {
		d, err := Open()
		must(t, err)
		var told atomic.Int64
		e := engine.New(engine.Options{Workers: 2, Device: d, Unwell: func(error) { told.Add(1) }})
		closed := make(chan bool)
		var once sync.Once
		must(t, d.do(context.Background(), func() error {
			d.fault = func(string) error {
				once.Do(func() { go func() { d.Close(); close(closed) }() })
				return nil
			}
			return nil
		}))
		for z := range 6 {
			plane := whole.With(lazy.Z, z, z+1)
			got, _, err := e.Get(context.Background(), a, plane, engine.Priority{})
			must(t, err)
			part := lazy.NewBlock(plane, want.DType)
			lazy.CopyRegion(part, want, plane)
			if err := agree(got, part); err != nil {
				t.Errorf("plane %d: %v", z, err)
			}
		}
		<-closed
		if told.Load() != 1 {
			t.Errorf("told %d times", told.Load())
		}
		e.Close()
	}
}

func TestNothingIsLeftOnTheDevice(t *testing.T) {
	d := theDevice(t)
	a := filtered(t, lazy.U16, chainOfFive)
	get(t, d, a, a.Meta().Shape.Whole())
	must(t, d.do(context.Background(), func() error { d.tidy(); return nil }))
	must(t, d.do(context.Background(), func() error {
		if len(d.freed) > 0 || len(d.reads) > 0 {
			return fmt.Errorf("%d blocks and %d copies are left", len(d.freed), len(d.reads))
		}
		return nil
	}))
}

//go:build cgo && !headless && linux

package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// theDevice gives the machine's device: llvmpipe where there is no other.
func theDevice(t *testing.T) *Device {
	t.Helper()
	d, err := Open()
	if err != nil {
		t.Skipf("not run: the shaders: %v (Debian: libegl1 libgl1-mesa-dri)", err)
	}
	t.Cleanup(d.Close)
	return d
}

func noise(i lazy.Index) float64 {
	n := uint32(i[lazy.T]*31+i[lazy.C]*57+i[lazy.Z]*7919+i[lazy.Y]*104729+i[lazy.X]*1299709) * 2654435761
	return float64(n>>8)/(1<<24)*400 - 100
}

func TestEveryStencilGivesTheProcessorsNumbers(t *testing.T) {
	d := theDevice(t)
	t.Log(d.Info().Renderer)
	for _, in := range []lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.F32} {
		for _, text := range []string{
			"mean", "mean size=2,5,4", "gaussian sigma=1.3", "sobel", "sobel dims=2", "sobel norm=l1", "sobel axis=y", "prewitt", "scharr dims=2", "scharr axis=z norm=l1", "laplace",
			"log sigma=0.8", "gradient", "dog", "unsharp",
			"threshold value=20.5", "clip low=-3.5 high=90", "rescale newhigh=7", "invert",
			`stencil "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9"`,
			`stencil "where(x > x[0,1], min(x, x[1,0]) % 7, -x // 5) + 2*(x != 3) - (x[1,0,0] <= 20)"`,
			`stencil "sqrt(abs(0.5*x[-1,0,0]*x[1,0,0])) / 3 - max(x[0,1], 0.5) * x / 7 + abs(x/2 - x[0,2])**2" dtype=float32`,
			"sobel dtype=uint8", "gaussian dtype=float32", "mean dtype=float32", "sobel axis=x dtype=int16",
		} {
			for _, width := range []int{5, 7, 64, 459} { // BR-017: odd widths
				m := lazytest.Meta(in, lazy.Shape{2, 9, 2, 11, 600}, lazy.Shape{1, 9, 1, 11, 600})
				c, err := filters.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				a, err := c.Apply(lazytest.Array(m, noise))
				if err != nil {
					t.Fatal(err)
				}
				r := lazy.At(lazy.Index{1, 3, 0, 4, 2}, lazy.Shape{1, 3, 2, 5, width})
				for _, n := range computed(a.Node()) {
					if in.Float() && strings.Contains(text, "//") {
						break // of real numbers only the processor computes // and %
					}
					var src []*lazy.Block
					for i, need := range n.Op.Need(r, n.InMetas()) {
						src = append(src, lazy.NewBlock(need, n.In[i].Meta.DType))
						lazytest.Set(src[i], func(v lazy.Index) float64 { v[lazy.T] += i; return noise(v) })
					}
					if err := same(d, n.Op, r, n.Meta.DType, src...); err != nil {
						t.Errorf("%s of %v, %d wide: %s: %v", text, in, width, n.Op.Name(), err)
					}
				}
			}
		}
	}
}

// computed lists the nodes of a recipe that hold an op.
func computed(n *lazy.Node) []*lazy.Node {
	if n.Op == nil {
		return nil
	}
	all := []*lazy.Node{n}
	for _, in := range n.In {
		all = append(all, computed(in)...)
	}
	return all
}

// same runs an op on both and compares the bits, or the last two of a real number on a device whose
// roots and quotients are not exact.
func same(d *Device, op lazy.Op, r lazy.Region, out lazy.DType, src ...*lazy.Block) error {
	want, got := lazy.NewBlock(r, out), lazy.NewBlock(r, out)
	if err := op.Compute(context.Background(), want, src); err != nil {
		return err
	}
	if err := d.Run(context.Background(), op, got, src); err != nil {
		return err
	}
	if string(want.Bytes()) == string(got.Bytes()) {
		return nil
	}
	for i, v := range lazytest.Values(got) {
		if w := lazytest.Values(want)[i]; v != w {
			return fmt.Errorf("voxel %d is %v, the processor has %v", i, v, w)
		}
	}
	return nil
}

func TestWhatHasNoShaderIsDeclined(t *testing.T) {
	d := theDevice(t)
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 4, 4})
	identity := stencil.Build("cast", func(b *stencil.Builder) stencil.Value { return b.Load(0) })
	for name, c := range map[string]struct {
		op  lazy.Op
		out lazy.DType
	}{
		"another op":           {lazytest.BoxSum{}, lazy.F64},
		"float64":              {stencil.Op{Kernel: identity, Out: lazy.F64}, lazy.F64},
		"float32 to int32":     {stencil.Op{Kernel: identity, Out: lazy.I32}, lazy.I32},
		"float32 to uint64":    {stencil.Op{Kernel: identity, Out: lazy.U64}, lazy.U64},
		"a thousand and a tap": {stencil.Op{Kernel: long(), Out: lazy.F32}, lazy.F32},
	} {
		src := lazy.NewBlock(r.Grow(lazy.Halo{Before: lazy.Index{0, 0, 0, 0, 4000}, After: lazy.Index{0, 0, 0, 0, 4000}}), lazy.F32)
		if err := d.Run(context.Background(), c.op, lazy.NewBlock(r, c.out), []*lazy.Block{src}); !errors.Is(err, lazy.ErrDeclined) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func long() *stencil.Kernel {
	return stencil.Build("long", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		var terms []stencil.Term
		for i := -4000; i <= 4000; i++ {
			terms = append(terms, stencil.W(0.5, x, 0, i))
		}
		return b.Linear(terms...)
	})
}

func TestAClosedDeviceSaysSo(t *testing.T) {
	d := theDevice(t)
	other, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 4, 4})
	identity := stencil.Op{Kernel: stencil.Build("cast", func(b *stencil.Builder) stencil.Value { return b.Load(0) })}
	blocks := func() (*lazy.Block, []*lazy.Block) {
		return lazy.NewBlock(r, lazy.U8), []*lazy.Block{lazy.NewBlock(r, lazy.U8)}
	}
	dst, src := blocks()
	if err := other.Run(context.Background(), identity, dst, src); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	if err := d.Run(context.Background(), identity, dst, src); err != nil {
		t.Errorf("the other device: %v", err)
	}
}

func TestADeviceThatFailsItsTestIsNone(t *testing.T) {
	theDevice(t)
	for _, step := range []string{"upload", "compile", "make", "read"} {
		d := newDevice()
		d.fault = func(s string) error {
			if s == step {
				return ErrLost
			}
			return nil
		}
		if _, err := open(d); !errors.Is(err, ErrNone) || !errors.Is(err, ErrLost) {
			t.Errorf("%s fails: error %v", step, err)
		}
	}
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 2})
	for _, wrong := range []float32{1.0000004, float32(math.NaN()), 2} {
		if near(lazy.BlockOf(r, []float32{1, wrong}), lazy.BlockOf(r, []float32{1, 1})) == nil {
			t.Errorf("%v passes for 1", wrong)
		}
	}
}

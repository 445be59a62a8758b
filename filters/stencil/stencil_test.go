package stencil_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func ExampleBuild() {
	laplace := stencil.Build("second difference", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		return b.Linear(stencil.W(1, x, 0, -1), stencil.W(-2, x, 0, 0), stencil.W(1, x, 0, 1))
	})
	fmt.Print(laplace)
	fmt.Println(laplace.Halo(0).Before[lazy.X], laplace.Halo(0).After[lazy.X])
	// Output:
	// v0 = load z
	// v1 = linear 1*v0[x-1] -2*v0 1*v0[x+1]
	// 1 1
}

// BR-015: weights stand where they are written (correlation): all axes the same way, none reversed.
func TestBR015AStencilIsACorrelationOnEveryAxis(t *testing.T) {
	weight := func(dz, dy, dx int) float64 { return float64((dz+1)*9 + (dy+1)*3 + dx + 2) } // 1..27
	k := stencil.Build("27 weights", func(b *stencil.Builder) stencil.Value {
		var terms []stencil.Term
		for dz := -1; dz <= 1; dz++ {
			x := b.Load(dz)
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					terms = append(terms, stencil.W(weight(dz, dy, dx), x, dy, dx))
				}
			}
		}
		return b.Linear(terms...)
	})
	shape := lazy.Shape{1, 5, 1, 5, 5}
	out := apply(t, k, shape.Whole(), func(i lazy.Index) float64 {
		if i[lazy.Z] == 2 && i[lazy.Y] == 2 && i[lazy.X] == 2 {
			return 1
		}
		return 0
	}, lazy.U8, lazy.F32)
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if got, want := out.Value(lazy.Index{0, 2 + dz, 0, 2 + dy, 2 + dx}), weight(-dz, -dy, -dx); got != want {
					t.Errorf("at (%d,%d,%d) of the point: %v, want %v", dz, dy, dx, got, want)
				}
			}
		}
	}
}

// apply runs a kernel on a function of the index, border voxels included.
func apply(t rapid.TB, k *stencil.Kernel, r lazy.Region, value func(lazy.Index) float64, in, out lazy.DType) *lazy.Block {
	t.Helper()
	src := lazy.NewBlock(r.Grow(k.Halo(0)), in)
	lazytest.Set(src, value)
	dst := lazy.NewBlock(r, out)
	if err := (stencil.Op{Kernel: k, Out: out}).Compute(context.Background(), dst, []*lazy.Block{src}); err != nil {
		t.Fatal(err)
	}
	return dst
}

func noise(i lazy.Index) float64 {
	n := uint32(i[lazy.Z]*7919+i[lazy.Y]*104729+i[lazy.X]*1299709) * 2654435761
	return float64(n>>8) / (1 << 24)
}

// The program computes rows and shares them; this evaluates one voxel at a time in float64, as written.
func TestTheProgramComputesWhatTheKernelSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type node = func(z, y, x int) float64
		var nodes []node
		input := func(z, y, x int) float64 { return noise(lazy.Index{0, z, 0, y, x}) }
		offset := rapid.IntRange(-2, 2)
		k := stencil.Build("random", func(b *stencil.Builder) stencil.Value {
			pick := func() (stencil.Ref, node) {
				n := rapid.IntRange(0, len(nodes)-1).Draw(rt, "value")
				dy, dx := offset.Draw(rt, "dy"), offset.Draw(rt, "dx")
				of := nodes[n]
				return stencil.Ref{Value: stencil.Value(n), DY: dy, DX: dx}, func(z, y, x int) float64 { return of(z, y+dy, x+dx) }
			}
			var last stencil.Value
			for n := range rapid.IntRange(1, 7).Draw(rt, "values") {
				code := 0
				if n > 0 {
					code = rapid.IntRange(0, 5).Draw(rt, "code")
				}
				switch code {
				case 0:
					dz := offset.Draw(rt, "dz")
					last = b.Load(dz)
					nodes = append(nodes, func(z, y, x int) float64 { return input(z+dz, y, x) })
				case 1:
					var terms []stencil.Term
					var parts []node
					for range rapid.IntRange(1, 5).Draw(rt, "terms") {
						r, f := pick()
						w := float64(rapid.IntRange(-2, 2).Draw(rt, "weight"))
						terms = append(terms, stencil.Term{Weight: w, Ref: r})
						parts = append(parts, func(z, y, x int) float64 { return w * f(z, y, x) })
					}
					last = b.Linear(terms...)
					nodes = append(nodes, sum(parts))
				case 2:
					var refs []stencil.Ref
					var parts []node
					for range rapid.IntRange(1, 6).Draw(rt, "terms") {
						r, f := pick()
						refs, parts = append(refs, r), append(parts, f)
					}
					last = b.Sum(refs...)
					nodes = append(nodes, sum(parts))
				case 3:
					n := rapid.IntRange(0, len(nodes)-1).Draw(rt, "value")
					of := nodes[n]
					last = b.Divide(stencil.Value(n), 3)
					nodes = append(nodes, func(z, y, x int) float64 { return of(z, y, x) / 3 })
				case 4:
					var refs []stencil.Ref
					var fs []node
					weights := []float64{0.5, 0.25, 0.125, 0.0625}[:1+rapid.IntRange(0, 3).Draw(rt, "pairs")]
					for range 2*len(weights) - 1 {
						r, f := pick()
						refs, fs = append(refs, r), append(fs, f)
					}
					last = b.Pairs(weights, refs)
					nodes = append(nodes, func(z, y, x int) float64 {
						s := 0.0
						for i, f := range fs {
							s += weights[(i+1)/2] * f(z, y, x)
						}
						return s
					})
				case 5:
					a, c := stencil.Value(rapid.IntRange(0, len(nodes)-1).Draw(rt, "a")), stencil.Value(rapid.IntRange(0, len(nodes)-1).Draw(rt, "c"))
					fa, fc := nodes[a], nodes[c]
					if rapid.Bool().Draw(rt, "l1") {
						last = b.L1(a, c)
						nodes = append(nodes, func(z, y, x int) float64 { return math.Abs(fa(z, y, x)) + math.Abs(fc(z, y, x)) })
					} else {
						last = b.L2(a, c)
						nodes = append(nodes, func(z, y, x int) float64 { return math.Hypot(fa(z, y, x), fc(z, y, x)) })
					}
				}
			}
			return last
		})
		r := lazy.At(lazy.Index{0, 3, 0, -2, 5}, lazy.Shape{1, rapid.IntRange(1, 3).Draw(rt, "nz"), 1, rapid.IntRange(1, 6).Draw(rt, "ny"), rapid.IntRange(1, 9).Draw(rt, "nx")})
		got := apply(t, k, r, noise, lazy.F64, lazy.F64)
		want := nodes[len(nodes)-1]
		lazytest.Each(r, func(i lazy.Index) {
			w := want(i[lazy.Z], i[lazy.Y], i[lazy.X])
			if g := got.Value(i); math.Abs(g-w) > 1e-9*math.Max(1, math.Abs(w)) {
				rt.Fatalf("voxel %v is %v, want %v, of\n%v", i, g, w, k)
			}
		})
	})
}

func sum(parts []func(z, y, x int) float64) func(z, y, x int) float64 {
	return func(z, y, x int) float64 {
		s := 0.0
		for _, f := range parts {
			s += f(z, y, x)
		}
		return s
	}
}

func TestSumsOfIntegersAreExactInEveryType(t *testing.T) {
	k := stencil.Build("sum of nine", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		var refs []stencil.Ref
		for d := range 9 {
			refs = append(refs, stencil.Ref{Value: x, DY: d/3 - 1, DX: d%3 - 1})
		}
		return b.Sum(refs...)
	})
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 3, 3})
	for d, want := range map[lazy.DType]float64{lazy.U8: 9 * 255, lazy.U16: 9 * 65535, lazy.U32: 9 * (1<<32 - 1), lazy.I32: 9 * (1<<31 - 1), lazy.I8: 9 * 127} {
		got := apply(t, k, r, func(lazy.Index) float64 { _, hi := d.Range(); return hi }, d, lazy.F64)
		if v := got.Value(lazy.Index{0, 0, 0, 1, 1}); v != want {
			t.Errorf("%v: %v, want %v", d, v, want)
		}
	}
}

func TestCancelledWorkStopsWithinSomeRows(t *testing.T) {
	k := stencil.Build("copy", func(b *stencil.Builder) stencil.Value { return b.Load(0) })
	r := lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 64, 8})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := stencil.Op{Kernel: k}.Compute(ctx, lazy.NewBlock(r, lazy.U8), []*lazy.Block{lazy.NewBlock(r, lazy.U8)})
	if err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

package stencil

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// A text of sums over boxes, of weights that are products or are not, and of tails that a loop makes together
// with what they end.
func boxText(t *rapid.T) string {
	axis := rapid.SampledFrom([][]int{{-1, 0, 1}, {0, 1}, {-2, 0, 2}, {0}, {-1, 0, 1, 2}})
	weight := rapid.SampledFrom([]int{1, 1, 1, 1, 2, -1, 3})
	sum := func() string {
		rows, cols := axis.Draw(t, "rows"), axis.Draw(t, "columns")
		var down, across []int
		for range rows {
			down = append(down, weight.Draw(t, "down"))
		}
		for range cols {
			across = append(across, weight.Draw(t, "across"))
		}
		var terms []string
		for n, y := range rows {
			for m, x := range cols {
				w := down[n] * across[m]
				if rapid.IntRange(0, 30).Draw(t, "another weight") == 0 {
					w++
				}
				terms = append(terms, fmt.Sprintf("%d*x[%d,%d]", w, y, x))
			}
		}
		return "(" + strings.Join(terms, " + ") + ")"
	}
	three := "(x[0,-1] + x[0,0] + x[0,1])"
	switch rapid.IntRange(0, 7).Draw(t, "tail") {
	case 0:
		return sum()
	case 1:
		return fmt.Sprintf("%s // %d", sum(), rapid.IntRange(1, 27).Draw(t, "by"))
	case 2:
		return fmt.Sprintf("%s / %d", sum(), rapid.IntRange(1, 27).Draw(t, "by"))
	case 3:
		return fmt.Sprintf("%s // 3 + %s / 7", three, three)
	case 4:
		return fmt.Sprintf("%s // 3 - %s", three, three)
	case 5:
		return fmt.Sprintf("where(%s > %s, x[0,0], x[1,1]) // 2", sum(), sum())
	case 6:
		return fmt.Sprintf("min(%s, %s) %% 5", sum(), three)
	}
	return fmt.Sprintf("abs(%s) * 0.5 + sqrt(abs(%s))", sum(), sum())
}

func edgeKernel(t *rapid.T) *Kernel {
	return Build("edges", func(b *Builder) Value {
		x := b.Load(0)
		y := b.Load(rapid.IntRange(-1, 0).Draw(t, "dz"))
		dy := rapid.IntRange(-1, 1).Draw(t, "dy")
		across := b.Linear(W(1, x, dy, -1), W(2, x, dy, 0), W(1, x, dy, 1))
		over := b.Linear(W(1, y, 0, -2), W(2, y, 0, -1), W(1, y, 0, 0))
		along := b.Linear(W(-1, x, 0, -1), W(1, x, 0, 1))
		if rapid.Bool().Draw(t, "three") {
			return b.L2(across, over, along)
		}
		return b.L2(across, along)
	})
}

// Kernels that look at the nine voxels around one.
var nines = map[string]func(b *Builder) Value{
	"nine one after another": func(b *Builder) Value {
		x := b.Load(0)
		var all []Ref
		for n := range 9 {
			all = append(all, Ref{Value: x, DY: n/3 - 1, DX: n%3 - 1})
		}
		return b.Divide(b.Sum(all...), 9)
	},
	"three columns": func(b *Builder) Value {
		column := threeOf(b, b.Load(0), 1, 0)
		return b.Divide(threeOf(b, column, 0, 1), 9)
	},
	"three rows": func(b *Builder) Value {
		row := threeOf(b, b.Load(0), 0, 1)
		return b.Divide(threeOf(b, row, 1, 0), 9)
	},
	"the edges of a plane": func(b *Builder) Value {
		x := b.Load(0)
		down, smooth := b.Linear(W(-1, x, -1, 0), W(1, x, 1, 0)), b.Linear(W(1, x, -1, 0), W(2, x, 0, 0), W(1, x, 1, 0))
		return b.L2(b.Linear(W(1, down, 0, -1), W(2, down, 0, 0), W(1, down, 0, 1)), b.Linear(W(-1, smooth, 0, -1), W(1, smooth, 0, 1)))
	},
	"edges of which one lies lower": func(b *Builder) Value {
		x := b.Load(0)
		down, smooth := b.Linear(W(-1, x, -1, 0), W(1, x, 1, 0)), b.Linear(W(1, x, 0, 0), W(2, x, 1, 0), W(1, x, 2, 0))
		return b.L2(b.Linear(W(1, down, 0, -1), W(2, down, 0, 0), W(1, down, 0, 1)), b.Linear(W(-1, smooth, 0, -1), W(1, smooth, 0, 1)))
	},
}

func threeOf(b *Builder, v Value, dy, dx int) Value {
	return b.Sum(Ref{Value: v, DY: -dy, DX: -dx}, At(v), Ref{Value: v, DY: dy, DX: dx})
}

func TestWhichNineVoxelsOneLoopTakes(t *testing.T) {
	for name, want := range map[string]Code{
		"nine one after another":        fusedBox,
		"three columns":                 fusedColumns,
		"three rows":                    fusedDivide,
		"the edges of a plane":          fusedEdge,
		"edges of which one lies lower": fusedSlope,
	} {
		p := Build(name, nines[name]).compile([]lazy.DType{lazy.F32}, 0)
		if got := p.instrs[len(p.instrs)-1].Code; got != want {
			t.Errorf("%s: the code is %d, want %d", name, got, want)
		}
	}
}

func TestFusedIsUnfused(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var k *Kernel
		switch rapid.IntRange(0, 5).Draw(rt, "kind") {
		case 0:
			k = edgeKernel(rt)
		case 1:
			k = Build("nine", nines[rapid.SampledFrom(slices.Sorted(maps.Keys(nines))).Draw(rt, "nine")])
		default:
			var err error
			text := boxText(rt)
			if k, err = Parse("box", text, nil); err != nil {
				rt.Fatalf("%s: %v", text, err)
			}
		}
		in := rapid.SampledFrom([]lazy.DType{lazy.U8, lazy.I8, lazy.U16, lazy.I16, lazy.I32, lazy.U32, lazy.F32, lazy.F64}).Draw(rt, "in")
		out := rapid.SampledFrom([]lazy.DType{in, lazy.F32, lazy.F64, lazy.I32, lazy.U8}).Draw(rt, "out")
		r := lazy.At(lazy.Index{0, 2, 0, 3, 4}, lazy.Shape{1, 2, 1, rapid.IntRange(1, 7).Draw(rt, "ny"), rapid.IntRange(1, 70).Draw(rt, "nx")})
		src := lazy.NewBlock(r.Grow(k.Halo(0)), in)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		fillRandomly(src, rng)
		limit := magnitude(in)
		fused, plain := lazy.NewBlock(r, out), lazy.NewBlock(r, out)
		if err := k.run(context.Background(), fused, []*lazy.Block{src}, limit); err != nil {
			rt.Fatal(err)
		}
		if err := k.runAs((*Kernel).compileUnfused, context.Background(), plain, []*lazy.Block{src}, limit); err != nil {
			rt.Fatal(err)
		}
		if !bytes.Equal(fused.Bytes(), plain.Bytes()) {
			rt.Fatalf("%v to %v: fused and unfused differ for\n%v", in, out, k)
		}
	})
}

func fillRandomly(b *lazy.Block, r *rand.Rand) {
	lo, hi := b.DType.Range()
	if b.DType.Float() {
		lo, hi = -1000, 1000
	}
	lazytest.Set(b, func(lazy.Index) float64 {
		switch r.IntN(6) {
		case 0:
			return lo
		case 1:
			return hi
		}
		return lo + r.Float64()*(hi-lo)
	})
}

// A sum may be one of real numbers although it is rounded in the end, as where a border holds 3.5.
func TestRealNumbersAreDividedAndRounded(t *testing.T) {
	k := Build("mean", func(b *Builder) Value {
		x := b.Load(0)
		return b.RoundDiv(b.Sum(Ref{Value: x, DX: -1}, At(x), Ref{Value: x, DX: 1}), 7)
	})
	src := lazy.BlockOf(lazy.At(lazy.Index{0, 0, 0, 0, -1}, lazy.Shape{1, 1, 1, 1, 42}), func() []float32 {
		v := make([]float32, 42)
		for i := range v {
			v[i] = float32(i)*1.25 - 20
		}
		return v
	}())
	dst := lazy.NewBlock(lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 40}), lazy.I16)
	if err := k.run(context.Background(), dst, []*lazy.Block{src}, 1000); err != nil {
		t.Fatal(err)
	}
	for x := range 40 {
		sum := 3 * (float64(x)*1.25 + 1.25 - 20)
		if got := dst.Value(lazy.Index{0, 0, 0, 0, x}); got != math.Round(sum/7) {
			t.Errorf("%v / 7 is rounded to %v", sum, got)
		}
	}
}

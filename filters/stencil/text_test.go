package stencil_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func ExampleKernel_Text() {
	sobel := stencil.Build("sobel x", func(b *stencil.Builder) stencil.Value {
		x := b.Load(0)
		smooth := b.Linear(stencil.W(1, x, -1, 0), stencil.W(2, x, 0, 0), stencil.W(1, x, 1, 0))
		return b.L1(b.Linear(stencil.W(-1, smooth, 0, -1), stencil.W(1, smooth, 0, 1)))
	})
	fmt.Print(sobel.Text())
	// Output:
	// v0 = x
	// v1 = v0[-1,0] + 2*v0 + v0[1,0]
	// v2 = -v1[0,-1] + v1[0,1]
	// norm1(v2)
}

// expression is a random text of the language, in inputs and names that have been given before.
func expression(t *rapid.T, names []string, depth int) string {
	sub := func() string { return expression(t, names, depth-1) }
	kind := rapid.IntRange(0, 12).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		name := rapid.SampledFrom(names).Draw(t, "name")
		if rapid.Bool().Draw(t, "neighbour") {
			return fmt.Sprintf("%s[%d,%d]", name, rapid.IntRange(-3, 3).Draw(t, "dy"), rapid.IntRange(-3, 3).Draw(t, "dx"))
		}
		return name
	case 1:
		return rapid.SampledFrom([]string{"0", "1", "2", "2.0", "0.5", "7", "-3", "1e3", "1e-7", "9007199254740992", "k", "n", "dx", "dy", "-0", "-.25"}).Draw(t, "number")
	case 2:
		dz := rapid.IntRange(-2, 2).Draw(t, "dz")
		return fmt.Sprintf("x[%d,%d,%d]", dz, rapid.IntRange(-2, 2).Draw(t, "dy"), rapid.IntRange(-2, 2).Draw(t, "dx"))
	case 3:
		return "(" + sub() + ")"
	case 4:
		return "-" + sub()
	case 5:
		return fmt.Sprintf("(%s) ** %s", sub(), rapid.SampledFrom([]string{"2", "3", "0.5", "x"}).Draw(t, "exponent"))
	case 6:
		f := rapid.SampledFrom([]string{"min", "max", "pow"}).Draw(t, "function")
		return fmt.Sprintf("%s(%s, %s)", f, sub(), sub())
	case 7:
		f := rapid.SampledFrom([]string{"abs", "sqrt", "exp", "log", "norm", "norm1"}).Draw(t, "function")
		return fmt.Sprintf("%s(%s)", f, sub())
	case 8:
		return fmt.Sprintf("where(%s, %s, %s)", sub(), sub(), sub())
	case 9:
		sign := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t, "comparison")
		return fmt.Sprintf("(%s %s %s)", sub(), sign, sub())
	}
	sign := rapid.SampledFrom([]string{"+", "-", "*", "/", "//", "%", "+", "*"}).Draw(t, "operator")
	return sub() + " " + sign + " " + sub()
}

var steps = map[string]float64{"dz": 2, "dy": 0.5, "dx": 3}

func TestATextBecomesAKernelThatBecomesATextOfTheSameKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"x"}
		text := "@param k = 0.25 0..1\n@param n = 3\n"
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			name := fmt.Sprint("m", len(names))
			text += name + " = " + expression(t, names, 2) + "\n"
			names = append(names, name)
		}
		text += "x*0 + " + expression(t, names, 3)
		k, err := stencil.Parse("random", text, steps)
		if err != nil {
			return // numbers divided by 0
		}
		roundTrip(t, k)
	})
}

// roundTrip reads the text of a kernel that was parsed and wants the same kernel.
func roundTrip(t interface{ Fatalf(string, ...any) }, k *stencil.Kernel) {
	again, err := stencil.ParseOf(k.Name(), k.Text(), stencil.Names(k.Inputs()), nil)
	if err != nil {
		t.Fatalf("%v, of\n%sof the kernel\n%v", err, k.Text(), k)
	}
	if again.String() != k.String() || again.Text() != k.Text() {
		t.Fatalf("the kernel\n%vis written\n%sand read back as\n%v", k, k.Text(), again)
	}
}

// kernel is a random list of values of every code.
func kernel(t *rapid.T) *stencil.Kernel {
	return stencil.Build("random", func(b *stencil.Builder) stencil.Value {
		b.LoadOf(rapid.IntRange(0, 1).Draw(t, "input"), 0)
		last := b.LoadOf(0, rapid.IntRange(-1, 1).Draw(t, "dz"))
		ref := func() stencil.Ref {
			o := rapid.IntRange(-2, 2)
			return stencil.Ref{Value: stencil.Value(rapid.IntRange(0, int(last)).Draw(t, "value")), DY: o.Draw(t, "dy"), DX: o.Draw(t, "dx")}
		}
		refs := func(n int) (r []stencil.Ref) {
			for range n {
				r = append(r, ref())
			}
			return r
		}
		number := rapid.SampledFrom([]float64{-2, -1, 0, 0.5, 1, 2, 3, 1e-3, 12345678})
		for range rapid.IntRange(1, 9).Draw(t, "values") {
			switch code := stencil.Code(rapid.IntRange(int(stencil.Linear), int(stencil.Power)).Draw(t, "code")); code {
			case stencil.Linear:
				var terms []stencil.Term
				for _, r := range refs(rapid.IntRange(1, 4).Draw(t, "terms")) {
					terms = append(terms, stencil.Term{Weight: number.Draw(t, "weight"), Ref: r})
				}
				last = b.Linear(terms...)
			case stencil.Sum:
				last = b.Sum(refs(rapid.IntRange(1, 6).Draw(t, "terms"))...)
			case stencil.Pairs:
				last = b.Pairs([]float64{0.5, 0.25, 0.125}, refs(5))
			case stencil.Divide:
				last = b.Divide(ref().Value, number.Draw(t, "by"))
			case stencil.RoundDiv:
				last = b.RoundDiv(ref().Value, rapid.IntRange(1, 30).Draw(t, "by"))
			case stencil.L2:
				last = b.L2(ref().Value, ref().Value, ref().Value)
			case stencil.L1:
				last = b.L1(ref().Value, ref().Value)
			case stencil.Whole, stencil.Real:
				v := number.Draw(t, "constant")
				last = b.Constant(v, v == float64(int(v)) && code == stencil.Whole)
			case stencil.Select:
				last = b.Apply(code, refs(3)...)
			case stencil.Root, stencil.Exp, stencil.Log:
				last = b.Apply(code, ref())
			default:
				last = b.Apply(code, refs(2)...)
			}
		}
		return b.Sum(stencil.At(last), stencil.At(0), stencil.At(1)) // so that both inputs are used
	})
}

func TestTheTextOfAnyKernelComputesTheSameVoxels(t *testing.T) {
	types := lazy.DTypes()
	rapid.Check(t, func(t *rapid.T) {
		k := kernel(t)
		again, err := stencil.ParseOf("random", k.Text(), stencil.Names(k.Inputs()), nil)
		if err != nil {
			t.Fatalf("%v, of\n%sof the kernel\n%v", err, k.Text(), k)
		}
		roundTrip(t, again)
		r := lazy.At(lazy.Index{0, 2, 0, 5, 7}, lazy.Shape{1, 1, 1, 3, 5})
		var src, srcAgain []*lazy.Block
		for n := range k.Inputs() {
			in := rapid.SampledFrom(types).Draw(t, "type")
			for _, s := range []struct {
				k  *stencil.Kernel
				to *[]*lazy.Block
			}{{k, &src}, {again, &srcAgain}} {
				b := lazy.NewBlock(r.Grow(s.k.Halo(n)), in)
				lazytest.Set(b, func(i lazy.Index) float64 { return 200 * (noise(i) - 0.3) })
				*s.to = append(*s.to, b)
			}
		}
		a, b := lazy.NewBlock(r, lazy.F64), lazy.NewBlock(r, lazy.F64)
		if err := (stencil.Op{Kernel: k, Out: lazy.F64}).Compute(context.Background(), a, src); err != nil {
			t.Fatal(err)
		}
		if err := (stencil.Op{Kernel: again, Out: lazy.F64}).Compute(context.Background(), b, srcAgain); err != nil {
			t.Fatal(err)
		}
		lazytest.Each(r, func(i lazy.Index) {
			if v, w := a.Value(i), b.Value(i); v != w && (v == v || w == w) {
				t.Fatalf("voxel %v is %v, by its text %v, of\n%vthe text\n%s", i, v, w, k, k.Text())
			}
		})
	})
}

func TestAValueMayBeNamedAsTheRarerFunctionsAre(t *testing.T) {
	for text, want := range map[string]float64{
		"norm = x + 1; norm":                 51,
		"value = 3; value * x":               150,
		"pairs = x[0,1]; norm1(pairs, -x)":   101,
		"norm(3 + 0*x, 4 + 0*x)":             5,
		"rounddiv(x, 4)":                     13,
		"pairs(.5, x, 0.25, x[0,1], x[0,9])": 52.5,
		"value(2) * x":                       100,
	} {
		if got := value(t, text, lazy.U8, lazy.F64, nil); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"rounddiv(x, x)":              "column 1: rounddiv takes a number as its argument 2",
		"rounddiv(x, 0)":              "column 1: rounddiv divides by a whole number from 1 to 2147483647, not by 0",
		"rounddiv(x, 2.5)":            "column 1: rounddiv divides by a whole number from 1 to 2147483647, not by 2.5",
		"pairs(x, x)":                 "column 1: pairs takes a number as its argument 1",
		"pairs(1, x, 2, x)":           "column 1: pairs takes a number and a value, then a number and two values",
		"norm + x":                    `column 1: "norm" is not known`,
		"value(x)":                    "column 1: value takes a number as its argument 1",
		"m = x[0,900]; m[0,101]":      "column 15: m is looked at from 1001 voxels away: at most 1000 are possible",
		"x + 1e308 * (1e308 + 1e308)": "column 20: 1e+308 and 1e+308 are too large to be added",
	} {
		if _, err := stencil.Parse("test", text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"x", "x[0,1] + 2*x", "@param k = 0.5 0..1\nk*x", "m = x[1,0]; where(m > 3, m[0,1] // 2, -x % 7) ** 2",
		"(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9",
		"a = x[0,1]; b = a[0,1]; a", "2*(3*(x + 1.5))", "2.0*x != 3", "-0*x - 0*x[1,0]", "x ** 8 ** 0.5", "5 // 2 * 3e0 + x / 3",
		"v0 = x\nv1 = value(9007199254740992)\nnorm(v0, v1, v0)", "rounddiv(x, 9)", "pairs(.5, x, -.25, x[0,1], x[0,-1])",
		"x * dx / dy", "9007199254740993 * x", "-2 ** 2 * x", "min(x, 1, 2, 3)", "x = 3", "x[0,1000][1,1]", "norm = 3; norm(x)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := stencil.Parse("fuzz", text, steps)
		if err != nil {
			return
		}
		roundTrip(t, k)
	})
}

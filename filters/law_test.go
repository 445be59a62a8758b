package filters_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// step is a random filter with some of its parameters.
func step(t *rapid.T, kinds ...string) string {
	n := func(name string, lo, hi int) string {
		return fmt.Sprintf(" %s=%d", name, rapid.IntRange(lo, hi).Draw(t, name))
	}
	var s string
	switch kind := rapid.SampledFrom(kinds).Draw(t, "filter"); kind {
	case "rescale":
		s = kind + n("low", -20, 60) + n("high", 61, 255) + n("newlow", -5, 5) + n("newhigh", -5, 200)
	case "clip":
		s = kind + n("low", -20, 60) + n("high", 61, 255)
	case "gamma":
		s = kind + " gamma=" + rapid.SampledFrom([]string{"0.45", "1", "2.2"}).Draw(t, "gamma")
	case "threshold":
		s = kind + " value=" + rapid.SampledFrom([]string{"-3", "0.5", "40", "99.75"}).Draw(t, "value")
	case "stencil":
		s = kind + " " + rapid.SampledFrom([]string{`"x*x - 3*x"`, `"x // 3"`, `"where(x > 40, x / 3, 0.1)"`, `"exp(-x / 100)"`, `"x[0,1] - x[-1,0,0]"`}).Draw(t, "text")
	case "mean", "median", "minimum":
		s = kind + n("size", 1, 5)
	case "gaussian":
		s = kind + " sigma=" + rapid.SampledFrom([]string{"0.5", "1", "0,2,1"}).Draw(t, "sigma")
	default:
		s = kind
	}
	if spec, _ := filters.Lookup(strings.Fields(s)[0]); hasBorder(spec) {
		s += " border=" + border(t)
	}
	if rapid.Bool().Draw(t, "typed") || s == "cast" {
		s += " dtype=" + rapid.SampledFrom(lazy.DTypes()).Draw(t, "dtype").String()
	}
	return s
}

func hasBorder(s filters.Spec) bool { _, ok := s.Param("border"); return ok }

func border(t *rapid.T) string {
	return rapid.SampledFrom([]string{"reflect", "mirror", "nearest", "wrap", "constant:3", "constant:-1.5", "blank"}).Draw(t, "border")
}

var (
	pointwise = []string{"rescale", "clip", "gamma", "invert", "threshold", "cast", "stencil"}
	looking   = []string{"mean", "median", "minimum", "gaussian", "sobel", "laplace", "opening", "stencil"}
)

// small is a random volume with a value of some size at every voxel.
func small(t *rapid.T, chunk lazy.Shape) (shape lazy.Shape, of func(chunk lazy.Shape) lazy.Array) {
	d := rapid.SampledFrom(lazy.DTypes()).Draw(t, "dtype of the image")
	length := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	shape = lazy.Shape{1, length("z", 6), length("c", 2), length("y", 9), length("x", 40)}
	name := fmt.Sprint("law ", d, shape)
	return shape, func(chunk lazy.Shape) lazy.Array {
		s := lazytest.New(lazytest.Meta(d, shape, chunk), func(i lazy.Index) float64 {
			return formula(lazy.F32)(i)*60 + 3*float64(i[lazy.C])
		})
		s.Name = name + fmt.Sprint(chunk)
		return lazy.FromSource(s)
	}
}

func get(t *rapid.T, a lazy.Array, r lazy.Region) *lazy.Block {
	e := engine.New(engine.Options{Workers: 1, Memory: 256 << 20})
	defer e.Close()
	b, _, err := e.Get(context.Background(), a, r, engine.Priority{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// apply gives the array after a step, or false where the filter does not suit the type, as inverting 64 bits.
func apply(t *rapid.T, a lazy.Array, text string) (lazy.Array, bool) {
	chain, err := filters.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := chain.Apply(a)
	return out, err == nil
}

// stored is a block as a source: what comes after it is computed of it and fused with nothing.
func stored(b *lazy.Block, m lazy.Meta) lazy.Array {
	return lazytest.Array(m, b.Value)
}

func TestFusedStepsGiveTheBitsOfStepsAlone(t *testing.T) {
	fusions := 0
	rapid.Check(t, func(t *rapid.T) {
		shape, of := small(t, lazy.Shape{})
		chunk := lazy.Shape{1, 1 + shape[1]/2, 1, 4, rapid.IntRange(1, 40).Draw(t, "chunk")}
		fused, apart := of(chunk), of(chunk)
		var texts []string
		for range rapid.IntRange(2, 5).Draw(t, "steps") {
			kinds := pointwise
			if rapid.IntRange(0, 4).Draw(t, "looks") == 0 {
				kinds = looking
			}
			text := step(t, kinds...)
			next, ok := apply(t, fused, text)
			if !ok {
				continue
			}
			alone, _ := apply(t, apart, text)
			fused, texts = next, append(texts, text)
			apart = stored(get(t, alone, shape.Whole()), alone.Meta())
		}
		if op, ok := fused.Node().Op.(stencil.Fused); ok {
			fusions++
			if fused.Meta() != apart.Meta() {
				t.Fatalf("%q: fused it is %+v, alone %+v", texts, fused.Meta(), apart.Meta())
			}
			if len(op.Steps()) < 2 {
				t.Fatalf("%q: fused of %d steps", texts, len(op.Steps()))
			}
		}
		got, want := get(t, fused, shape.Whole()), get(t, apart, shape.Whole())
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%q of %v: fused differs from step by step", texts, shape)
		}
	})
	if fusions < 20 {
		t.Errorf("only %d chains were fused", fusions)
	}
}

func TestAnyChunkingAndAnyRegionGiveTheVoxelsOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape, of := small(t, lazy.Shape{})
		var chunk lazy.Shape
		lo := lazy.Index{}
		part := lazy.Shape{}
		for a := range chunk {
			chunk[a] = rapid.IntRange(1, shape[a]+2).Draw(t, "chunk")
			lo[a] = rapid.IntRange(0, shape[a]-1).Draw(t, "from")
			part[a] = rapid.IntRange(1, shape[a]-lo[a]).Draw(t, "length")
		}
		whole, cut := of(shape), of(chunk)
		var texts []string
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			text := step(t, append(looking, pointwise...)...)
			next, ok := apply(t, whole, text)
			if !ok {
				continue
			}
			whole, texts = next, append(texts, text)
			cut, _ = apply(t, cut, text)
		}
		r := lazy.At(lo, part)
		all := get(t, whole, shape.Whole())
		want := lazy.NewBlock(r, all.DType)
		lazy.CopyRegion(want, all, r)
		for name, a := range map[string]lazy.Array{"the whole": whole, fmt.Sprint("chunks of ", chunk): cut} {
			if got := get(t, a, r); !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("%q of %v: %v of %s differs from that of the whole image", texts, shape, r, name)
			}
		}
	})
}

func TestFusedStepsAreOneTask(t *testing.T) {
	a := volume()
	fused := chained(t, a, "clip high=99 | invert | threshold value=3")
	plane := a.Meta().Shape.Whole().With(lazy.Z, 7, 8)
	p, err := lazy.Build(lazy.Query{Array: fused, Region: plane}, nil)
	if err != nil || p.Cost.VoxelsComputed != plane.Voxels() || p.Cost.VoxelsNeeded != plane.Voxels() {
		t.Errorf("%+v, %v: want the plane computed once", p.Cost, err)
	}
}

// A block that was computed alone serves a fused recipe, since a key says what the voxels are.
func TestKeysDoNotDependOnFusion(t *testing.T) {
	a := volume()
	one := chained(t, a, "clip high=99 | invert | cast")
	two := chained(t, a, "clip high=99")
	if _, ok := one.Node().Op.(stencil.Fused); !ok {
		t.Fatalf("three steps of one voxel each are %T", one.Node().Op)
	}
	if n := one.Node(); len(n.In) != 1 || n.In[0] != a.Node() {
		t.Error("the fused steps do not read the image itself")
	}
	step, _ := filters.Parse("invert | cast")
	later, err := step.Apply(two)
	if err != nil || later.Node().Hash != one.Node().Hash {
		t.Errorf("applied in two goes the chain has another key: %v", err)
	}
	for text, fused := range map[string]bool{
		"sobel | clip":            false, // a slider of clip must not compute sobel again
		"gamma gamma=2 | clip":    false, // nor a power
		"clip | gamma gamma=2":    true,
		"sobel | clip | invert":   true, // of which sobel is no part
		"cast | mean":             false,
		"rescale | threshold":     true,
		"clip | project how=mean": false,
	} {
		n := chained(t, a, text).Node()
		_, is := n.Op.(stencil.Fused)
		if is != fused {
			t.Errorf("%q: fused %v, want %v", text, is, fused)
		}
	}
	if n := chained(t, a, "sobel | clip | invert").Node().In[0]; n.Op == nil || n.Op.Name() != "sobel" {
		t.Error("sobel lost its own place in the recipe")
	}
}

// Every kernel of the catalogue can be written as text; what is read back is written the same.
func TestEveryKernelOfTheCatalogueHasAText(t *testing.T) {
	kernels := 0
	seen := map[*lazy.Node]bool{}
	var walk func(n *lazy.Node)
	check := func(k *stencil.Kernel) {
		kernels++
		once, err := stencil.ParseOf(k.Name(), k.Text(), stencil.Names(k.Inputs()), nil)
		if err != nil {
			t.Errorf("%s: %v, of\n%s", k.Name(), err, k.Text())
			return
		}
		twice, err := stencil.ParseOf(k.Name(), once.Text(), stencil.Names(k.Inputs()), nil)
		if err != nil || twice.String() != once.String() || once.Inputs() != k.Inputs() || once.Halo(0) != k.Halo(0) {
			t.Errorf("%s: %v: the text\n%sis read as\n%v", k.Name(), err, once.Text(), twice)
		}
	}
	walk = func(n *lazy.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		switch op := n.Op.(type) {
		case stencil.Op:
			check(op.Kernel)
		case stencil.Fused:
			for _, s := range op.Steps() {
				check(s.Kernel)
			}
		}
		for _, in := range n.In {
			walk(in)
		}
	}
	for _, s := range filters.Catalogue() {
		if a, err := (filters.Chain{s.Step()}).Apply(volume()); err == nil {
			walk(a.Node())
		}
	}
	for _, text := range []string{"sobel norm=l1", "mean size=5", "gaussian sigma=3", "gamma gamma=0.5", "rescale newhigh=255", "threshold value=0.5", "log", "scharr axis=z"} {
		walk(chained(t, volume(), text).Node())
	}
	if kernels < 30 {
		t.Errorf("only %d kernels", kernels)
	}
}

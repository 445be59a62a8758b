package gpu

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lamella/filters"
	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/lazytest"
)

var update = flag.Bool("update", false, "write the shaders to testdata instead of comparing them")

// The texts are in testdata, to be read as a difference when they change: go test ./gpu -run Golden -update.
func TestGoldenShaders(t *testing.T) {
	texts := map[string]string{
		"gather-8-bit": gatherText(1), "gather-16-bit": gatherText(2), "gather-32-bit": gatherText(4),
		"blank-8-bit": blankText(1), "blank-32-bit": blankText(4),
	}
	for name, c := range map[string]struct {
		in    lazy.DType
		chain string
	}{
		"mean-uint8":         {lazy.U8, "mean"},
		"gaussian-x-uint16":  {lazy.U16, "gaussian sigma=0.5"},
		"sobel-int16":        {lazy.I16, "sobel"},
		"laplace-float32":    {lazy.F32, "laplace"},
		"threshold-float32":  {lazy.F32, "threshold value=20.5"},
		"exp-log-float32":    {lazy.F32, `stencil "exp(x) + log(x)"`},
		"power-float32":      {lazy.F32, "gamma gamma=0.45"},
		"floor-div-float32":  {lazy.F32, `stencil "x // 9"`},
		"stencil-mean-uint8": {lazy.U8, `stencil "(x[-1,-1] + x[-1,0] + x[-1,1] + x[0,-1] + x[0,0] + x[0,1] + x[1,-1] + x[1,0] + x[1,1]) // 9"`},
		"stencil-where-int8": {lazy.I8, `stencil "where(x > x[0,1], min(x, x[1,0,0]) % 7, -x // 5)"`},
	} {
		chain, err := filters.Parse(c.chain)
		must(t, err)
		a, err := chain.Apply(lazytest.Array(lazytest.Meta(c.in, lazy.Shape{1, 9, 1, 9, 9}, lazy.Shape{1, 9, 1, 9, 9}), func(lazy.Index) float64 { return 0 }))
		must(t, err)
		stages, err := shaderOf(a.Node()) // the last pass of those that have several
		must(t, err)
		texts[name] = stages[len(stages)-1].text
	}
	two := stencil.Build("difference", func(b *stencil.Builder) stencil.Value {
		return b.Linear(stencil.W(1, b.LoadOf(1, 0), 0, 0), stencil.W(-1, b.LoadOf(0, -1), 0, 0))
	})
	stages, err := shaderOf(&lazy.Node{
		Op: stencil.Op{Kernel: two}, Meta: lazy.Meta{DType: lazy.U16},
		In: []*lazy.Node{{Meta: lazy.Meta{DType: lazy.U16}}, {Meta: lazy.Meta{DType: lazy.U8}}},
	})
	must(t, err)
	texts["two-arrays"] = stages[0].text
	for i, pass := range passesOf(t, "richardson-lucy psf=gaussian(sigma=1,size=3,3,3) iterations=1") {
		texts[fmt.Sprintf("richardson-lucy-%02d", i)] = pass
	}
	for name, got := range texts {
		file := filepath.Join("testdata", name+".glsl")
		if *update {
			must(t, os.MkdirAll("testdata", 0o755))
			must(t, os.WriteFile(file, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != got {
			t.Errorf("%s: %v: the shader is now\n%s", file, err, got)
		}
	}
	found, err := filepath.Glob("testdata/*.glsl")
	if err != nil || len(found) != len(texts) {
		t.Errorf("%d files for %d shaders, %v", len(found), len(texts), err)
	}
}

// passesOf are the shaders of the program of a deconvolution of 6 x 10 x 13 voxels, each once.
func passesOf(t *testing.T, chain string) (texts []string) {
	c, err := filters.Parse(chain)
	must(t, err)
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 6, 1, 10, 13}, lazy.Shape{1, 6, 1, 10, 13})
	a, err := c.Provisional().Apply(lazytest.Array(m, func(lazy.Index) float64 { return 0 }))
	must(t, err)
	n := a.Node()
	psf := lazy.NewBlock(n.In[1].Meta.Shape.Whole(), lazy.F32)
	lazytest.Set(psf, func(lazy.Index) float64 { return 1 })
	p, err := n.Op.(lazy.Programmer).Program(m.Shape.Whole(), n.InMetas(), []*lazy.Block{nil, psf})
	must(t, err)
	for _, round := range p.Rounds {
		for _, pass := range round {
			if !slices.Contains(texts, pass.Shader) {
				texts = append(texts, pass.Shader)
			}
		}
	}
	return texts
}

func must(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

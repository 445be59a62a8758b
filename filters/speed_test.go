package filters_test

import (
	"context"
	"fmt"
	"testing"

	"lamella/filters"
	"lamella/lazy"
)

var benchMean = must("mean size=1,3,3")

func must(text string) filters.Chain {
	c, err := filters.Parse(text)
	if err != nil {
		panic(err)
	}
	return c
}

// BenchmarkTile runs each pass of a filter on one thin tile of 512 x 512, alone on one thread. Compare
// with BenchmarkTile/memcpy, which copies the output.
func BenchmarkTile(b *testing.B) {
	for _, d := range []lazy.DType{lazy.U8, lazy.U16, lazy.F32} {
		m := lazy.Meta{Shape: lazy.Shape{1, 64, 1, 1024, 1024}, Chunk: lazy.Shape{1, 64, 1, 64, 64}, DType: d}
		tile := lazy.At(lazy.Index{0, 32, 0, 512, 512}, lazy.Shape{1, 1, 1, 512, 512})
		b.Run(d.String()+"/memcpy", func(b *testing.B) {
			dst, src := lazy.NewBlock(tile, d), lazy.NewBlock(tile, d)
			b.SetBytes(int64(tile.Voxels()))
			for b.Loop() {
				copy(dst.Bytes(), src.Bytes())
			}
		})
		for _, text := range []string{"sobel", "sobel dims=2", "gaussian sigma=2", "mean", "stencil", "median", "median size=1,3,3", "minimum"} {
			a, err := must(text).Apply(lazy.FromSource(flat{m}))
			if err != nil {
				b.Fatal(err)
			}
			for n := a.Node(); n.Op != nil; n = n.In[0] {
				in := n.In[0].Meta
				g := lazy.NewGather(n.Op.Need(tile, n.InMetas())[0], in.DType, in.Shape, n.Op.Border())
				b.Run(d.String()+"/"+text+": "+n.Op.Name(), func(b *testing.B) {
					dst := lazy.NewBlock(tile, n.Meta.DType)
					b.SetBytes(int64(tile.Voxels())) // so MB/s reads as millions of voxels a second
					for b.Loop() {
						if err := n.Op.Compute(context.Background(), dst, []*lazy.Block{g.Dst}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

type flat struct{ m lazy.Meta }

func (f flat) Meta() lazy.Meta { return f.m }
func (f flat) ID() string      { return "flat" }
func (f flat) Read(context.Context, *lazy.Block) (int64, error) {
	return 0, nil
}

// A plane of 512 x 512 voxels on view, with a PSF of 21 x 33 x 33: the first iteration, and ten.
func BenchmarkPlaneOnView(b *testing.B) {
	shape, n := [3]int{64, 512, 512}, [3]int{21, 33, 33}
	box := lazy.Region{Min: lazy.Index{0, 30, 0, 0, 0}, Max: lazy.Index{1, 31, 1, 512, 512}}
	trial := watched(b, "richardson-lucy psf=p", stack(shape, lines(shape)), stack(n, leaning(n)), box)
	e := deconvolver(b)
	for _, k := range []int{1, 10} {
		b.Run(fmt.Sprint(k, " iterations"), func(b *testing.B) {
			for b.Loop() {
				e.Clear()
				for _, stage := range filters.Stages(k) {
					a, err := trial.At(stage)
					read(b, e, a, err, box)
				}
			}
		})
	}
}

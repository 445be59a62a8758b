package filters_test

import (
	"context"
	"testing"

	"lamella/filters/stencil"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

// alone is an op that is fused with nothing.
type alone struct{ lazy.Op }

// BenchmarkFused is a plane of 2048x2048 through three steps of one voxel each, as one op and as three.
func BenchmarkFused(b *testing.B) {
	shape := lazy.Shape{1, 1, 1, 2048, 2048}
	for _, d := range []lazy.DType{lazy.U16, lazy.F32} {
		a := lazytest.Array(lazytest.Meta(d, shape, shape), func(i lazy.Index) float64 { return float64(i[lazy.X]) })
		chain := must("rescale low=0 high=4095 newhigh=255 dtype=uint8 | invert | clip low=20 high=200")
		fused, err := chain.Apply(a)
		if err != nil {
			b.Fatal(err)
		}
		apart := a
		for _, op := range fused.Node().Op.(stencil.Fused).Steps() {
			if apart, err = lazy.Apply(alone{op}, apart); err != nil {
				b.Fatal(err)
			}
		}
		for name, array := range map[string]lazy.Array{"fused": fused, "apart": apart} {
			b.Run(d.String()+"/"+name, func(b *testing.B) {
				e := engine.New(engine.Options{Workers: 1})
				defer e.Close()
				if _, _, err := e.Get(context.Background(), a, shape.Whole(), engine.Priority{}); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(shape.Voxels()))
				for n := 0; b.Loop(); n++ {
					// The planes are the same and the names are not, so that nothing is found in memory.
					if _, _, err := e.Get(context.Background(), renamed(array, n), shape.Whole(), engine.Priority{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// renamed is the array by another key.
func renamed(a lazy.Array, n int) lazy.Array {
	var again func(node *lazy.Node) lazy.Array
	again = func(node *lazy.Node) lazy.Array {
		if node.Source != nil {
			return lazy.FromSource(node.Source)
		}
		out, err := lazy.Apply(keyed{alone{node.Op}, n}, again(node.In[0]))
		if err != nil {
			panic(err)
		}
		return out
	}
	return again(a.Node())
}

type keyed struct {
	alone
	n int
}

func (k keyed) Key() string { return k.alone.Key() + string(rune('0'+k.n%1e6)) }

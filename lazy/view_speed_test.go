package lazy_test

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// BenchmarkView is one tile of a view, in bytes of its result a second, beside a copy of as many bytes.
func BenchmarkView(b *testing.B) {
	shape := lazy.Shape{1, 1, 1, 1024, 1024}
	a := lazytest.Array(lazytest.Meta(lazy.U16, shape, shape), nil)
	slab := lazytest.Array(lazytest.Meta(lazy.U16, lazy.Shape{1, 1024, 1, 1024, 8}, lazy.Shape{1, 1024, 1, 1024, 8}), nil)
	from, to := lazy.NewBlock(shape.Whole(), lazy.U16), lazy.NewBlock(shape.Whole(), lazy.U16)
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(to.Bytes())))
		for b.Loop() {
			copy(to.Bytes(), from.Bytes())
		}
	})
	for name, v := range map[string]lazy.Array{
		"crop":                must(lazy.Slice(a, lazy.X, 1, lazy.End)),
		"flip x":              lazy.Flip(a, lazy.X),
		"y and x swapped":     lazy.SwapAxes(a, lazy.Y, lazy.X),
		"z and x of 8 planes": lazy.SwapAxes(slab, lazy.Z, lazy.X),
	} {
		n := v.Node()
		whole := n.Meta.Shape.Whole()
		dst := lazy.NewBlock(whole, lazy.U16)
		src := []*lazy.Block{lazy.NewBlock(n.Op.Need(whole, n.InMetas())[0], lazy.U16)}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(dst.Bytes())))
			for b.Loop() {
				if err := n.Op.Compute(context.Background(), dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package filters_test

import (
	"testing"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// A flat image has no range to be mapped: its one value becomes the lower end.
func TestLimitsOfAFlatImage(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 3, 1, 4, 5}, lazy.Shape{1, 3, 1, 4, 5})
	a := lazytest.Array(m, func(lazy.Index) float64 { return 5 })
	for _, text := range []string{"rescale method=minmax", "rescale method=percentile", "clahe method=minmax size=1,5,5"} {
		chain, err := filters.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		read := func(_ lazy.Array, r lazy.Region) (*lazy.Block, error) {
			b := lazy.NewBlock(r, lazy.U8)
			lazytest.Set(b, func(lazy.Index) float64 { return 5 })
			return b, nil
		}
		chain, err = chain.Resolve(a, read, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if _, err := chain.Apply(a); err != nil {
			t.Errorf("%v: %v", chain, err)
		}
	}
}

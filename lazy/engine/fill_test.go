package engine_test

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/lazy/lazytest"
)

func TestFillingABlockAgainGivesWhatGetGives(t *testing.T) {
	m := lazytest.Meta(lazy.F64, lazy.Shape{1, 9, 1, 40, 50}, lazy.Shape{1, 4, 1, 16, 16})
	op := lazytest.BoxSum{Halo: halo(1, 1, 1)}
	a := apply(t, op, lazytest.Array(m, ramp))
	e := newEngine(t, 1<<26)
	for _, r := range []lazy.Region{
		m.Shape.Whole(),
		lazy.At(lazy.Index{0, 3, 0, 5, 7}, lazy.Shape{1, 1, 1, 20, 31}),
		lazy.At(lazy.Index{0, 2, 0, 0, 49}, lazy.Shape{1, 5, 1, 40, 1}),
	} {
		dst := lazy.NewBlock(r, lazy.F64)
		for range 2 { // the second time from the cache
			lazytest.Set(dst, func(lazy.Index) float64 { return -1 })
			if _, err := e.Fill(context.Background(), a, dst, engine.Priority{}); err != nil {
				t.Fatal(err)
			}
			sameBlock(t, dst, direct(op, m, r))
		}
	}
	if _, err := e.Fill(context.Background(), a, lazy.NewBlock(m.Shape.Whole(), lazy.U8), engine.Priority{}); err == nil {
		t.Error("a block of uint8 was filled with float64")
	}
}

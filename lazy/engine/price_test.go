package engine

import (
	"context"
	"math"
	"testing"
	"time"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// Each look at the clock is 10 ms later than the one before, so reading a plane of 16 voxels takes 10 ms.
func TestPricesAreWhatSuchTasksTookBefore(t *testing.T) {
	e := New(Options{Memory: 1 << 20, Workers: 2})
	defer e.Close()
	var now time.Time
	e.SetClock(func() time.Time { now = now.Add(10 * time.Millisecond); return now })
	a := lazytest.Array(lazytest.Meta(lazy.U8, lazy.Shape{1, 3, 1, 4, 4}, lazy.Shape{1, 1, 1, 4, 4}), func(lazy.Index) float64 { return 1 })
	p, err := lazy.Build(lazy.Query{Array: a, Region: a.Meta().Shape.Whole()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, price := range e.Prices(p) {
		if price != (Price{}) {
			t.Errorf("task %d was never run, and its price is %+v", i, price)
		}
	}
	if _, _, err := e.Get(context.Background(), a, a.Meta().Shape.Whole().With(lazy.Z, 1, 2), Priority{}); err != nil {
		t.Fatal(err)
	}
	for i, price := range e.Prices(p) {
		if !price.CPUKnown || math.Abs(price.CPU-0.005) > 1e-12 || price.GPUKnown { // 10 ms on one of two processors
			t.Errorf("the price of task %d is %+v", i, price)
		}
	}
}

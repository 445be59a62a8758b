package engine

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

func TestWhatIsCheaperToMakeAgainLendsItsMemory(t *testing.T) {
	const planes, side = 64, 128 // a computed plane takes 128 KiB
	m := lazytest.Meta(lazy.F32, lazy.Shape{1, planes, 1, side, side}, lazy.Shape{1, 1, 1, side, side})
	value := func(i lazy.Index) float64 { return float64(i[lazy.Z]*1000 + i[lazy.Y] + i[lazy.X]) }
	for _, c := range []struct {
		name  string
		touch float64 // ns a byte; below 0, so that no measurement makes it dear
		most  int64   // bytes of computed blocks at the end
	}{
		{"memory is dear: a few planes are kept", 1e9, (5 + recent) << 17},
		{"memory is cheap: all planes are kept", -1e9, planes << 17},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := lazy.Apply(lazytest.BoxSum{}, lazytest.Array(m, value))
			if err != nil {
				t.Fatal(err)
			}
			e := New(Options{Memory: 64 << 20, Workers: 1})
			defer e.Close()
			e.enough = [2]int64{1 << 20, 4 << 17}
			for z := range planes {
				e.mu.Lock()
				e.touch = mean{c.touch, true}
				e.mu.Unlock()
				var last *lazy.Block
				plane := m.Shape.Whole().With(lazy.Z, z, z+1)
				_, err := e.Lend(context.Background(), a, plane, Priority{}, func(b *lazy.Block) (bool, error) {
					last = lazy.NewBlock(b.Region, b.DType)
					lazy.CopyRegion(last, b, b.Region)
					return false, nil
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
				at := lazy.Index{0, z, 0, side - 1, 3}
				if got := last.Value(at); got != value(at) {
					t.Fatalf("plane %d holds %v where %v is expected", z, got, value(at))
				}
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			kept := e.cache.kinds[computed]
			if c.touch < 0 && kept != c.most || c.touch > 0 && (kept > c.most || kept < e.enough[computed]) {
				t.Errorf("%d bytes of planes are kept, want %d", kept, c.most)
			}
		})
	}
}

func TestWhatTheLastRequestsUsedIsNeverMadeOver(t *testing.T) {
	m := lazytest.Meta(lazy.F32, lazy.Shape{1, 16, 1, 128, 128}, lazy.Shape{1, 1, 1, 128, 128})
	a := lazytest.Array(m, func(i lazy.Index) float64 { return float64(i[lazy.Z]) })
	e := New(Options{Memory: 64 << 20, Workers: 1})
	defer e.Close()
	e.enough = [2]int64{}
	for z := range 16 {
		e.mu.Lock()
		e.touch = mean{1e9, true}
		e.mu.Unlock()
		if _, err := e.Lend(context.Background(), a, m.Shape.Whole().With(lazy.Z, z, z+1), Priority{}, func(*lazy.Block) (bool, error) { return false, nil }, nil); err != nil {
			t.Fatal(err)
		}
	}
	for z := 16 - recent + 1; z < 16; z++ {
		if !e.Cached(a, m.Shape.Whole().With(lazy.Z, z, z+1)) {
			t.Errorf("plane %d, one of the last %d, is gone", z, recent-1)
		}
	}
}

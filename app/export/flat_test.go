package export

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"lamella/filters"
	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/loaders"
)

// nowhere is a writer that keeps nothing, and ends the export after some cells.
type nowhere struct {
	left   int
	engine *engine.Engine
	most   uint64 // bytes that were ever seen to be held on the heap
}

var errEnough = errors.New("enough")

func (n *nowhere) Grid() lazy.Shape { return lazy.Shape{1, 16, 1, 256, 256} }

func (n *nowhere) Write(context.Context, *lazy.Block) error {
	if n.left--; n.left%16 == 0 {
		n.rest()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		n.most = max(n.most, m.HeapAlloc)
	}
	if n.left == 0 {
		return errEnough
	}
	return nil
}

// rest waits until the engine is as far ahead as it may be: what it makes while the collector runs would count too.
func (n *nowhere) rest() {
	for was := -1; ; time.Sleep(10 * time.Millisecond) {
		now := n.engine.Counters().TasksRun
		if now == was {
			return
		}
		was = now
	}
}

func (n *nowhere) Close() error { return nil }
func (n *nowhere) Abort()       {}

// A volume of 40 GB takes the memory of one of 40 MB: what is asked for is told from the budget, and the heap does not
// grow with what has been written.
func TestMemoryIsFlatInTheSizeOfTheVolume(t *testing.T) {
	const budget = 96 << 20
	held := func(source string, cells int) (most uint64) {
		t.Run(source, func(t *testing.T) { // whose engine is let go of at its end
			chain, err := filters.Parse("sobel")
			if err != nil {
				t.Fatal(err)
			}
			a, err := chain.Apply(openSample(t, source).Levels[0].Array)
			if err != nil {
				t.Fatal(err)
			}
			e := newEngine(t, budget)
			w := &nowhere{left: cells, engine: e}
			if _, err := Run(t.Context(), e, Job{Array: a, Region: a.Meta().Shape.Whole()}, w, nil); !errors.Is(err, errEnough) {
				t.Fatal(err)
			}
			if peak := e.Counters().PeakBytes; peak > budget {
				t.Errorf("%d bytes of blocks, the budget is %d", peak, budget)
			}
			most = w.most
		})
		return most
	}
	small := held("sample:ones?shape=40x1024x1024&dtype=int8&chunk=16x256x256", 47)
	large := held("sample:ones?shape=40x32000x32000&dtype=int8&chunk=16x256x256", 160)
	if large > small+small/4 {
		t.Errorf("the heap held up to %d MB for 40 MB of voxels, and %d MB for 40 GB", small>>20, large>>20)
	}
}

var _ loaders.Writer = (*nowhere)(nil)

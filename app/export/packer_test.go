package export

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// packing is a memory writer that takes its cells in two parts.
type packing struct {
	*memory
	packed  atomic.Int64
	unready error // of Pack
	put     int
}

func (p *packing) Pack(_ context.Context, b *lazy.Block) (loaders.Packed, error) {
	if p.packed.Add(1) > 3 && p.unready != nil {
		return nil, p.unready
	}
	kept := lazy.NewBlock(b.Region, b.DType)
	lazy.CopyRegion(kept, b, b.Region)
	return kept, nil
}

func (p *packing) Put(ctx context.Context, made loaders.Packed) error {
	p.put++
	return p.memory.Write(ctx, made.(*lazy.Block))
}

// Cells may be packed in any order, and are put in that of the file, whatever the cells and the memory.
func TestCellsArePackedBesideComputingAndPutInOrder(t *testing.T) {
	img := openSample(t, "sample:random?shape=2x13x3x17x19&chunk=1x4x1x8x8&dtype=int16")
	a := img.Levels[0].Array
	whole := lazy.NewBlock(a.Meta().Shape.Whole(), lazy.I16)
	if _, err := a.Node().Source.Read(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	for _, grid := range []lazy.Shape{{1, 1, 3, 32, 32}, {1, 4, 1, 8, 8}, {1, 1, 1, 17, 19}} {
		for _, budget := range []int64{1 << 20, 24 << 10} { // at once, and in parts
			j := Job{Array: a, Region: whole.Region}
			w := &packing{memory: newMemory(t, j.Description(), grid)}
			if _, err := Run(t.Context(), newEngine(t, budget), j, w, nil); err != nil {
				t.Fatal(err)
			}
			if string(w.all.Bytes()) != string(whole.Bytes()) || w.ended != "close" {
				t.Errorf("in cells of %v the file differs, ended by %q", grid, w.ended)
			}
			if n := whole.Region.Cells(grid); w.put != n || int(w.packed.Load()) != n {
				t.Errorf("in cells of %v: %d packed, %d put", grid, w.packed.Load(), w.put)
			}
		}
	}
}

func TestAnErrorOfPackingAbortsTheFile(t *testing.T) {
	broken := fmt.Errorf("the codec failed")
	j := Job{Array: openSample(t, "sample:ones").Levels[0].Array}
	j.Region = j.Array.Meta().Shape.Whole().With(lazy.Z, 0, 9)
	w := &packing{memory: newMemory(t, j.Description(), lazy.Shape{1, 1, 1, 512, 512}), unready: broken}
	if _, err := Run(t.Context(), newEngine(t, 4<<20), j, w, nil); !errors.Is(err, broken) || w.ended != "abort" {
		t.Errorf("error %v, ended by %q", err, w.ended)
	}
}

func TestTooLittleMemoryForOneCellIsToldAtTheStart(t *testing.T) {
	a := openSample(t, "sample:ones?shape=64x512x512&dtype=float32&chunk=16x64x64").Levels[0].Array
	j := Job{Array: a, Region: a.Meta().Shape.Whole()}
	for _, c := range []struct {
		budget int64
		want   string // "" if it is enough
	}{
		{1 << 20, "at least 12.0 MiB of memory are needed for one and what it is computed from, and 1.0 are allowed"},
		{11 << 20, "and 11.0 are allowed"},
		{12 << 20, ""},
	} {
		for _, way := range []loaders.Way{loaders.Afresh, loaders.Resume} {
			j.Way = way
			if err := j.For(newEngine(t, c.budget)).Agree(lazy.Shape{1, 16, 1, 256, 256}); (err == nil) != (c.want == "") {
				t.Errorf("before there is a file, with %d MiB: %v", c.budget>>20, err)
			}
			w := &packing{memory: newMemory(t, j.Description(), lazy.Shape{1, 16, 1, 256, 256})}
			_, err := Run(t.Context(), newEngine(t, c.budget), j, w, nil)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || w.ended != "abort" || w.packed.Load() > 0) {
				t.Errorf("%d MiB: %v, %d cells were packed, ended by %q", c.budget>>20, err, w.packed.Load(), w.ended)
			}
		}
	}
}

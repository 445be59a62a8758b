package engine

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// Tiles are 512 voxels wide and the cells 256: two cells are computed together, each tile once, and none waits in the cache
// for a cell that has no use for it.
func TestCellsOfOneTileAreComputedTogether(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 4, 1, 16, 1040}, lazy.Shape{1, 4, 1, 16, 256})
	value := func(i lazy.Index) float64 { return float64(10*i[lazy.X] + i[lazy.Y] + i[lazy.Z]) }
	a, err := lazy.Apply(lazytest.BoxSum{}, lazytest.Array(m, value))
	if err != nil {
		t.Fatal(err)
	}
	cell := lazy.Shape{1, 4, 1, 16, 256}
	for _, memory := range []int64{64 << 20, 600 << 10} { // enough for two cells at once, or not
		e := New(Options{Memory: memory, Workers: 2})
		var want []lazy.Region
		for c := range m.Shape.Whole().Tiles(cell) {
			want = append(want, c.Intersect(m.Shape.Whole()))
		}
		prepare := func(b *lazy.Block) (any, error) {
			kept := lazy.NewBlock(b.Region, b.DType)
			lazy.CopyRegion(kept, b, b.Region)
			return kept, nil
		}
		n := 0
		visit := func(made any) error {
			b := made.(*lazy.Block)
			if b.Region != want[n] {
				t.Errorf("cell %d is %v, want %v", n, b.Region, want[n])
			}
			for at := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
				if got := b.Value(at.Min); got != value(at.Min) {
					t.Fatalf("%v holds %v, want %v", at.Min, got, value(at.Min))
				}
			}
			n++
			return nil
		}
		stats, err := e.WalkPrepared(context.Background(), a, m.Shape.Whole(), cell, prepare, visit, nil)
		if err != nil || n != len(want) {
			t.Fatalf("%d of %d cells: %v", n, len(want), err)
		}
		e.mu.Lock()
		left := e.cache.kinds[computed]
		e.mu.Unlock()
		if memory >= 64<<20 && (left != 0 || stats.VoxelsComputed != m.Shape.Whole().Voxels()) {
			t.Errorf("%d bytes wait in the cache, %d voxels were computed of %d", left, stats.VoxelsComputed, m.Shape.Whole().Voxels())
		}
		e.Close()
	}
}

// A walk comes by every voxel once: chunks that lie in one slab are not kept, those that the next slab needs too are, and none is
// read twice.
func TestAWalkKeepsNoChunkThatItIsDoneWith(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 8, 1, 64, 64}, lazy.Shape{1, 4, 1, 16, 32})
	whole := m.Shape.Whole()
	for _, c := range []struct {
		cell lazy.Shape
		kept bool
	}{
		{lazy.Shape{1, 8, 1, 16, 64}, false},
		{lazy.Shape{1, 1, 1, 24, 64}, true},
	} {
		e := New(Options{Memory: 16 << 20, Workers: 2})
		a := lazytest.Array(m, func(i lazy.Index) float64 { return float64(i[lazy.Y]) })
		n := 0
		stats, err := e.Walk(t.Context(), a, whole, c.cell, func(b *lazy.Block) error {
			n += b.Region.Voxels()
			return nil
		}, nil)
		if err != nil || n != whole.Voxels() || stats.ChunksRead != whole.Cells(m.Chunk) {
			t.Errorf("cells of %v: %d voxels, %d chunks were read: %v", c.cell, n, stats.ChunksRead, err)
		}
		e.mu.Lock()
		left := e.cache.bytes
		e.mu.Unlock()
		if (left != 0) != c.kept {
			t.Errorf("cells of %v: %d bytes are kept", c.cell, left)
		}
		e.Close()
	}
}

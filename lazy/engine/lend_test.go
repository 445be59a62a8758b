package engine

import (
	"context"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// A plane of thick chunks is lent in pieces that are cut from them. They lie in one memory, unless somebody keeps them.
func TestPiecesThatNobodyKeepsLieInOneMemory(t *testing.T) {
	m := lazytest.Meta(lazy.U16, lazy.Shape{1, 4, 1, 60, 70}, lazy.Shape{1, 4, 1, 16, 32})
	value := func(i lazy.Index) float64 { return float64(i[lazy.Z]*10000 + i[lazy.Y]*100 + i[lazy.X]) }
	plane := m.Shape.Whole().With(lazy.Z, 2, 3)
	for _, keeps := range []bool{false, true} {
		e := New(Options{Memory: 64 << 20, Workers: 2})
		memories, pieces, voxels := map[*uint64]bool{}, 0, 0
		_, err := e.Lend(context.Background(), lazytest.Array(m, value), plane, Priority{}, func(b *lazy.Block) (bool, error) {
			memories[&b.Memory()[0]] = true
			pieces++
			for at := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
				voxels++
				if got := b.Value(at.Min); got != value(at.Min) {
					t.Fatalf("%v is %v, want %v", at.Min, got, value(at.Min))
				}
			}
			return keeps, nil
		}, nil)
		e.Close()
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if keeps {
			want = pieces
		}
		// Pieces have four sizes; each that is larger than all before it lies elsewhere.
		if pieces != 12 || voxels != 60*70 || len(memories) < want || !keeps && len(memories) > 4 {
			t.Errorf("keeping is %v: %d pieces of %d voxels in %d memories, want %d", keeps, pieces, voxels, len(memories), want)
		}
	}
}

package lazy_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
)

// divided is a source in chunks of 12 planes that are read by parts of 4.
type divided struct{ shape lazy.Shape }

func (d divided) Meta() lazy.Meta {
	return lazy.Meta{Shape: d.shape, Chunk: lazy.Shape{1, 12, 1, 5, 7}, DType: lazy.U8}
}
func (divided) ID() string                                       { return "divided" }
func (divided) Read(context.Context, *lazy.Block) (int64, error) { return 0, nil }
func (divided) Parts() (lazy.Axis, int)                          { return lazy.Z, 3 }

func TestGrainsCoverWhatIsWantedOnceAndAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := divided{lazy.Shape{1, rapid.IntRange(1, 40).Draw(t, "z"), 1, rapid.IntRange(1, 12).Draw(t, "y"), 9}}
		r := s.shape.Whole()
		for _, a := range []lazy.Axis{lazy.Z, lazy.Y} {
			from := rapid.IntRange(0, s.shape[a]-1).Draw(t, "from")
			r = r.With(a, from, rapid.IntRange(from+1, s.shape[a]).Draw(t, "to"))
		}
		covered, n := 0, 0
		for g := range lazy.Grains(s, r) {
			n++
			covered += g.Intersect(r).Voxels()
			chunk := lazy.Cell(g.Min, s.Meta().Chunk).Intersect(s.shape.Whole())
			if !chunk.Contains(g) {
				t.Fatalf("%v reaches beyond the chunk %v", g, chunk)
			}
			if part := g.Len(lazy.Z); g != chunk && (g.Min[lazy.Z]%4 != 0 || part > 4) {
				t.Fatalf("%v is neither a part nor the chunk %v", g, chunk)
			}
		}
		if covered != r.Voxels() {
			t.Fatalf("the grains of %v hold %d of its %d voxels", r, covered, r.Voxels())
		}
		if c := lazy.LayoutFor(r).Count(lazy.FromSource(s).Node(), r); c != n {
			t.Fatalf("%d grains of %v are counted as %d", n, r, c)
		}
	})
}

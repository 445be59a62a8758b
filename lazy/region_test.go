package lazy_test

import (
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
)

func index(lo, hi int) *rapid.Generator[lazy.Index] {
	return rapid.Custom(func(t *rapid.T) lazy.Index {
		var i lazy.Index
		for a := range i {
			i[a] = rapid.IntRange(lo, hi).Draw(t, "index")
		}
		return i
	})
}

func shape(hi int) *rapid.Generator[lazy.Shape] {
	return rapid.Map(index(1, hi), func(i lazy.Index) lazy.Shape { return lazy.Shape(i) })
}

func region() *rapid.Generator[lazy.Region] {
	return rapid.Custom(func(t *rapid.T) lazy.Region {
		return lazy.At(index(-9, 9).Draw(t, "min"), shape(7).Draw(t, "shape"))
	})
}

func TestTilesCoverARegionOnceAndOverlapNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, grid := region().Draw(t, "region"), shape(5).Draw(t, "grid")
		voxels, cells := 0, 0
		var last lazy.Region
		for tile := range r.Tiles(grid) {
			if tile.Shape() != grid || tile != lazy.Cell(tile.Min, grid) {
				t.Fatalf("tile %v is not a cell of the grid %v", tile, grid)
			}
			part := tile.Intersect(r)
			if part.Empty() {
				t.Fatalf("tile %v does not touch %v", tile, r)
			}
			if cells > 0 && !before(last.Min, tile.Min) {
				t.Fatalf("tile %v comes after %v", tile, last)
			}
			last = tile
			voxels += part.Voxels()
			cells++
		}
		if voxels != r.Voxels() || cells != r.Cells(grid) {
			t.Fatalf("%d voxels of %d in %d tiles of %d", voxels, r.Voxels(), cells, r.Cells(grid))
		}
	})
}

func before(a, b lazy.Index) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func TestIntersectIsTheLargestRegionInBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, i := region().Draw(t, "a"), region().Draw(t, "b"), index(-12, 18).Draw(t, "i")
		both := a.Intersect(b)
		if both.Has(i) != (a.Has(i) && b.Has(i)) {
			t.Fatalf("%v in %v of %v and %v", i, both, a, b)
		}
		if !a.Contains(both) || !b.Contains(both) || both != b.Intersect(a) {
			t.Fatalf("%v of %v and %v", both, a, b)
		}
		if u := a.Union(b); !u.Contains(a) || !u.Contains(b) {
			t.Fatalf("union %v", u)
		}
	})
}

func TestAHaloGrowsARegionAndAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := region().Draw(t, "r")
		h := lazy.Halo{Before: index(0, 4).Draw(t, "before"), After: index(0, 4).Draw(t, "after")}
		g := lazy.Halo{Before: index(0, 4).Draw(t, "before"), After: index(0, 4).Draw(t, "after")}
		if r.Grow(h).Grow(g) != r.Grow(h.Add(g)) || !r.Grow(h).Contains(r) {
			t.Fatal("growing twice is not growing by the sum")
		}
	})
}

func TestEmptyRegions(t *testing.T) {
	var none lazy.Region
	some := lazy.Shape{1, 2, 1, 3, 4}.Whole()
	for name, ok := range map[string]bool{
		"the zero region is empty":             none.Empty() && none.Voxels() == 0,
		"a region of one voxel is not":         !lazy.At(lazy.Index{}, lazy.Shape{1, 1, 1, 1, 1}).Empty(),
		"every region contains an empty one":   some.Contains(none),
		"an empty region has no tiles":         none.Cells(some.Shape()) == 0,
		"apart, two regions meet in nothing":   some.Intersect(lazy.At(lazy.Index{0, 5, 0, 0, 0}, some.Shape())) == none,
		"an empty region adds nothing":         some.Union(none) == some && none.Union(some) == some,
		"the text names all five axes":         some.String() == "t=0:1 z=0:2 c=0:1 y=0:3 x=0:4",
		"a shape is written as files name it":  some.Shape().String() == "1x2x1x3x4",
		"axes are named by their small letter": lazy.T.String()+lazy.Z.String()+lazy.C.String()+lazy.Y.String()+lazy.X.String() == "tzcyx",
	} {
		if !ok {
			t.Error("not so:", name)
		}
	}
}

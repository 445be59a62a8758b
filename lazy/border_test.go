package lazy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lamella/lazy"
)

// The rows are those of scipy.ndimage's documentation, for 0 1 2 3 continued by six on each side;
// numpy.pad gives the same with modes symmetric, reflect, edge, wrap and constant (-1 here).
func TestBR013EveryBorderContinuesARowAsScipyDoes(t *testing.T) {
	for rule, want := range map[string][]int{
		"reflect":  {2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1},
		"mirror":   {0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3},
		"nearest":  {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3},
		"wrap":     {2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1},
		"constant": {-1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1},
		"blank":    {-1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1},
	} {
		b, err := lazy.ParseBorder(rule)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := -6; i < 10; i++ {
			got = append(got, b.Fold(i, 4))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", rule, got, want)
		}
	}
}

func TestBordersAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"reflect", "mirror", "nearest", "wrap", "blank", "constant:0", "constant:3.5", "constant:-1e+06"} {
		b, err := lazy.ParseBorder(text)
		if err != nil || b.String() != text {
			t.Errorf("%q is read as %v, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "edge", "reflect:1", "constant:x", "Constant", "wrap "} {
		if b, err := lazy.ParseBorder(text); err == nil {
			t.Errorf("%q is read as %v", text, b)
		}
	}
}

func border() *rapid.Generator[lazy.Border] {
	return rapid.Custom(func(t *rapid.T) lazy.Border {
		return lazy.Border{Mode: lazy.BorderMode(rapid.IntRange(0, 4).Draw(t, "mode")), Value: 7}
	})
}

// value is different at every voxel that the tests below use.
func value(i lazy.Index) int32 {
	n := int32(0)
	for _, x := range i {
		n = n*16 + int32(x)
	}
	return n
}

func TestAGatheredBlockHasAtEveryVoxelWhatTheBorderRulePutsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, r, b := shape(6).Draw(t, "shape"), region().Draw(t, "region"), border().Draw(t, "border")
		grid := shape(4).Draw(t, "grid")
		g := lazy.NewGather(r, lazy.I32, s, b)
		for box := range b.Inside(r, s) {
			if !s.Whole().Contains(box) || box.Empty() {
				t.Fatalf("box %v of shape %v", box, s)
			}
			for tile := range box.Tiles(grid) {
				part := lazy.NewBlock(tile.Intersect(s.Whole()), lazy.I32)
				for n, v := range voxels(part.Region) {
					lazy.View[int32](part)[n] = value(v)
				}
				g.Add(part)
			}
		}
		for n, i := range voxels(r) {
			want := int32(7)
			in := i
			for a := range in {
				in[a] = b.Fold(i[a], s[a])
			}
			if s.Whole().Has(in) {
				want = value(in)
			}
			if got := lazy.View[int32](g.Dst)[n]; got != want {
				t.Fatalf("voxel %v of %v (%v): %d, want %d", i, r, b, got, want)
			}
		}
	})
}

// voxels lists the indices of a region in storage order.
func voxels(r lazy.Region) []lazy.Index {
	var all []lazy.Index
	for v := range r.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		all = append(all, v.Min)
	}
	return all
}

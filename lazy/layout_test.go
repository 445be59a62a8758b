package lazy_test

import (
	"fmt"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// A tile gets shallower until it is one plane, and then narrower, in whole chunks; planes on view stay as they are.
func TestLayoutsForLittleMemoryAreShallowerAndThenNarrower(t *testing.T) {
	m := lazytest.Meta(lazy.U8, lazy.Shape{1, 64, 1, 1024, 4096}, lazy.Shape{1, 16, 1, 32, 128})
	a, err := lazy.Apply(lazytest.BoxSum{}, lazytest.Array(m, func(lazy.Index) float64 { return 0 }))
	if err != nil {
		t.Fatal(err)
	}
	var tiles []string
	l := lazy.LayoutFor(m.Shape.Whole())
	for more := true; more; l, more = l.Smaller() {
		g := l.Grid(a.Node())
		tiles = append(tiles, fmt.Sprintf("%dx%dx%d", g[lazy.Z], g[lazy.Y], g[lazy.X]))
	}
	if want := "[8x256x512 4x256x512 2x256x512 1x256x512 1x128x256 1x64x128 1x32x128]"; fmt.Sprint(tiles) != want {
		t.Errorf("%v\nwant %s", tiles, want)
	}
	if _, more := lazy.LayoutFor(m.Shape.Whole().With(lazy.Y, 5, 6)).Smaller(); more {
		t.Error("a plane is cut up")
	}
}

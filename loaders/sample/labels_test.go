package sample

import (
	"testing"

	"lamella/lazy"
	"lamella/loaders"
)

// The labels lie on the nuclei that DAPI shows: beneath them it is far brighter than beside them, and each is one piece of the size of a nucleus.
func TestLabelsLieOnTheNuclei(t *testing.T) {
	set, err := Driver{}.Open(t.Context(), loaders.Input{Path: "sample:labels"})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Images) != 2 || !set.Images[1].Levels[0].Array.Meta().Labels {
		t.Fatalf("%d images", len(set.Images))
	}
	plane := func(image, c int) *lazy.Block {
		return readFrom(t, set.Images[image].Levels[0].Array.Node(), lazy.At(lazy.Index{lazy.Z: 32, lazy.C: c}, lazy.Shape{1, 1, 1, 512, 512}))
	}
	dapi, numbers := lazy.View[uint16](plane(0, 0)), lazy.View[uint16](plane(1, 0))
	var sum [2]float64
	var n [2]int
	area := map[uint16]int{}
	for i, label := range numbers {
		k := min(1, int(label))
		sum[k] += float64(dapi[i]) - 100
		n[k]++
		area[label]++
	}
	if in, out := sum[1]/float64(n[1]), sum[0]/float64(n[0]); in < 4*out {
		t.Errorf("DAPI is %.0f in the labels and %.0f beside them", in, out)
	}
	for label, a := range area {
		if radius := 34; label > 0 && a > radius*radius*22/7 {
			t.Errorf("nucleus %d has %d voxels in a plane", label, a)
		}
	}
	if len(area) < 10 {
		t.Errorf("there are %d nuclei in the plane", len(area)-1)
	}
}

func TestLabelsDoNotDependOnTheChunk(t *testing.T) {
	l := newLabels(newCells())
	whole := lazy.At(lazy.Index{lazy.Z: 20, lazy.Y: 200, lazy.X: 100}, lazy.Shape{2, 2, 1, 50, 150})
	whole = whole.With(lazy.T, 0, 1)
	all := lazy.NewBlock(whole, lazy.U16)
	if _, err := l.Read(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for part := range whole.Tiles(lazy.Shape{1, 1, 1, 7, 11}) {
		part = part.Intersect(whole)
		b := lazy.NewBlock(part, lazy.U16)
		if _, err := l.Read(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if got, want := lazy.View[uint16](b)[0], lazy.View[uint16](all)[all.Offset(part.Min)]; got != want {
			t.Fatalf("at %v %d, want %d", part.Min, got, want)
		}
	}
}

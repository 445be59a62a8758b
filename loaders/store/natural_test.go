package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lamella/loaders/store"
)

func TestBR002NamesAreOrderedAsPeopleCount(t *testing.T) {
	for _, want := range [][]string{
		{"img_1.png", "img_2.png", "img_9.png", "img_10.png", "img_12.png"},
		{"z01", "z02", "z09", "z10", "z99", "z100", "z117"},
		{"s (1).tif", "s (2).tif", "s (10).tif", "s (11).tif"},
		{"a", "a1", "a1b2", "a1b10", "a2", "b"},
		{"x9999999999999999999", "x10000000000000000000", "x123456789012345678901234567890"},
		{"f01", "f1", "f001x", "f1x"},
		{"細胞1.tif", "細胞2.tif", "細胞10.tif"},
	} {
		got := slices.Clone(want)
		for range 20 {
			rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
			slices.SortFunc(got, store.NaturalCompare)
			if !slices.Equal(got, want) {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	}
}

func FuzzNaturalOrderIsTotal(f *testing.F) {
	f.Add("a1", "a01", "a001")
	f.Add("1", "a", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		sign := func(x, y string) int {
			switch n := store.NaturalCompare(x, y); {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		}
		if sign(a, b) != -sign(b, a) || (sign(a, b) == 0) != (a == b) {
			t.Errorf("%q and %q: %d and %d", a, b, sign(a, b), sign(b, a))
		}
		if sign(a, b) < 0 && sign(b, c) < 0 && sign(a, c) >= 0 {
			t.Errorf("%q < %q < %q, but not the first and the last", a, b, c)
		}
	})
}

//go:build !headless

package main

import (
	"slices"
	"testing"
)

func TestThePicturesOfAMovieAreNumberedFromOne(t *testing.T) {
	for _, c := range []struct {
		path string
		n    int
		want []string
	}{
		{"/a/b.png", 2, []string{"/a/b_0001.png", "/a/b_0002.png"}},
		{"/a.b/run 3.PNG", 1, []string{"/a.b/run 3_0001.png"}},
	} {
		if got := frameNames(c.path, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d pictures of %s are %q, want %q", c.n, c.path, got, c.want)
		}
	}
	long := frameNames("m.png", 12345)
	if long[0] != "m_00001.png" || long[12344] != "m_12345.png" || !slices.IsSorted(long) {
		t.Errorf("of 12345 pictures the first is %s and the last %s", long[0], long[12344])
	}
}

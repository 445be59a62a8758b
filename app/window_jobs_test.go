//go:build !headless

package main

import (
	"strings"
	"testing"

	"lamella/filters"
	"lamella/viewer"
)

// What is open is not written over, although the user says that the file may be replaced.
func TestFilesThatAreReadAreNotWrittenOver(t *testing.T) {
	files := written(t, "2x4x5", "2x4x5", "2x4x5", "2x4x5", "2x4x5")
	red, green, beside, psf, other := files[0], files[1], files[2], files[3], files[4]
	chain, err := filters.Parse("richardson-lucy psf=" + psf)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, path string
		state      viewer.State
		want       string // "" if it may be written
	}{
		{"the first of several sources", red, viewer.State{}, "the source itself"},
		{"another of them", green, viewer.State{}, "the source itself"},
		{"a file that the reader found", beside, viewer.State{}, "a part of the source"},
		{"a PSF", psf, viewer.State{Chain: chain}, "a filter reads it"},
		{"a PSF of the filters to compare with", psf, viewer.State{Aside: chain}, "a filter reads it"},
		{"a PSF that no filter reads any more", psf, viewer.State{}, ""},
		{"a file of something else", other, viewer.State{Chain: chain}, ""},
	} {
		err := mayWrite(c.path, true, []string{red, green}, []string{beside}, c.state)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

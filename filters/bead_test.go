package filters_test

import (
	"strings"
	"testing"

	"lamella/lazy"
	"lamella/lazy/lazytest"
)

// A bead in the image gives the PSF that the image was made with: where it is, not where it was said to be, and without the
// background.
func TestABeadInTheImageIsItsPSF(t *testing.T) {
	shape, n := [3]int{21, 40, 44}, [3]int{7, 9, 9}
	at := [3]int{9, 20, 17}
	bell := bellOf(n)
	image := stack(shape, func(i lazy.Index) float64 {
		var k lazy.Index
		for a, ax := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			if k[ax] = i[ax] - at[a] + n[a]/2; k[ax] < 0 || k[ax] >= n[a] {
				return 100
			}
		}
		return 100 + 1000*bell(k)
	})
	e := deconvolver(t)
	got := deconvolved(t, e, "richardson-lucy psf=bead(at=10,19,18,size=9,13,13) background=100 iterations=20", image, image)
	most, where := 0.0, lazy.Index{}
	lazytest.Each(got.Region, func(i lazy.Index) {
		if v := got.Value(i); v > most {
			most, where = v, i
		}
	})
	if want := (lazy.Index{0, at[0], 0, at[1], at[2]}); where != want || most < 5000 {
		t.Errorf("the bead is at %v with %g, want %v", where, most, want)
	}
	if _, about := settle(t, "richardson-lucy psf=bead(at=10,18,18,size=9,12,13)", image, image, 1<<30); !strings.HasPrefix(about, "a PSF of 9 x 13 x 13 voxels") {
		t.Errorf("it is %q", about)
	}
	for text, want := range map[string]string{
		"bead(at=1,20,17)":           "reach beyond the image",
		"bead(size=3)":               "expected at=z,y,x",
		"bead(at=9,20,17,size=9999)": "expected 3 to 1023",
	} {
		if _, err := tryDeconvolve(e, "richardson-lucy psf="+text, image, image); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

package cli

import (
	"strings"
	"testing"
)

// Words of a chain that cannot be meant end with 2, whatever finds them out: the grammar, the filter, or the image. What they name
// and cannot be read ends with 1, as a source does.
func TestExitCodesOfChains(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		chain string
		code  int
		hint  string
	}{
		{`stencil "x["`, wrongWords, "expected a whole number of voxels, found the end"},
		{`stencil "x + q"`, wrongWords, `"q" is not known`},
		{`stencil "1 / 0"`, wrongWords, "dividing by 0"},
		{`channels "c1 + c9"`, wrongWords, "c9"},
		{"rescale low=5 high=1", wrongWords, "expected low below high"},
		{"project range=a", wrongWords, "expected A:B"},
		{"crop x=5:1", wrongWords, "holds none of the 64 voxels"},
		{"bin size=99", wrongWords, "a box of 99 is longer than the image"},
		{"external", wrongWords, "no program is named"},
		{"gaussian sigma=400nm", wrongWords, "the image does not state its voxel size"},
		{"gaussian channels=7", wrongWords, "the image has 1 channel"},
		{"threshold method=otsu channel=9", wrongWords, "channel=9: the image has 1 channel"},
		{"threshold value=3 channel=9", wrongWords, "channel=9: the image has 1 channel"},
		{"richardson-lucy psf=gaussian(fwhm=2)", wrongWords, "expected sigma, size"},
		{"richardson-lucy start=0", wrongWords, "start=0: what is multiplied stays 0: expected a number above 0, mean or input"},
		{"richardson-lucy start=1e-60", wrongWords, "start=1e-60: what is multiplied stays 0"},
		{"richardson-lucy stopped=5", wrongWords, "expected stop or stop-divergence beside it, or iterations=5"},
		{"landweber stopped=5", wrongWords, "expected stop or stop-divergence beside it"},
		{"richardson-lucy psf=none.tif", couldNot, "none.tif"},
		{"landweber start=0 iterations=1", done, ""},
		{"richardson-lucy iterations=1 stop=0.5 stopped=1", done, ""},
	} {
		got := lamella("slice", "sample:ones?shape=8x64x64&dtype=uint8", "--out", "a.npy", "--overwrite", "--quiet", "--filter", c.chain)
		if got.code != c.code || !strings.Contains(got.stderr, c.hint) || strings.Count(got.stderr, "\n") > 1 {
			t.Errorf("%s: exit %d, want %d: %s", c.chain, got.code, c.code, got.stderr)
		}
	}
}

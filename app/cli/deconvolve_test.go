package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPSFIsAFileOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	psf := filepath.Join(dir, "a psf.npy")
	must(t, "export", "sample:blobs?shape=5x7x9&chunk=5x7x9&dtype=float32", "--out", psf)
	out := filepath.Join(dir, "sharp.npy")
	source := "sample:blobs?shape=12x40x50&chunk=12x40x50&dtype=uint16"
	got := lamella("export", source, "--filter", `richardson-lucy psf="`+psf+`" iterations=2`, "--out", out)
	if got.code != 0 || !strings.Contains(got.stderr, "block=12,40,50 halo=0,0,0, for a PSF of 5 x 7 x 9 voxels, 2 iterations") {
		t.Errorf("exit %d, told %q", got.code, got.stderr)
	}
	if info, err := os.Stat(out); err != nil || info.Size() < 4*12*40*50 {
		t.Error(info, err)
	}
	for words, want := range map[string]string{
		"richardson-lucy psf=nowhere.tif":                       "nowhere.tif",
		"richardson-lucy psf=":                                  "expected a file",
		"richardson-lucy psf=born-wolf(na=1,wavelength=purple)": "expected a length of light",
		"richardson-lucy start=middle":                          "mean, input, or a number",
	} {
		got := lamella("slice", source, "--filter", words, "--out", filepath.Join(dir, "none.npy"))
		if got.code == 0 || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, told %q, want %q", words, got.code, got.stderr, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none.npy")); err == nil {
		t.Error("a file was written")
	}
}

func TestWhatADeconvolutionTakesIsToldBeforeItAndItsErrorOnDemand(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "plane.npy")
	source := "sample:blobs?shape=24x60x70&chunk=12x60x70&dtype=uint16"
	filter := "richardson-lucy psf=gaussian(sigma=1) iterations=3 block=8,32,32"
	got := lamella("plan", source, "--filter", filter)
	if got.code != 0 || !strings.Contains(got.stderr, "richardson-lucy of the whole image: 18 blocks of 8 x 32 x 32 voxels, each computed as 32 x ") || !strings.Contains(got.stderr, " MiB, about ") {
		t.Errorf("exit %d, told %q", got.code, got.stderr)
	}
	got = lamella("export", source, "--filter", filter, "--roi", "z=0:8,y=10:40,x=0:70", "--out", filepath.Join(dir, "part.npy"))
	if got.code != 0 || !strings.Contains(got.stderr, "richardson-lucy of this region: 6 blocks of 8 x 32 x 32 voxels") {
		t.Errorf("of a region: exit %d, told %q", got.code, got.stderr)
	}
	got = lamella("slice", source, "--filter", filter, "--error", "--out", out)
	if got.code != 0 || !strings.Contains(got.stderr, "after 3 iterations") || !strings.Contains(got.stderr, "differs from the whole image by at most") {
		t.Errorf("exit %d, told %q", got.code, got.stderr)
	}
	if got = lamella("slice", source, "--filter", "gaussian", "--error", "--out", out, "--overwrite"); got.code == 0 || !strings.Contains(got.stderr, "no deconvolution with iterations") {
		t.Errorf("exit %d, told %q", got.code, got.stderr)
	}
}

// Little memory makes blocks so small that what lies around them is nearly all of the work: that is told, or refused, and nobody
// waits without knowing for what.
func TestADeconvolutionInLittleMemoryIsToldOrRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "plane.npy")
	for memory, want := range map[string]string{
		"4MiB":   "the smallest block, 48 x 48 x 48 voxels, takes 5.7 MiB with what is around it, and of 4.0 MiB of memory a block may take half: allow 12 MiB or more",
		"20MiB":  "512 blocks of 8 x 8 x 8 voxels, each computed as 72 x 72 x 72 in 6.3 MiB, about ",
		"400MiB": "",
	} {
		source := "sample:blobs?shape=48x48x48&dtype=uint16"
		if memory == "20MiB" {
			source = "sample:blobs?shape=64x64x64&dtype=uint16"
		}
		got := lamella("slice", source, "--memory", memory, "--filter", "richardson-lucy psf=gaussian(sigma=2) iterations=1", "--overwrite", "--out", out)
		if (got.code != 0) != (memory == "4MiB") || !strings.Contains(got.stderr, want) || want == "" && strings.Contains(got.stderr, "of the whole image") {
			t.Errorf("with %s: exit %d, told %q, want %q", memory, got.code, got.stderr, want)
		}
	}
}

func TestAPSFThatIsNoneIsToldBeforeAFileIsBegun(t *testing.T) {
	dir := t.TempDir()
	psf := filepath.Join(dir, "empty.npy")
	must(t, "export", "sample:ones?shape=3x3x3&chunk=3x3x3&dtype=float32", "--filter", "rescale low=1 high=2", "--out", psf)
	got := lamella("export", "sample:blobs?shape=12x40x50&chunk=12x40x50&dtype=uint16", "--filter", "richardson-lucy psf="+psf, "--out", filepath.Join(dir, "out.ome.zarr"))
	if got.code == 0 || !strings.Contains(got.stderr, "empty.npy: the PSF is 0 everywhere") {
		t.Errorf("exit %d, told %q", got.code, got.stderr)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("there is %v", left)
	}
}

package filters

import "testing"

// No image is so large that its blocks are not found, at once, and fit.
func TestBlocksOfHugeImagesFitIntoTheMemory(t *testing.T) {
	takes := func(f field) int64 { return 4 * int64(3*f.voxels()) }
	psf, halo := [3]int{17, 17, 17}, [3]int{24, 24, 24}
	for _, c := range []struct {
		image [3]int
		bytes int64
	}{
		{[3]int{1_000_000, 1_000_000, 1_000_000}, 1 << 30}, {[3]int{300_000, 300_000, 300_000}, 256 << 20},
		{[3]int{1, 10_000_000, 10_000_000}, 64 << 20}, {[3]int{2000, 20_000, 20_000}, 1 << 30}, {[3]int{64, 256, 256}, 1 << 30},
	} {
		block := blocksFor(c.image, psf, halo, takes, c.bytes)
		f := middleField(c.image, block, psf, halo)
		if takes(f) > c.bytes || takes(f) < c.bytes/1000 {
			t.Errorf("%v in %d bytes: blocks of %v take %d", c.image, c.bytes, block, takes(f))
		}
		for a := range 3 {
			if block[a] < 1 || block[a] > c.image[a] {
				t.Errorf("%v: blocks of %v", c.image, block)
			}
		}
	}
	for _, image := range [][3]int{{500, 500, 500}, {48, 48, 48}} { // of which no block fits
		took := func(block [3]int) int64 { return takes(middleField(image, block, psf, halo)) }
		if block := blocksFor(image, psf, halo, takes, 1); took(block) != took([3]int{8, 8, 8}) || image[0] == 48 && block != image {
			t.Errorf("of %v blocks of %v, which take %d bytes: want the largest of those that take the least, %d", image, block, took(block), took([3]int{8, 8, 8}))
		}
	}
}

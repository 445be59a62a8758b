package filters

import (
	"math"

	"lamella/filters/fft"
)

// mostParts bounds into how many parts an axis is cut when blocks are chosen.
const mostParts = 256

// blocksFor chooses the blocks of a deconvolution: those with the least work for the whole image of which one takes no
// more than so many bytes; of all that are possible the smallest, if none does. Blocks of an axis are even parts of it,
// rounded up to 8 voxels. takes says what one block takes.
func blocksFor(image, psf, halo [3]int, takes func(f field) int64, bytes int64) [3]int {
	var best, least [3]int
	work, smallest := math.Inf(1), int64(math.MaxInt64)
	cuts := [3][]int{cutsOf(image[0]), cutsOf(image[1]), cutsOf(image[2])}
	for _, z := range cuts[0] {
		for _, y := range cuts[1] {
			for _, x := range cuts[2] {
				block := [3]int{z, y, x}
				f, parts := middleField(image, block, psf, halo)
				need := takes(f)
				if need < smallest {
					smallest, least = need, block
				}
				n := float64(f.voxels())
				if w := n * math.Log2(n+1) * float64(parts); need <= bytes && w < work {
					work, best = w, block
				}
			}
		}
	}
	if math.IsInf(work, 1) {
		return least
	}
	return best
}

// cutsOf lists the lengths that blocks of an axis may have, from all of it down to 8 voxels.
func cutsOf(n int) []int {
	cuts := []int{n}
	for parts := 2; parts <= mostParts; parts++ {
		b := (n + parts - 1) / parts
		if b = (b + 7) &^ 7; b < 8 || b >= n {
			break
		}
		if b < cuts[len(cuts)-1] {
			cuts = append(cuts, b)
		}
	}
	return cuts
}

// middleField is the field of a block away from the edges, as far as the image allows, and how many blocks there are.
func middleField(image, block, psf, halo [3]int) (field, int) {
	var n [3]int
	var whole [3]fft.Span
	parts := 1
	for a := range 3 {
		n[a] = min(image[a], block[a]+2*halo[a])
		whole[a] = fft.Span{Min: -1, Max: n[a] + 1}
		parts *= (image[a] + block[a] - 1) / block[a]
	}
	return newField(n, whole, psf, false), parts
}

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
	work := math.Inf(1)
	cuts := [3][]int{cutsOf(image[0]), cutsOf(image[1]), cutsOf(image[2])}
	for a, c := range cuts {
		least[a] = c[len(c)-1]
	}
	var fields [3][]field // what lies along an axis depends on the block's length there alone
	for a, c := range cuts {
		for _, n := range c {
			block := least
			block[a] = n
			fields[a] = append(fields[a], middleField(image, block, psf, halo))
		}
	}
	for i, z := range cuts[0] {
		for j, y := range cuts[1] {
			for k, x := range cuts[2] {
				if 4*float64(z)*float64(y)*float64(x) > float64(bytes) {
					continue // the voxels alone are too many
				}
				block := [3]int{z, y, x}
				f := fieldOf(fields[0][i], fields[1][j], fields[2][k])
				n := float64(f.voxels())
				if w := n * math.Log2(n+1) * blocksOf(image, block); w < work && takes(f) <= bytes {
					work, best = w, block
				}
			}
		}
	}
	if math.IsInf(work, 1) {
		return asLarge(least, cuts, fields, takes)
	}
	return best
}

// asLarge is the smallest block made as long along each axis as takes no more: where the image ends in any case.
func asLarge(block [3]int, cuts [3][]int, fields [3][]field, takes func(f field) int64) [3]int {
	at := [3]int{len(cuts[0]) - 1, len(cuts[1]) - 1, len(cuts[2]) - 1}
	of := func(at [3]int) int64 { return takes(fieldOf(fields[0][at[0]], fields[1][at[1]], fields[2][at[2]])) }
	smallest := of(at)
	for a := range 3 {
		for longer := at; longer[a] > 0; {
			if longer[a]--; of(longer) > smallest {
				break
			}
			at, block[a] = longer, cuts[a][longer[a]]
		}
	}
	return block
}

// fieldOf is the field that is as z along z, as y along y and as x along x.
func fieldOf(z, y, x field) field {
	z.shape[1], z.data[1], z.estimate[1], z.image[1] = y.shape[1], y.data[1], y.estimate[1], y.image[1]
	z.shape[2], z.data[2], z.estimate[2], z.image[2] = x.shape[2], x.data[2], x.estimate[2], x.image[2]
	return z
}

// cutsOf lists the lengths that blocks of an axis may have, from all of it down to 8 voxels: even parts, and halves of the
// smallest of those.
func cutsOf(n int) []int {
	cuts := []int{n}
	for parts := 2; parts <= mostParts; parts++ {
		b := (n + parts - 1) / parts
		if b = (b + 7) &^ 7; b < 8 || b >= n {
			return cuts
		}
		if b < cuts[len(cuts)-1] {
			cuts = append(cuts, b)
		}
	}
	for b := cuts[len(cuts)-1] / 2; b >= 8; b /= 2 {
		cuts = append(cuts, (b+7)&^7)
	}
	return cuts
}

// blocksOf is into how many blocks an image is cut.
func blocksOf(image, block [3]int) float64 {
	n := 1.0
	for a := range 3 {
		n *= float64((image[a] + block[a] - 1) / block[a])
	}
	return n
}

// middleField is the field of a block away from the edges, as far as the image allows.
func middleField(image, block, psf, halo [3]int) field {
	var n [3]int
	var whole [3]fft.Span
	for a := range 3 {
		n[a] = min(image[a], block[a]+2*halo[a])
		whole[a] = fft.Span{Min: -1, Max: n[a] + 1}
	}
	return newField(n, whole, psf, false)
}

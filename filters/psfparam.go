package filters

import (
	"fmt"

	"lamella/lazy"
)

// Parameters that all deconvolutions have.
var (
	psfParam = Param{Name: "psf", Kind: File, Default: "gaussian(sigma=1)",
		Doc: "the file with the point spread function, used as it is, only normalised: its origin is voxel n // 2 of each axis. One volume for all, or one a channel. Or a formula: gaussian(sigma=0.3um,0.1um,0.1um), born-wolf(na=1.4,wavelength=520nm,index=1.518), gibson-lanni(na=1.4,wavelength=520nm,index=1.518,specimen=1.33,depth=10um); or a bead in the image itself: bead(at=12,200,310,size=21,33,33)"}
	prepareParam = Param{Name: "prepare", Kind: Choice, Default: "false", Choices: []string{"false", "true"},
		Doc: "true prepares a measured PSF: background and what is faint removed, resampled to the image's voxel size, centred; of a flat image the plane through its centre"}
	blockParams = []Param{
		{Name: "block", Kind: Integer, PerAxis: true, Default: "0", Min: 0, Max: 1 << 20, Unit: "voxels", Rare: true,
			Doc: "how much is computed at once, along z,y,x; 0 for all of an axis. Chosen once where it is not given"},
		{Name: "halo", Kind: Integer, PerAxis: true, Default: "0", Min: 0, Max: 4096, Unit: "voxels", Rare: true,
			Doc: "how much around a block is taken into account, along z,y,x. Chosen once where it is not given"},
	}
)

// triple is a whole number for each of z, y and x.
func (v values) triple(name string) ([3]int, error) {
	n, err := v.perAxis(name)
	return [3]int{int(n[lazy.Z]), int(n[lazy.Y]), int(n[lazy.X])}, err
}

// psf is the point spread function for an image. Of one that is larger than a deconvolution has a use for only the
// middle is used: what lies farther from its origin than the image is long joins no two voxels of the image.
func (v values) psf(image lazy.Meta) (lazy.Array, error) {
	psf, err := v.wholePSF(image)
	if _, cuts := v.spec.Param("halo"); err != nil || !cuts {
		return psf, err
	}
	return middleOf(psf, used(psf.Meta(), image))
}

// wholePSF is the point spread function as large as it is.
func (v values) wholePSF(image lazy.Meta) (lazy.Array, error) {
	switch name := v.text["psf"]; {
	case isBead(name):
		return v.beadIn(image)
	case isModel(name):
		return modelled(v.text["psf"], image)
	}
	psf, err := v.file("psf")
	if err != nil || v.text["prepare"] != "true" {
		return psf, err
	}
	return lazy.Apply(newPreparation(image, psf.Meta()), psf)
}

// deconvolved applies a method to an image, with the voxels of the result multiplied by scale.
func (v values) deconvolved(a lazy.Array, m solver, scale float64) (lazy.Array, error) {
	v.image = a
	psf, err := v.psf(a.Meta())
	if err != nil {
		return lazy.Array{}, err
	}
	d := v.deconvolution(a.Meta(), m, scale)
	if d.block, err = v.triple("block"); err != nil {
		return lazy.Array{}, err
	}
	if d.halo, err = v.triple("halo"); err != nil {
		return lazy.Array{}, err
	}
	out, err := lazy.Apply(d, a, psf)
	if err != nil {
		return lazy.Array{}, err
	}
	return cast(out, v.dtype(d.out))
}

// deconvolution is the op of a method, without blocks.
func (v values) deconvolution(image lazy.Meta, m solver, scale float64) deconvolution {
	d := deconvolution{name: v.spec.Name, psf: v.text["psf"], method: m, image: image.Shape, scale: scale, out: derivativeType(image.DType)}
	for e, name := range edgeNames {
		if v.text["edges"] == name {
			d.edges = edges(e)
		}
	}
	return d
}

// partOfMemory is the share of the memory that one block may take: while it is computed, blocks before and after it
// are held, and another may be on its way.
const partOfMemory = 3

// leastPart is the share that the smallest block may take: with less memory there is no room for what it is made from, and the
// work around many small blocks is a multiple of that for the image.
const leastPart = 2

func mebi(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// defaultMemory is for whoever does not say how much there is.
const defaultMemory = 1 << 30

// asksBlocks is how the blocks of a deconvolution are found. of is how many volumes the method takes beside those that
// all take, and its iterations.
func asksBlocks(of func(v values) (copies, iterations int)) func(v values) statistic {
	return func(v values) statistic {
		sets := []string{"block", "halo"}
		if _, has := v.spec.Param("halo"); !has {
			sets = sets[:1]
		}
		return statistic{sets: sets, plan: func() ([]string, string, error) {
			psf, err := v.psf(v.meta)
			if err != nil {
				return nil, "", err
			}
			copies, iterations := of(v)
			var image, n, halo [3]int
			for i, a := range space {
				image[i], n[i] = v.meta.Shape[a], psf.Meta().Shape[a]
			}
			switch {
			case len(sets) == 1: // what a convolution looks at is the field's estimate
			case v.given["halo"]:
				if halo, err = v.triple("halo"); err != nil {
					return nil, "", err
				}
			default:
				halo = haloFor(n)
			}
			memory := v.memory
			if memory <= 0 {
				memory = defaultMemory
			}
			block, err := v.triple("block")
			if err != nil {
				return nil, "", err
			}
			for a := range block {
				if block[a] == 0 {
					block[a] = image[a]
				}
			}
			if !v.given["block"] {
				takes := func(f field) int64 {
					return 4 * (int64(2*f.voxels()) + int64(1+copies)*int64(size(f.estimate)) + 4*int64(size(f.data)))
				}
				block = blocksFor(image, n, halo, takes, memory/partOfMemory)
				if f := middleField(image, block, n, halo); takes(f) > memory/leastPart {
					return nil, "", fmt.Errorf("the smallest block, %d x %d x %d voxels, takes %.1f MiB with what is around it, and of %.1f MiB of memory a block may take half: allow %d MiB or more",
						block[0], block[1], block[2], mebi(takes(f)), mebi(memory), leastPart*takes(f)>>20+1)
				}
			}
			for a := range halo {
				if block[a] >= image[a] && v.text["edges"] != edgeNames[mirrored] {
					halo[a] = 0 // nothing is cut
				}
			}
			about := fmt.Sprintf("a PSF of %d x %d x %d voxels", n[0], n[1], n[2])
			if whole, err := v.wholePSF(v.meta); err == nil && lengths(whole.Meta()) != n {
				w := lengths(whole.Meta())
				about += fmt.Sprintf(" (the middle of %d x %d x %d: the image is smaller)", w[0], w[1], w[2])
			}
			if iterations > 1 {
				about += fmt.Sprintf(", %d iterations", iterations)
			}
			about += fmt.Sprintf(" and %d MiB of memory", memory>>20)
			return []string{triple(block), triple(halo)}[:len(sets)], about, nil
		}}
	}
}

func triple(n [3]int) string { return fmt.Sprintf("%d,%d,%d", n[0], n[1], n[2]) }

// furtherHalo is the most voxels that a halo has beyond what the PSF reaches.
const furtherHalo = 16

// haloFor is how far around a block a deconvolution looks: as far as the PSF reaches, and twice as far again, at most 16 voxels.
// Every reach makes the difference from the whole ten times less; docs/DECONVOLUTION.md has what was measured.
func haloFor(psf [3]int) [3]int {
	before, after := reach(psf)
	var h [3]int
	for a := range h {
		r := max(before[a], after[a])
		h[a] = r + min(2*r, furtherHalo)
	}
	return h
}

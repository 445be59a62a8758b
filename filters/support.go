package filters

import (
	"fmt"

	"lamella/lazy"
)

// A Support is the part of a PSF, around its origin, that holds nearly all of its light.
type Support struct {
	Size [3]int  // along z, y and x
	Of   [3]int  // of all of the PSF
	Kept float64 // the part of the light
}

// lostLight is the part of a PSF's light that a Support may lack, at the most.
const lostLight = 0.002

// A PSF is a point spread function that a step of a chain names.
type PSF struct {
	Step  int
	Name  string // as in the chain
	Array lazy.Array
}

// PSFs are those of a chain, which has been opened, on an image; of steps that are switched off there are none.
func (c Chain) PSFs(a lazy.Array) ([]PSF, error) {
	var all []PSF
	for n, s := range c {
		if s.Off {
			continue
		}
		of, err := s.chosen(a)
		var v values
		if err == nil {
			v, err = s.values(of.Meta())
		}
		if err == nil {
			if _, has := v.spec.Param("psf"); has {
				p := PSF{Step: n, Name: v.text["psf"]}
				v.image = of
				if p.Array, err = v.psf(of.Meta()); err == nil {
					err = deconvolution{psf: p.Name}.ofPSF(suits(of.Meta(), p.Array.Meta()))
				}
				all = append(all, p)
			}
		}
		if err == nil {
			a, err = Chain{s}.Provisional()[0].apply(a)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (step %d of the chain)", err, n+1)
		}
	}
	return all, nil
}

// Support is what holds nearly all the light of a PSF, from its voxels, of all channels; the largest of the channels'. A PSF
// that is none, such as one with negative values, is refused in words.
func (p PSF) Support(b *lazy.Block) (Support, error) {
	s := Support{Kept: 1}
	for i, a := range space {
		s.Of[i] = b.Region.Len(a)
	}
	var all []spread
	for c := b.Region.Min[lazy.C]; c < b.Region.Max[lazy.C]; c++ {
		one := lazy.NewBlock(b.Region.With(lazy.C, c, c+1), b.DType)
		lazy.CopyRegion(one, b, one.Region)
		h, err := newSpread(one)
		if err != nil {
			return s, fmt.Errorf("filters: psf=%s: %w", p.Name, err)
		}
		all = append(all, h)
		for a, n := range h.support() {
			s.Size[a] = max(s.Size[a], n)
		}
	}
	for _, h := range all {
		s.Kept = min(s.Kept, h.within(s.Size))
	}
	return s, nil
}

// support is the lengths of a box around the origin outside of which there is next to no light: a third of what may be lost
// along each axis.
func (s spread) support() (n [3]int) {
	t, o := s.table(), s.origin()
	for a := range n {
		n[a] = s.n[a]
		for n[a] > 1 {
			less := s.n
			less[a] = n[a] - 1
			if less[a]/2 == n[a]/2 { // the origin keeps its place in the middle
				less[a] = max(1, n[a]-2)
			}
			if 1-t.light(o, less) > lostLight/3 {
				break
			}
			n[a] = less[a]
		}
	}
	return n
}

// within is the part of the light in a box around the origin.
func (s spread) within(n [3]int) float64 { return s.table().light(s.origin(), n) }

// light is the sum over a box whose own origin, n // 2, is at o.
func (t table) light(o, n [3]int) float64 {
	lo := func(a int) int { return o[a] - n[a]/2 }
	row := make([]float64, t.n[2]+1)
	t.combine(row, lo(0), lo(0)+n[0], lo(1), lo(1)+n[1])
	return row[lo(2)+n[2]] - row[lo(2)]
}

// crop is the part of a PSF that a support says.
func (s Support) crop(psf lazy.Array) (lazy.Array, error) {
	if s.Of != lengths(psf.Meta()) {
		return psf, fmt.Errorf("the support of a PSF of %v is not that of one of %v voxels", s.Of, lengths(psf.Meta()))
	}
	return middleOf(psf, s.Size)
}

// middleOf is so many voxels of a PSF around its origin, at most.
func middleOf(psf lazy.Array, n [3]int) (lazy.Array, error) {
	r := psf.Meta().Shape.Whole()
	for i, a := range space {
		lo := psf.Meta().Shape[a]/2 - n[i]/2
		r = r.With(a, lo, lo+n[i])
	}
	if r == psf.Meta().Shape.Whole() {
		return psf, nil
	}
	return lazy.Crop(psf, r)
}

// used is how much of a PSF there is a use for on an image.
func used(psf, image lazy.Meta) [3]int {
	n := lengths(psf)
	for i, a := range space {
		if most := 2*image.Shape[a] - 1; image.Shape[a] > 1 && n[i] > most {
			n[i] = most
		}
	}
	return n
}

package filters

import "lamella/filters/fft"

// leastShare is the share of its light that the data must hold for a voxel of the estimate to be changed by them: what
// lies farther out is less than the rounding of a transform in float32.
const leastShare = 1e-4

// shares say how much of the light of each voxel of the estimate the data hold: 1 within, less beside an edge that
// there is something behind. Richardson-Lucy divides by it, so that a voxel that is seen half is not taken for
// half as bright (Bertero and Boccacci, Astronomy and Astrophysics 437 (2005) 369).
type shares struct {
	f    field
	dark bool // what lies beyond the image is known to be 0, and so seen
	t    table
}

// A shareRow is memory for the shares of one row, which are those of the row before where both lie as far from the
// edges.
type shareRow struct {
	key      [8]int
	known    bool
	combined []float64
	inverse  []float32 // 1/share, or 0 where the share is too little
}

// row is 1/share along row y of plane z of the estimate.
func (s shares) row(z, y int, r *shareRow) []float32 {
	kz, ky := s.within(0, z), s.within(1, y)
	key := [8]int{kz[0], kz[1], ky[0], ky[1], kz[2], kz[3], ky[2], ky[3]}
	if r.known && r.key == key {
		return r.inverse
	}
	n := s.f.estimate[2].Max
	if r.inverse == nil {
		r.combined, r.inverse = make([]float64, 2*(s.t.n[2]+1)), make([]float32, n)
	}
	r.key, r.known = key, true
	inData, inImage := r.combined[:s.t.n[2]+1], r.combined[s.t.n[2]+1:]
	s.t.combine(inData, key[0], key[1], key[2], key[3])
	s.t.combine(inImage, key[4], key[5], key[6], key[7])
	for x := range n {
		kx := s.within(2, x)
		share := inData[kx[1]] - inData[kx[0]]
		if s.dark {
			share += 1 - (inImage[kx[3]] - inImage[kx[2]])
		}
		if r.inverse[x] = 0; share >= leastShare {
			r.inverse[x] = float32(1 / share)
		}
	}
	return r.inverse
}

// within is the part of the PSF, from and to along an axis, that lies on the data when its origin is at index i of the
// estimate; and with a dark surround that on the image.
func (s shares) within(a, i int) (k [4]int) {
	on := func(box fft.Span) (lo, hi int) {
		o := s.t.n[a] / 2
		return between(0, box.Min-i+o, s.t.n[a]), between(0, box.Max-i+o, s.t.n[a])
	}
	k[0], k[1] = on(s.f.data[a])
	if s.dark {
		k[2], k[3] = on(s.f.image[a])
	}
	return k
}

// combine gives the sums along x of the voxels in [z0, z1) and [y0, y1).
func (t table) combine(dst []float64, z0, z1, y0, y1 int) {
	a, b, c, d := t.row(z1, y1), t.row(z0, y1), t.row(z1, y0), t.row(z0, y0)
	for i := range dst {
		dst[i] = a[i] - b[i] - c[i] + d[i]
	}
}

package filters

import (
	"errors"
	"fmt"
	"math"

	"lamella/filters/fft"
	"lamella/lazy"
)

// A spread is a point spread function as deconvolution uses it: with a sum of 1, and its origin at voxel n // 2 of
// each axis, for even lengths too.
type spread struct {
	n      [3]int // voxels along z, y and x
	values []float32
}

// newSpread normalises the voxels of a block, which has one time and one channel.
func newSpread(b *lazy.Block) (spread, error) {
	s := spread{values: make([]float32, b.Len())}
	for i, a := range space {
		s.n[i] = b.Region.Len(a)
	}
	sum := 0.0
	values := make([]float64, 0, b.Len())
	for i := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		v := b.Value(i.Min)
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return s, errors.New("the PSF holds values that are no numbers")
		case v < 0:
			return s, fmt.Errorf("the PSF holds negative values, such as %.4g: take its background away, or let prepare=true do that", v)
		}
		sum += v
		values = append(values, v)
	}
	if sum == 0 {
		return s, errors.New("the PSF is 0 everywhere")
	}
	for i, v := range values {
		s.values[i] = float32(v / sum)
	}
	return s, nil
}

// origin is the index of the origin along each axis.
func (s spread) origin() [3]int { return [3]int{s.n[0] / 2, s.n[1] / 2, s.n[2] / 2} }

// reach is how far from a voxel the light comes from that is seen there: from so many voxels before it and so many
// after it.
func reach(n [3]int) (before, after [3]int) {
	for a, length := range n {
		after[a] = length / 2
		before[a] = length - 1 - after[a]
	}
	return before, after
}

// transfer is the transform of the PSF on a grid, wrapped around its ends, and divided by the number of voxels of
// the grid, so that there and back is a convolution.
func (s spread) transfer(g *fft.Grid, w workers) (*fft.Spectrum, error) {
	otf, err := w.spectrum(g)
	if err != nil {
		return nil, err
	}
	o := s.origin()
	scale := 1 / float64(g.Z*g.Y*g.X)
	err = w.each(g.Z, func(h *hand, z int) {
		if wrapped(z, o[0], g.Z) >= s.n[0] {
			return // 0 already
		}
		h.Into(otf, z, fft.Span{Max: g.Y}, func(y int, row []float32) {
			clear(row)
			for iz := wrapped(z, o[0], g.Z); iz < s.n[0]; iz += g.Z {
				for iy := wrapped(y, o[1], g.Y); iy < s.n[1]; iy += g.Y {
					for ix, v := range s.values[(iz*s.n[1]+iy)*s.n[2]:][:s.n[2]] {
						at := ix - o[2]
						for at < 0 {
							at += g.X
						}
						row[at%g.X] += float32(float64(v) * scale)
					}
				}
			}
		})
	})
	if err != nil {
		return nil, err
	}
	return otf, w.each(g.Y, func(h *hand, y int) { h.Along(otf, y, fft.Span{Max: g.Z}) })
}

// wrapped is the first index of the PSF that stands at i of a cyclic axis of n voxels.
func wrapped(i, origin, n int) int { return (i + origin) % n }

// A table holds sums of a PSF: at (z, y, x), of all voxels before that. The light that a point sends into a box is a
// difference of eight of them.
type table struct {
	n    [3]int
	sums []float64
}

func (s spread) table() table {
	t := table{n: s.n, sums: make([]float64, (s.n[0]+1)*(s.n[1]+1)*(s.n[2]+1))}
	for z := range s.n[0] {
		for y := range s.n[1] {
			sum := 0.0
			above, left, both := t.row(z, y+1), t.row(z+1, y), t.row(z, y)
			for x, v := range s.values[(z*s.n[1]+y)*s.n[2]:][:s.n[2]] {
				sum += float64(v)
				t.row(z+1, y+1)[x+1] = sum + above[x+1] + left[x+1] - both[x+1]
			}
		}
	}
	return t
}

func (t table) row(z, y int) []float64 {
	return t.sums[(z*(t.n[1]+1)+y)*(t.n[2]+1):][:t.n[2]+1]
}

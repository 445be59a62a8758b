package filters

import (
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
)

// What is found from the voxels is found from a sample of at most about four million of them (16 MB as float32): all
// of an image that has no more; else five planes of y and x, spread evenly along z and time together; and of planes
// that are too large for that, sixteen tiles each, spread evenly. The sample is of what the step acts on, of all
// its channels or one, and depends on nothing but its shape.
const (
	sampleVoxels = 4 << 20
	samplePlanes = 5
	sampleTiles  = 4 // along y, and along x
)

// sampleOf is the sample of an image like m, of one channel counted from 1 or, for 0, of all; and what it is in words.
func sampleOf(m lazy.Meta, channel int) ([]lazy.Region, string) {
	whole := m.Shape.Whole()
	if channel > 0 {
		whole = whole.With(lazy.C, channel-1, channel)
	}
	if holds(sampleVoxels, whole) {
		return []lazy.Region{whole}, fmt.Sprintf("all %d voxels", whole.Voxels())
	}
	var planes []lazy.Region
	for i := range samplePlanes {
		t, z := evenly(i, samplePlanes, m.Shape[lazy.T], 1), evenly(i, samplePlanes, m.Shape[lazy.Z], 1)
		p := whole.With(lazy.T, t, t+1).With(lazy.Z, z, z+1)
		if !slices.Contains(planes, p) {
			planes = append(planes, p)
		}
	}
	each := sampleVoxels / len(planes)
	if holds(each, planes[0]) {
		return planes, fmt.Sprintf("%d voxels in %d planes", planes[0].Voxels()*len(planes), len(planes))
	}
	area := max(1, each/(sampleTiles*sampleTiles)/whole.Len(lazy.C))
	ny, nx := m.Shape[lazy.Y], m.Shape[lazy.X]
	dy := between(1, int(math.Sqrt(float64(area))), ny/sampleTiles)
	dx := between(1, area/dy, nx/sampleTiles)
	dy = between(1, area/dx, ny/sampleTiles) // more of a narrow plane
	var tiles []lazy.Region
	for _, p := range planes {
		for i := range sampleTiles * sampleTiles {
			y, x := evenly(i/sampleTiles, sampleTiles, ny, dy), evenly(i%sampleTiles, sampleTiles, nx, dx)
			if r := p.With(lazy.Y, y, y+dy).With(lazy.X, x, x+dx); !slices.Contains(tiles, r) {
				tiles = append(tiles, r)
			}
		}
	}
	return tiles, fmt.Sprintf("%d voxels in %d tiles of %d planes", len(tiles)*tiles[0].Voxels(), len(tiles), len(planes))
}

// holds reports whether a region has at most n voxels, however large it is.
func holds(n int, r lazy.Region) bool {
	for a := range lazy.Rank {
		n /= r.Len(lazy.Axis(a))
	}
	return n > 0
}

func between(lo, v, hi int) int { return max(lo, min(v, hi)) }

// evenly is where the i-th of n parts of a length begins, if each stands in the middle of its share.
func evenly(i, n, length, part int) int {
	return between(0, (2*i+1)*length/(2*n)-part/2, length-part)
}

// A sample is what voxels hold: their finite values in order, and whether all are integers of a type.
type sample struct {
	sorted []float64
	whole  bool
}

func newSample(blocks []*lazy.Block) sample {
	s := sample{whole: true}
	for _, b := range blocks {
		s.whole = s.whole && !b.DType.Float()
		s.add(reals(b))
	}
	slices.Sort(s.sorted)
	return s
}

// reals are the voxels of a block as float64, the block's own where they are. Integers beyond 2^53 are rounded.
func reals(b *lazy.Block) []float64 {
	switch b.DType {
	case lazy.U8:
		return widened(lazy.View[uint8](b))
	case lazy.I8:
		return widened(lazy.View[int8](b))
	case lazy.U16:
		return widened(lazy.View[uint16](b))
	case lazy.I16:
		return widened(lazy.View[int16](b))
	case lazy.U32:
		return widened(lazy.View[uint32](b))
	case lazy.I32:
		return widened(lazy.View[int32](b))
	case lazy.U64:
		return widened(lazy.View[uint64](b))
	case lazy.I64:
		return widened(lazy.View[int64](b))
	case lazy.F32:
		return widened(lazy.View[float32](b))
	}
	return lazy.View[float64](b)
}

func widened[E lazy.Number](voxels []E) []float64 {
	out := make([]float64, len(voxels))
	for i, v := range voxels {
		out[i] = float64(v)
	}
	return out
}

func (s *sample) add(values []float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.sorted = append(s.sorted, v)
		}
	}
}

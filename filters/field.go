package filters

import (
	"context"

	"lamella/filters/fft"
	"lamella/lazy"
)

// A field is where data and estimate lie in the grid of a transform, along z, y and x. The estimate reaches as far
// beyond the data as light comes from, but not beyond an edge of the image that nothing lies behind.
type field struct {
	shape          [3]int // of the grid
	data, estimate [3]fft.Span
	image          [3]fft.Span // the whole image, in the same indices; beyond the grid for the most part
}

// newField is for data of some shape; image is the whole of it, counted from the first voxel of the data. With a
// dark surround the estimate ends at the edges of the image.
func newField(data [3]int, image [3]fft.Span, psf [3]int, dark bool) field {
	var f field
	var n [3]int
	before, after := reach(psf)
	for a := range 3 {
		lo, hi, gap := before[a], after[a], 0
		if dark && image[a].Min >= 0 {
			lo, gap = 0, before[a]
		}
		if dark && image[a].Max <= data[a] {
			hi, gap = 0, max(gap, after[a])
		}
		f.data[a] = fft.Span{Min: lo, Max: lo + data[a]}
		f.estimate[a] = fft.Span{Max: lo + data[a] + hi}
		f.image[a] = fft.Span{Min: image[a].Min + lo, Max: image[a].Max + lo}
		if n[a] = f.estimate[a].Max + gap; a == 2 {
			n[a] = fft.GoodReal(n[a])
		} else {
			n[a] = fft.Good(n[a])
		}
	}
	f.shape = n
	return f
}

// voxels is how many floats a volume of the transform has.
func (f field) voxels() int { return fft.Floats(f.shape[0], f.shape[1], f.shape[2]) }

// size is the number of voxels of the data, or of the estimate.
func size(s [3]fft.Span) int {
	return (s[0].Max - s[0].Min) * (s[1].Max - s[1].Min) * (s[2].Max - s[2].Min)
}

// row is a row of voxels that lie densely in some part of the grid.
func row(voxels []float32, part [3]fft.Span, z, y int) []float32 {
	ny, nx := part[1].Max-part[1].Min, part[2].Max-part[2].Min
	return voxels[((z-part[0].Min)*ny+y-part[1].Min)*nx:][:nx]
}

// workers are the goroutines that a context lends, with a hand for each.
type workers struct {
	ctx   context.Context
	hands []*hand
}

// A hand is the memory of one goroutine.
type hand struct {
	*fft.Hand
	line  shareRow
	slope slopes
}

func newWorkers(ctx context.Context, g *fft.Grid) workers {
	w := workers{ctx: ctx}
	for range lazy.Hands(ctx) {
		w.hands = append(w.hands, &hand{Hand: g.Hand()})
	}
	return w
}

// spectrum is one of zeros, in memory that is lent.
func (w workers) spectrum(g *fft.Grid) (*fft.Spectrum, error) {
	zeros := lazy.Borrow[float32](w.ctx, fft.Floats(g.Z, g.Y, g.X))
	return g.SpectrumIn(zeros), pieces(w.ctx, len(zeros), func(from, to int) { clear(zeros[from:to]) })
}

// pieces does a loop over n voxels in pieces, each from one voxel up to another.
func pieces(ctx context.Context, n int, part func(from, to int)) error {
	const most = 1 << 18 // voxels: well below a millisecond
	return lazy.Parallel(ctx, (n+most-1)/most, func(_, i int) { part(i*most, min(n, (i+1)*most)) })
}

// each does a part of a loop for every i below n.
func (w workers) each(n int, part func(h *hand, i int)) error {
	return lazy.Parallel(w.ctx, n, func(h, i int) { part(w.hands[h], i) })
}

// planes does a part for every plane of a span.
func (w workers) planes(zs fft.Span, part func(h *hand, z int)) error {
	return w.each(zs.Max-zs.Min, func(h *hand, i int) { part(h, zs.Min+i) })
}

// columns multiplies a volume, transformed along x and y, by a transfer function.
func (w workers) columns(g *fft.Grid, s *fft.Spectrum, in, out fft.Span, by *fft.Spectrum, how fft.Factor) error {
	const rows = 4 // that one part does: less is lost between parts
	return w.each((g.Y+rows-1)/rows, func(h *hand, i int) {
		for y := rows * i; y < min(g.Y, rows*(i+1)); y++ {
			h.Columns(s, y, in, out, by, how)
		}
	})
}

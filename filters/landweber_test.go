package filters_test

import (
	"math"
	"testing"

	"lamella/lazy"
)

// The formula, written straight down: the estimate reaches as far beyond the image as the PSF does.
func TestLandweberIsItsFormula(t *testing.T) {
	n, k := [3]int{4, 7, 9}, [3]int{3, 2, 5}
	data, psf := lines(n), leaning(k)
	total := 0.0
	for p := range voxelsOf(k) {
		total += psf(p)
	}
	var ext, lo [3]int
	for a := range n {
		after := k[a] / 2
		lo[a] = k[a] - 1 - after
		ext[a] = n[a] + k[a] - 1
	}
	at3 := func(s [3]int, z, y, x int) int { return (z*s[1]+y)*s[2] + x }
	u := make([]float64, ext[0]*ext[1]*ext[2])
	mean := 0.0
	for i := range voxelsOf(n) {
		mean += data(i) / float64(n[0]*n[1]*n[2])
	}
	for i := range u {
		u[i] = mean
	}
	// each visits the voxels of the data and of the estimate that a weight of the PSF joins.
	each := func(visit func(d, e int, w float64)) {
		for i := range voxelsOf(n) {
			for p := range voxelsOf(k) {
				z, y, x := i[lazy.Z]+lo[0]-(p[lazy.Z]-k[0]/2), i[lazy.Y]+lo[1]-(p[lazy.Y]-k[1]/2), i[lazy.X]+lo[2]-(p[lazy.X]-k[2]/2)
				visit(at3(n, i[lazy.Z], i[lazy.Y], i[lazy.X]), at3(ext, z, y, x), psf(p)/total)
			}
		}
	}
	share := make([]float64, len(u))
	each(func(_, e int, w float64) { share[e] += w })
	const step, ground = 1.3, 0.02
	for range 5 {
		blurred, back := make([]float64, n[0]*n[1]*n[2]), make([]float64, len(u))
		each(func(d, e int, w float64) { blurred[d] += w * u[e] })
		flat := make([]float64, len(blurred))
		for i := range voxelsOf(n) {
			flat[at3(n, i[lazy.Z], i[lazy.Y], i[lazy.X])] = data(i)
		}
		each(func(d, e int, w float64) { back[e] += w * (flat[d] - blurred[d] - ground) })
		for e := range u {
			if share[e] >= 1e-4 {
				u[e] = math.Max(0, u[e]+step*back[e]/share[e])
			}
		}
	}
	var want []float32
	for i := range voxelsOf(n) {
		want = append(want, float32(u[at3(ext, i[lazy.Z]+lo[0], i[lazy.Y]+lo[1], i[lazy.X]+lo[2])]))
	}
	got := deconvolved(t, deconvolver(t), "landweber psf=p iterations=5 step=1.3 background=0.02", stack(n, data), stack(k, psf))
	if apart, most := farthest(got, want); !(apart <= 1e-5*most) {
		t.Errorf("differs by %.3g of %.3g", apart, most)
	}
}

// voxelsOf visits the voxels of a box along z, y and x, in order.
func voxelsOf(n [3]int) func(func(lazy.Index) bool) {
	return func(yield func(lazy.Index) bool) {
		for z := range n[0] {
			for y := range n[1] {
				for x := range n[2] {
					if !yield(lazy.Index{lazy.Z: z, lazy.Y: y, lazy.X: x}) {
						return
					}
				}
			}
		}
	}
}

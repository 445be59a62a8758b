// Package fft transforms volumes of real numbers to their spectra and back, in float32, for convolutions with wide
// kernels.
//
// A Grid is a shape with all that is planned once for it: how its lengths factor into 2, 3, 4 and 5, and the twiddles.
// A Spectrum is a volume in the memory of its transform. A Hand does the work of one goroutine on it, plane by plane
// and row by row, so that whoever owns the goroutines divides the work, and so that what stands between two
// transforms is done while a plane is in the cache:
//
//	g := fft.NewGrid(96, 288, 288)
//	s, h := g.Spectrum(), g.Hand()
//	for z := range 96 {
//		h.Into(s, z, fft.Span{0, 288}, fill) // rows of voxels become a plane transformed along x and y
//	}
//	for y := range 288 {
//		h.Columns(s, y, fft.Span{0, 96}, fft.Span{0, 96}, otf, fft.Times) // along z, times another spectrum, and back
//	}
//	for z := range 96 {
//		h.OutOf(s, z, fft.Span{0, 288}, take) // the plane becomes rows of voxels again
//	}
//
// There and back is the volume times its number of voxels.
//
// Sixteen lines are transformed side by side, so a butterfly adds and multiplies whole vectors and moves nothing
// between their lanes. Lines along y and z lie so in memory; those along x are transposed on the way into a buffer.
// Stages are decimations in time (Cooley and Tukey, Mathematics of Computation 19 (1965) 297) in a buffer that the
// first level of the cache holds: the one before them reorders as it reads the volume, the last writes it. A
// transform of 2h real values is one of h complex values (Cooley, Lewis and Welch, Journal of Sound and Vibration
// 12 (1970) 315).
//
// The loops are written three times by one program (internal/butterflies): in plain Go, which is the specification, and in
// vectors of 8 and of 16. No product is fused with a sum, so all give the same bits.
package fft

//go:generate go run ./internal/butterflies

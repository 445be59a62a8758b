package fft

import (
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

// volumeSpectrum is gonum's transform of a volume, line by line in float64: real along x, complex along y and z.
func volumeSpectrum(v []float32, nz, ny, nx int) []complex128 {
	width := nx/2 + 1
	all := make([]complex128, nz*ny*width)
	row, along := make([]float64, nx), fourier.NewFFT(nx)
	for i := range nz * ny {
		for x := range row {
			row[x] = float64(v[i*nx+x])
		}
		along.Coefficients(all[i*width:(i+1)*width], row)
	}
	lines := func(n, stride int) {
		line, plan := make([]complex128, n), fourier.NewCmplxFFT(n)
		for at := range all {
			if at/stride%n != 0 {
				continue
			}
			for i := range line {
				line[i] = all[at+i*stride]
			}
			plan.Coefficients(line, line)
			for i, c := range line {
				all[at+i*stride] = c
			}
		}
	}
	lines(ny, width)
	lines(nz, width*ny)
	return all
}

// offGonum is how far a spectrum is from gonum's, as parts of its largest value and of its root mean square: the largest
// difference, and the root mean square of all.
func offGonum(nz, ny, nx int) (most, rms float64) {
	v := volume(nz, ny, nx)
	s, want := forward(NewGrid(nz, ny, nx), v), volumeSpectrum(v, nz, ny, nx)
	largest, off, squares, of := 0.0, 0.0, 0.0, 0.0
	for at, w := range want {
		width := nx/2 + 1
		re, im := s.Row(at/width/ny, at/width%ny)
		d := cmplx.Abs(complex(float64(re[at%width]), float64(im[at%width])) - w)
		largest, off = max(largest, cmplx.Abs(w)), max(off, d)
		squares += d * d
		of += real(w)*real(w) + imag(w)*imag(w)
	}
	return off / largest, math.Sqrt(squares / of)
}

// Every length that there is up to 1000, along each axis, and volumes of them: within 3e-7 of
// the largest value of gonum's, and 3e-7 in root mean square: two to three units in the last place of float32.
func TestTransformsAreGonums(t *testing.T) {
	each(t, func(t *testing.T) {
		var most, rms float64
		check := func(z, y, x int) {
			m, r := offGonum(z, y, x)
			if most, rms = max(most, m), max(rms, r); !(m <= 3e-7) || !(r <= 3e-7) {
				t.Errorf("%d x %d x %d: off by %.2g of the largest value, %.2g rms", z, y, x, m, r)
			}
		}
		lengths := 0
		for n := 1; n <= 1000; n = Good(n + 1) {
			check(n, 1, 2)
			check(1, n, 2)
			lengths++
			if n%2 == 0 && GoodReal(n) == n {
				check(1, 1, n)
			}
		}
		for _, n := range append(shapes, [3]int{24, 40, 60}, [3]int{36, 50, 54}, [3]int{64, 64, 64}, [3]int{27, 125, 32}) {
			check(n[0], n[1], n[2])
		}
		if t.Logf("%d lengths: off by at most %.2g of the largest value, %.2g rms", lengths, most, rms); lengths < 80 {
			t.Errorf("only %d lengths", lengths)
		}
	})
}

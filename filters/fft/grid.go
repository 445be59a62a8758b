package fft

import "fmt"

// A Span is a half-open range of indices along one axis.
type Span struct{ Min, Max int }

// Has reports whether an index is in the range.
func (s Span) Has(i int) bool { return i >= s.Min && i < s.Max }

// outside is an index below n that is not in the span, or -1.
func (s Span) outside(n int) int {
	switch {
	case s.Min > 0:
		return 0
	case s.Max < n:
		return n - 1
	}
	return -1
}

// A Grid is a shape of volumes with the plans of its transforms. It may be used by many goroutines.
type Grid struct {
	Z, Y, X int

	half   int // complex values that stand for a row of X real ones, but one
	width  int // floats of a part of a row of the spectrum
	plane  int // floats from plane to plane
	x      line
	y, z   line
	ends   []float32 // twiddles of the step between half a complex transform and a real one
	places []int     // where the rows of a buffer begin
	loops  kernels
}

// NewGrid plans a shape. Its lengths are Good, and x is even.
func NewGrid(z, y, x int) *Grid {
	if z < 1 || y < 1 || x < 2 || x%2 != 0 || !good(z) || !good(y) || !good(x/2) {
		panic(fmt.Sprintf("fft: NewGrid(%d, %d, %d): lengths have factors beside 2, 3 and 5, or x is odd", z, y, x))
	}
	g := &Grid{Z: z, Y: y, X: x, half: x / 2, loops: loops}
	g.width, g.plane = layout(y, x)
	g.x, g.y, g.z = newLine(g.half), newLine(y), newLine(z)
	for k := 1; k <= g.half/2; k++ {
		g.ends = append(g.ends, turn(k, x)...)
	}
	for i := range max(z, y, g.width) {
		g.places = append(g.places, i*Lanes)
	}
	return g
}

func up(n, to int) int { return (n + to - 1) / to * to }

// layout is how many floats a part of a row takes, and a plane: no power of two, whose planes would share few places
// of a cache.
func layout(y, x int) (width, plane int) {
	width = up(x/2+1, Lanes)
	return width, up(y, Lanes)*2*width + Lanes
}

// Floats is how many floats a Spectrum of a shape holds, a little more than it has voxels.
func Floats(z, y, x int) int {
	width, plane := layout(y, x)
	return z*plane + 2*width
}

// A Spectrum is a volume of a grid, in whatever state of its transform: Z planes of Y rows, each of which holds the
// real parts of X/2+1 values and then their imaginary parts.
type Spectrum struct {
	grid *Grid
	data []float32
	zero int // where a row of zeros begins
}

// Spectrum makes one of zeros.
func (g *Grid) Spectrum() *Spectrum { return g.SpectrumIn(make([]float32, Floats(g.Z, g.Y, g.X))) }

// SpectrumIn makes one of memory for Floats values, all of them 0.
func (g *Grid) SpectrumIn(zeros []float32) *Spectrum { return &Spectrum{g, zeros, g.Z * g.plane} }

// Row is the real and the imaginary parts of one row of values, for frequencies 0 to X/2 along x.
func (s *Spectrum) Row(z, y int) (re, im []float32) {
	g := s.grid
	at := z*g.plane + y*2*g.width
	return s.data[at : at+g.half+1], s.data[at+g.width : at+g.width+g.half+1]
}

// at is where the real part of a row begins.
func (g *Grid) at(z, y int) int { return z*g.plane + y*2*g.width }

// A Hand is the memory with which one goroutine works on spectra of a grid.
type Hand struct {
	grid  *Grid
	a, b  buffer
	rows  []float32 // Lanes rows of voxels
	pitch int

	in, out, back, rowsAt []int // tables of passes
}

// Hand makes one.
func (g *Grid) Hand() *Hand {
	rows := max(g.Z, g.Y, g.width)
	h := &Hand{grid: g, a: newBuffer(rows), b: newBuffer(rows), pitch: up(g.X, Lanes)}
	h.rows = make([]float32, Lanes*h.pitch)
	for _, table := range []*[]int{&h.in, &h.out, &h.back, &h.rowsAt} {
		*table = make([]int, rows)
	}
	return h
}

package fft

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestGoodLengthsHaveSmallFactorsOnly(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 2: 2, 7: 8, 11: 12, 13: 15, 31: 32, 97: 100, 272: 288, 1025: 1080} {
		if got := Good(n); got != want {
			t.Errorf("Good(%d) = %d, want %d", n, got, want)
		}
	}
	for n, want := range map[int]int{1: 2, 3: 4, 75: 80, 272: 288} {
		if got := GoodReal(n); got != want {
			t.Errorf("GoodReal(%d) = %d, want %d", n, got, want)
		}
	}
}

// volume is some voxels without any symmetry.
func volume(z, y, x int) []float32 {
	v := make([]float32, z*y*x)
	h := uint32(1)
	for i := range v {
		h = h*1664525 + 1013904223
		v[i] = float32(h>>8)/(1<<24) - 0.25
	}
	return v
}

// direct is the transform by its definition.
func direct(v []float32, z, y, x int) func(kz, ky, kx int) complex128 {
	along := func(in []complex128, n, stride int) []complex128 {
		out := make([]complex128, len(in))
		for at := range in {
			k := at / stride % n
			for i := range n {
				out[at] += in[at+(i-k)*stride] * cmplx.Rect(1, -2*math.Pi*float64(i*k%n)/float64(n))
			}
		}
		return out
	}
	c := make([]complex128, len(v))
	for i := range v {
		c[i] = complex(float64(v[i]), 0)
	}
	c = along(along(along(c, x, 1), y, x), z, x*y)
	return func(kz, ky, kx int) complex128 { return c[(kz*y+ky)*x+kx] }
}

// forward transforms a volume whose rows outside ys and planes outside zs are 0.
func forward(g *Grid, v []float32) *Spectrum {
	s, h := g.Spectrum(), g.Hand()
	for z := range g.Z {
		h.Into(s, z, Span{0, g.Y}, func(y int, row []float32) { copy(row, v[(z*g.Y+y)*g.X:]) })
	}
	for y := range g.Y {
		h.Along(s, y, Span{0, g.Z})
	}
	return s
}

var shapes = [][3]int{{1, 1, 2}, {1, 1, 8}, {1, 5, 6}, {2, 3, 4}, {3, 4, 10}, {5, 6, 18}, {4, 9, 30}, {12, 15, 16}, {16, 20, 32}, {1, 36, 48}, {10, 18, 50}}

func TestTransformsAreThoseOfTheDefinition(t *testing.T) {
	each(t, func(t *testing.T) {
		for _, n := range shapes {
			g := NewGrid(n[0], n[1], n[2])
			v := volume(n[0], n[1], n[2])
			s, want := forward(g, v), direct(v, n[0], n[1], n[2])
			most := math.Sqrt(float64(len(v))) * 2e-6
			for kz := range g.Z {
				for ky := range g.Y {
					re, im := s.Row(kz, ky)
					for kx := range re {
						got := complex(float64(re[kx]), float64(im[kx]))
						if cmplx.Abs(got-want(kz, ky, kx)) > most {
							t.Fatalf("%v at %d,%d,%d: %v, want %v", n, kz, ky, kx, got, want(kz, ky, kx))
						}
					}
				}
			}
		}
	})
}

// each runs a test with every set of loops that the processor has.
func each(t *testing.T, test func(t *testing.T)) {
	was := loops
	defer func() { loops = was }()
	for name, k := range available {
		loops = k
		t.Run(name, test)
	}
}

var available = map[string]kernels{"plain": plain}

func TestAllLoopsGiveTheSameBits(t *testing.T) {
	spectra := map[string]*Spectrum{}
	for _, n := range [][3]int{{10, 18, 50}, {12, 40, 96}, {3, 25, 128}} {
		v := volume(n[0], n[1], n[2])
		each(t, func(t *testing.T) {
			g := NewGrid(n[0], n[1], n[2])
			s, otf := forward(g, v), forward(g, slices.Concat(v[7:], v[:7]))
			h := g.Hand()
			for z := range g.Z {
				h.up(s, z, Span{0, g.Y})
				h.down(s, z, Span{0, g.Y})
			}
			for y := range g.Y {
				h.Columns(s, y, Span{0, g.Z}, Span{0, g.Z}, otf, Factor(y%2))
			}
			for z := range g.Z {
				rows := make([]float32, g.Y*g.X)
				h.OutOf(s, z, Span{0, g.Y}, func(y int, row []float32) { copy(rows[y*g.X:], row) })
				copy(s.data[g.at(z, 0):], rows)
			}
			key := fmt.Sprint(n)
			if spectra[key] == nil {
				spectra[key] = s
				return
			}
			for i, f := range s.data {
				if want := spectra[key].data[i]; math.Float32bits(f) != math.Float32bits(want) {
					t.Fatalf("%v: float %d is %v, and %v with other loops", n, i, f, want)
				}
			}
		})
	}
}

// A volume within a larger grid, convolved with a kernel, is the sum of its shifted copies.
func TestConvolutionsAndCorrelationsAreSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nz, ny, nx := rapid.IntRange(1, 5).Draw(t, "z"), rapid.IntRange(1, 20).Draw(t, "y"), rapid.IntRange(1, 9).Draw(t, "x")
		kz, ky, kx := rapid.IntRange(1, 3).Draw(t, "kz"), rapid.IntRange(1, 4).Draw(t, "ky"), rapid.IntRange(1, 5).Draw(t, "kx")
		how := Factor(rapid.IntRange(0, 1).Draw(t, "how"))
		g := NewGrid(Good(nz+kz-1), Good(ny+ky-1), GoodReal(nx+kx-1))
		v, k := volume(nz, ny, nx), volume(kz, ky, kx)
		kernel := make([]float32, g.Z*g.Y*g.X)
		for z := range kz {
			for y := range ky {
				copy(kernel[(z*g.Y+y)*g.X:], k[(z*ky+y)*kx:][:kx])
			}
		}
		otf, s, h := forward(g, kernel), g.Spectrum(), g.Hand()
		zs, ys := Span{0, nz}, Span{0, ny}
		for z := range nz {
			h.Into(s, z, ys, func(y int, row []float32) {
				clear(row)
				copy(row, v[(z*ny+y)*nx:][:nx])
			})
		}
		for y := range g.Y {
			h.Columns(s, y, zs, zs, otf, how)
		}
		scale := 1 / float64(g.Z*g.Y*g.X)
		for z := range nz {
			h.OutOf(s, z, ys, func(y int, row []float32) {
				for x := range nx {
					want := 0.0
					for i := range kz * ky * kx {
						dz, dy, dx := i/(ky*kx), i/kx%ky, i%kx
						a, b, c := z-dz, y-dy, x-dx
						if how == TimesConjugate {
							a, b, c = z+dz, y+dy, x+dx
						}
						if a >= 0 && a < nz && b >= 0 && b < ny && c >= 0 && c < nx {
							want += float64(k[i]) * float64(v[(a*ny+b)*nx+c])
						}
					}
					if got := float64(row[x]) * scale; math.Abs(got-want) > 1e-5 {
						t.Fatalf("at %d,%d,%d: %v, want %v", z, y, x, got, want)
					}
				}
			})
		}
	})
}

func BenchmarkConvolve(b *testing.B) {
	g := NewGrid(96, 288, 288)
	s, otf, h := g.Spectrum(), g.Spectrum(), g.Hand()
	for b.Loop() {
		for z := range 96 {
			h.Into(s, z, Span{0, 288}, func(y int, row []float32) {})
		}
		for y := range 288 {
			h.Columns(s, y, Span{0, 96}, Span{0, 96}, otf, Times)
		}
		for z := range 96 {
			h.OutOf(s, z, Span{0, 288}, func(y int, row []float32) {})
		}
	}
}

// A forward transform of 128 x 128 x 128 real voxels, on one thread: as many floats as 128 x 128 x 64 complex ones.
func BenchmarkForward(b *testing.B) {
	g := NewGrid(128, 128, 128)
	s, h := g.Spectrum(), g.Hand()
	best := math.Inf(1)
	for b.Loop() {
		began := time.Now()
		for z := range g.Z {
			h.Into(s, z, Span{Max: g.Y}, func(y int, row []float32) {
				for x := range row {
					row[x] = float32(x ^ y ^ z)
				}
			})
		}
		for y := range g.Y {
			h.Along(s, y, Span{Max: g.Z})
		}
		best = min(best, time.Since(began).Seconds())
	}
	b.ReportMetric(best*1e3, "best-ms")
}

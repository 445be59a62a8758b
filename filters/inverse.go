package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/filters/fft"
	"lamella/lazy"
)

// wiener and tikhonovMiller are one product in the spectrum: conj(H) / (|H|² + w), which takes noise for equally strong at
// all frequencies in proportion to the image, and conj(H) / (|H|² + w |L|²) with the Laplacian L, which asks for smoothness.
var (
	wiener = inverseSpec("wiener", "Wiener", "noise",
		"Divides the spectrum of the image by that of the PSF, as far as noise allows: quick, and linear; may give negative values.",
		"conj(H) / (|H|² + noise): Wiener, Extrapolation, Interpolation, and Smoothing of Stationary Time Series (1949)",
		"power of the noise as a part of the image's: 0.0001 to 0.1", false)
	tikhonovMiller = inverseSpec("tikhonov-miller", "Tikhonov-Miller", "weight",
		"Divides the spectrum of the image by that of the PSF, and weighs that against the roughness of the result: quick, and linear; may give negative values.",
		"skimage.restoration.wiener: conj(H) / (|H|² + weight |L|²) with the Laplacian L",
		"of the roughness: 0.0001 to 1", true)
)

func inverseSpec(name, title, weight, doc, reference, about string, rough bool) Spec {
	return Spec{
		Name: name, Title: title, Doc: doc, Reference: reference,
		Params: append(append([]Param{psfParam, prepareParam,
			{Name: weight, Kind: Number, Default: "0.01", Min: 1e-9, Max: 1e6, Doc: about},
		}, blockParams...), dtypeParam),
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			return v.deconvolved(a, inverse{name, v.number(weight), rough}, 1)
		},
		asks: asksBlocks(func(values) (int, int) { return 0, 1 }),
	}
}

// An inverse is a filter in the spectrum. It implements solver.
type inverse struct {
	name   string
	weight float64
	rough  bool // the weight is that of the Laplacian
}

func (m inverse) key() string { return fmt.Sprintf("%s %g", m.name, m.weight) }

func (m inverse) copies() int { return 0 }

// solve extends the data to all of the grid, so that its ends meet without a step, and multiplies the spectrum.
func (m inverse) solve(ctx context.Context, f field, psf spread, data []float32, _ edges) ([]float32, error) {
	g := fft.NewGrid(f.shape[0], f.shape[1], f.shape[2])
	w := newWorkers(ctx, g)
	otf, err := psf.transfer(g, w)
	if err != nil {
		return nil, err
	}
	if err := w.each(g.Z, func(_ *hand, z int) { m.invert(g, otf, z) }); err != nil {
		return nil, err
	}
	x := extension{f, data, [3][]mix{mixes(f.data[0], g.Z), mixes(f.data[1], g.Y), mixes(f.data[2], g.X)}}
	s, err := w.spectrum(g)
	if err != nil {
		return nil, err
	}
	all := fft.Span{Max: g.Y}
	err = w.planes(fft.Span{Max: g.Z}, func(h *hand, z int) {
		h.Into(s, z, all, func(y int, r []float32) { x.row(z, y, r) })
	})
	if err != nil {
		return nil, err
	}
	out := lazy.Borrow[float32](ctx, size(f.estimate))
	if err := w.columns(g, s, fft.Span{Max: g.Z}, f.estimate[0], otf, fft.Times); err != nil {
		return nil, err
	}
	return out, w.planes(f.estimate[0], func(h *hand, z int) {
		h.OutOf(s, z, f.estimate[1], func(y int, r []float32) { copy(row(out, f.estimate, z, y), r) })
	})
}

// invert makes plane z of a transfer function, which holds H over the number of voxels, that of the filter.
func (m inverse) invert(g *fft.Grid, otf *fft.Spectrum, z int) {
	n := float64(g.Z) * float64(g.Y) * float64(g.X)
	bend := func(k, n int) float64 { return 2 - 2*math.Cos(2*math.Pi*float64(k)/float64(n)) }
	for y := range g.Y {
		re, im := otf.Row(z, y)
		for x := range re {
			a, b := float64(re[x])*n, float64(im[x])*n
			w := m.weight
			if m.rough {
				l := bend(x, g.X)
				if g.Y > 1 {
					l += bend(y, g.Y)
				}
				if g.Z > 1 {
					l += bend(z, g.Z)
				}
				w *= l * l
			}
			d := n * (a*a + b*b + w)
			if d == 0 {
				re[x], im[x] = 0, 0
				continue
			}
			re[x], im[x] = float32(a/d), float32(-b/d)
		}
	}
}

// An extension is data with what is put beyond their ends: mirror images of both, one fading into the other.
type extension struct {
	f    field
	data []float32
	at   [3][]mix
}

// A mix is two indices of the data and how much of the second.
type mix struct {
	a, b  int
	share float32
}

// mixes are those of each index of a cyclic axis.
func mixes(s fft.Span, n int) []mix {
	length := s.Max - s.Min
	gap := n - length
	mirror := func(i int) int { return lazy.Border{Mode: lazy.Reflect}.Fold(i, length) }
	m := make([]mix, n)
	for i := range m {
		beyond := (i - s.Max + n) % n // voxels after the last
		if i >= s.Min && i < s.Max {
			m[i] = mix{a: i - s.Min, b: i - s.Min}
			continue
		}
		m[i] = mix{mirror(length + beyond), mirror(beyond - gap), (float32(beyond) + 0.5) / float32(gap)}
	}
	return m
}

func (x extension) row(z, y int, r []float32) {
	zs, ys := x.at[0][z], x.at[1][y]
	rows := [4][]float32{x.line(zs.a, ys.a), x.line(zs.a, ys.b), x.line(zs.b, ys.a), x.line(zs.b, ys.b)}
	for i, m := range x.at[2] {
		at := func(k int) float32 {
			p := fade(finite(rows[0][k]), finite(rows[1][k]), ys.share)
			if zs.share == 0 {
				return p
			}
			return fade(p, fade(finite(rows[2][k]), finite(rows[3][k]), ys.share), zs.share)
		}
		if r[i] = at(m.a); m.share > 0 {
			r[i] = fade(r[i], at(m.b), m.share)
		}
	}
}

func (x extension) line(z, y int) []float32 {
	return row(x.data, x.f.data, z+x.f.data[0].Min, y+x.f.data[1].Min)
}

func fade(a, b, share float32) float32 { return a + float32(share*(b-a)) }

// finite is v, or 0 for what is no number.
func finite(v float32) float32 {
	if v <= math.MaxFloat32 && v >= -math.MaxFloat32 {
		return v
	}
	return 0
}

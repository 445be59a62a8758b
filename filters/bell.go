package filters

import (
	"fmt"
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// truncateParam is where the weights of a Gaussian end.
var truncateParam = Param{Name: "truncate", Kind: Number, Default: "4", Min: 0.5, Max: 10,
	Doc: "the weights end at this many standard deviations"}

// A bell smooths with a Gaussian, or differentiates what is smoothed, in one pass along each of the axes
// that it is given. It is written pass by pass as scipy.ndimage.gaussian_filter runs: what lies between the
// passes is real, never rounded to the type of the image.
type bell struct {
	sigma    [lazy.Rank]float64
	truncate float64
	edge     lazy.Border
}

func (v values) bell(sigma string) (bell, error) {
	s, err := v.perAxis(sigma)
	return bell{s, v.number("truncate"), v.border()}, err
}

// radius is how far the weights reach on each side of a voxel.
func (b bell) radius(a lazy.Axis) int { return int(b.truncate*b.sigma[a] + 0.5) }

// reach is how far the smoothing of an image like m looks.
func (b bell) reach(m lazy.Meta) lazy.Halo {
	var h lazy.Halo
	for _, a := range live(m) {
		h.Before[a], h.After[a] = b.radius(a), b.radius(a)
	}
	return h
}

// smooth is the array smoothed, in type out.
func (b bell) smooth(a lazy.Array, out lazy.DType) (lazy.Array, error) {
	var passes []lazy.Axis
	for _, ax := range live(a.Meta()) {
		if b.radius(ax) > 0 {
			passes = append(passes, ax)
		}
	}
	real := a.Meta().DType.Real()
	if len(passes) == 0 {
		return cast(a, out)
	}
	a, err := holding(a, b.edge)
	for n, ax := range passes {
		if err != nil {
			return lazy.Array{}, err
		}
		op := stencil.Op{Kernel: b.pass(ax, 0), Edge: b.edge, Out: real}
		if n == len(passes)-1 {
			op.Out = out
		}
		a, err = lazy.Apply(op, a)
	}
	return a, err
}

// derivatives is, for each axis that has voxels and a width, the derivative of the given order along it of
// the smoothed array, as real numbers. The passes that two of them share are one array.
func (b bell) derivatives(a lazy.Array, order int) ([]lazy.Array, error) {
	var axes []lazy.Axis
	for _, ax := range live(a.Meta()) {
		if b.sigma[ax] > 0 {
			axes = append(axes, ax)
		}
	}
	real := a.Meta().DType.Real()
	smooth, err := holding(a, b.edge) // along the axes so far
	var parts []lazy.Array
	for _, ax := range axes {
		pass := func(a lazy.Array, order int) lazy.Array {
			if err == nil {
				a, err = lazy.Apply(stencil.Op{Kernel: b.pass(ax, order), Edge: b.edge, Out: real}, a)
			}
			return a
		}
		for n := range parts {
			parts[n] = pass(parts[n], 0)
		}
		parts = append(parts, pass(smooth, order))
		if len(parts) < len(axes) {
			smooth = pass(smooth, 0)
		}
	}
	return parts, err
}

// pass is the kernel of one pass: its derivative of order 0, 1 or 2 with the weights of scipy.ndimage's
// _gaussian_kernel1d. Those of order 0 sum to 1; the others are these times the derivative's polynomial.
func (b bell) pass(a lazy.Axis, order int) *stencil.Kernel {
	sigma2 := b.sigma[a] * b.sigma[a]
	w := gaussianWeights(b.sigma[a], b.radius(a))
	name := fmt.Sprintf("gaussian %v", a)
	switch order {
	case 1:
		for i := range w {
			w[i] *= float64(i) / sigma2
		}
		return antisymmetric(name+" slope", a, w)
	case 2:
		for i := range w {
			w[i] *= float64(i*i)/(sigma2*sigma2) - 1/sigma2
		}
		name += " curvature"
	}
	return symmetric(name, a, w)
}

// gaussianWeights is the weight of the centre and of each distance from it, which together sum to 1
// (counting each distance twice).
func gaussianWeights(sigma float64, radius int) []float64 {
	w := make([]float64, radius+1)
	sum := 0.0
	for i := range w {
		w[i] = 1
		if i > 0 {
			w[i] = math.Exp(-0.5 / (sigma * sigma) * float64(i*i))
			sum += w[i]
		}
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// symmetric is a kernel along one axis with equal weights on both sides: weights[0] in the middle.
func symmetric(name string, a lazy.Axis, weights []float64) *stencil.Kernel {
	r := len(weights) - 1
	return stencil.Build(name, func(b *stencil.Builder) stencil.Value {
		line := along(b, a, -r, r)
		terms := []stencil.Ref{line[r]}
		for i := 1; i <= r; i++ {
			terms = append(terms, line[r-i], line[r+i])
		}
		return b.Pairs(weights, terms)
	})
}

// antisymmetric is a kernel along one axis with opposite weights on both sides: weights[i] at distance i
// after the voxel, nothing at the voxel itself.
func antisymmetric(name string, a lazy.Axis, weights []float64) *stencil.Kernel {
	r := len(weights) - 1
	return stencil.Build(name, func(b *stencil.Builder) stencil.Value {
		if r == 0 {
			return zero(b)
		}
		line := along(b, a, -r, r)
		var terms []stencil.Term
		for i := 1; i <= r; i++ {
			terms = append(terms, stencil.Term{Weight: -weights[i], Ref: line[r-i]}, stencil.Term{Weight: weights[i], Ref: line[r+i]})
		}
		return b.Linear(terms...)
	})
}

package filters

import (
	"fmt"
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// gaussian is scipy.ndimage.gaussian_filter: sampled weights, cut off at truncate standard deviations
// and normalised, in one pass along each of z, y and x. What lies between the passes is real, never
// rounded to the type of the image.
var gaussian = Spec{
	Name: "gaussian", Title: "Gaussian",
	Doc:       "Smooths with a Gaussian bell.",
	Reference: "scipy.ndimage.gaussian_filter",
	Params: []Param{
		{Name: "sigma", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation; 0 leaves an axis alone"},
		{Name: "truncate", Kind: Number, Default: "4", Min: 0.5, Max: 10,
			Doc: "the weights end at this many standard deviations"},
		borderParam, dtypeParam,
	},
	build: buildGaussian,
}

func buildGaussian(a lazy.Array, v values) (lazy.Array, error) {
	sigma, err := v.perAxis("sigma")
	if err != nil {
		return lazy.Array{}, err
	}
	type pass struct {
		axis    lazy.Axis
		weights []float64
	}
	var passes []pass
	for _, ax := range live(a.Meta()) {
		if w := gaussianWeights(sigma[ax], v.number("truncate")); len(w) > 1 {
			passes = append(passes, pass{ax, w})
		}
	}
	in := a.Meta().DType
	out, real := v.dtype(in), in.Real()
	if len(passes) == 0 {
		return cast(a, out)
	}
	edge := v.border()
	if a, err = holding(a, edge); err != nil {
		return lazy.Array{}, err
	}
	for n, p := range passes {
		op := stencil.Op{Kernel: symmetric(fmt.Sprintf("gaussian %v", p.axis), p.axis, p.weights), Edge: edge, Out: real}
		if n == len(passes)-1 {
			op.Out = out
		}
		if a, err = lazy.Apply(op, a); err != nil {
			return lazy.Array{}, err
		}
	}
	return a, nil
}

// gaussianWeights is the weight of the centre and of each distance from it, which together sum to 1
// (counting each distance twice), as scipy.ndimage's _gaussian_kernel1d makes them.
func gaussianWeights(sigma, truncate float64) []float64 {
	radius := int(truncate*sigma + 0.5)
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

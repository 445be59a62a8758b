package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// gaussian is scipy.ndimage.gaussian_filter: sampled weights, cut off at truncate standard deviations
// and normalised, in one pass along each of z, y and x.
var gaussian = Spec{
	Name: "gaussian", Title: "Gaussian",
	Doc:       "Smooths with a Gaussian bell.",
	Reference: "scipy.ndimage.gaussian_filter",
	Params: []Param{
		{Name: "sigma", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation; 0 leaves an axis alone"},
		truncateParam, borderParam, dtypeParam,
	},
	build: func(a lazy.Array, v values) (lazy.Array, error) {
		b, err := v.bell("sigma")
		if err != nil {
			return lazy.Array{}, err
		}
		return b.smooth(a, v.dtype(a.Meta().DType))
	},
}

// log and gradientMagnitude smooth and differentiate at once, with the derivatives of the Gaussian as weights.
var (
	log = Spec{
		Name: "log", Title: "Laplacian of Gaussian",
		Doc:       "The sum of the second derivatives of the image smoothed with a Gaussian: finds spots of radius sigma times the root of 3 (in a plane, of 2).",
		Reference: "scipy.ndimage.gaussian_laplace",
		Params:    derivativeParams,
		build: derivativesOf(2, "log", func(b *stencil.Builder, parts []stencil.Value) stencil.Value {
			var terms []stencil.Ref
			for _, p := range parts {
				terms = append(terms, stencil.At(p))
			}
			return b.Sum(terms...)
		}),
	}
	gradientMagnitude = Spec{
		Name: "gradient", Title: "Gradient magnitude",
		Doc:       "The length of the gradient of the image smoothed with a Gaussian.",
		Reference: "scipy.ndimage.gaussian_gradient_magnitude",
		Params:    derivativeParams,
		build: derivativesOf(1, "gradient", func(b *stencil.Builder, parts []stencil.Value) stencil.Value {
			return b.L2(parts...)
		}),
	}
	derivativeParams = []Param{
		{Name: "sigma", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation; 0 leaves an axis out: it is neither smoothed nor differentiated along"},
		truncateParam, borderParam, dtypeParam,
	}
)

// derivativesOf builds a filter that combines the derivatives of one order along each axis.
func derivativesOf(order int, name string, combine func(*stencil.Builder, []stencil.Value) stencil.Value) func(lazy.Array, values) (lazy.Array, error) {
	return func(a lazy.Array, v values) (lazy.Array, error) {
		bell, err := v.bell("sigma")
		if err != nil {
			return lazy.Array{}, err
		}
		parts, err := bell.derivatives(a, order)
		if err != nil {
			return lazy.Array{}, err
		}
		kernel := stencil.Build(name, func(b *stencil.Builder) stencil.Value {
			if len(parts) == 0 {
				return zero(b)
			}
			return combine(b, loads(b, len(parts)))
		})
		out := v.dtype(derivativeType(a.Meta().DType))
		if len(parts) == 0 {
			parts = []lazy.Array{a}
		}
		return lazy.Apply(stencil.Op{Kernel: kernel, Out: out}, parts...)
	}
}

// loads is the voxel itself of each of n inputs.
func loads(b *stencil.Builder, n int) []stencil.Value {
	var v []stencil.Value
	for i := range n {
		v = append(v, b.LoadOf(i, 0))
	}
	return v
}

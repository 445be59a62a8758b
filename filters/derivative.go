package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// gaussianDerivative is scipy.ndimage.gaussian_filter with an order for each axis: the image smoothed with a
// Gaussian and differentiated, in one pass along each of z, y and x. Its unit is that of the voxels, for each
// voxel and order: a slope in grey values per voxel, a curvature per voxel squared.
var gaussianDerivative = Spec{
	Name: "gaussian-derivative", Title: "Gaussian derivative",
	Doc:       "Smooths with a Gaussian and differentiates, each axis as often as its order says.",
	Reference: "scipy.ndimage.gaussian_filter with an order for each axis",
	Params: []Param{
		{Name: "sigma", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation; 0 leaves an axis alone, whatever its order"},
		{Name: "order", Kind: Integer, Default: "0,0,1", PerAxis: true, Min: 0, Max: 2,
			Doc: "how often each of z, y and x is differentiated along: 0 smooths, 1 is the slope, 2 the curvature"},
		truncateParam, borderParam, dtypeParam,
	},
	build: buildDerivative,
}

func buildDerivative(a lazy.Array, v values) (lazy.Array, error) {
	bell, err := v.bell("sigma")
	if err != nil {
		return lazy.Array{}, err
	}
	order, err := v.perAxis("order")
	if err != nil {
		return lazy.Array{}, err
	}
	real, out := a.Meta().DType.Real(), v.dtype(derivativeType(a.Meta().DType))
	axes := live(a.Meta())
	if a, err = holding(a, bell.edge); err != nil {
		return lazy.Array{}, err
	}
	for _, ax := range axes {
		if n := int(order[ax]); bell.sigma[ax] > 0 && (bell.radius(ax) > 0 || n > 0) {
			a, err = lazy.Apply(stencil.Op{Kernel: bell.pass(ax, n), Edge: bell.edge, Out: real}, a)
			if err != nil {
				return lazy.Array{}, err
			}
		}
	}
	return cast(a, out)
}

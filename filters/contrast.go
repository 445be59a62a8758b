package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// dog is the difference of two Gaussians, each as gaussian computes it.
var dog = Spec{
	Name: "dog", Title: "Difference of Gaussians",
	Doc:       "The image smoothed with one Gaussian minus the image smoothed with a wider one: what lies between two sizes.",
	Reference: "scipy.ndimage.gaussian_filter of sigma1 minus that of sigma2",
	Params: []Param{
		{Name: "sigma1", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation of the first; 0 leaves an axis alone"},
		{Name: "sigma2", Kind: Length, Default: "1.6", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation of the one that is subtracted"},
		truncateParam, borderParam, dtypeParam,
	},
	build: buildDoG,
}

func buildDoG(a lazy.Array, v values) (lazy.Array, error) {
	var parts []lazy.Array
	var reach lazy.Halo
	for _, name := range []string{"sigma1", "sigma2"} {
		b, err := v.bell(name)
		if err != nil {
			return lazy.Array{}, err
		}
		p, err := b.smooth(a, a.Meta().DType.Real())
		if err != nil {
			return lazy.Array{}, err
		}
		parts, reach = append(parts, p), wider(reach, b.reach(a.Meta()))
	}
	out := v.dtype(derivativeType(a.Meta().DType))
	result, err := lazy.Apply(stencil.Op{Kernel: differenceKernel, Out: out}, parts...)
	if err != nil {
		return lazy.Array{}, err
	}
	return within(result, reach, v.border())
}

// unsharp adds what a Gaussian takes away: x + amount (x - smooth x), as skimage.filters.unsharp_mask does
// with preserve_range, where the Gaussian is scipy's.
var unsharp = Spec{
	Name: "unsharp", Title: "Unsharp mask",
	Doc:       "Sharpens: adds a multiple of the difference between the image and the image smoothed with a Gaussian.",
	Reference: "skimage.filters.unsharp_mask with preserve_range, on scipy.ndimage.gaussian_filter",
	Params: []Param{
		{Name: "sigma", Kind: Length, Default: "1", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "standard deviation of the Gaussian; 0 leaves an axis alone"},
		{Name: "amount", Kind: Number, Default: "1", Min: 0, Max: 100,
			Doc: "how much of the difference is added"},
		truncateParam, borderParam, dtypeParam,
	},
	build: buildUnsharp,
}

func buildUnsharp(a lazy.Array, v values) (lazy.Array, error) {
	b, err := v.bell("sigma")
	if err != nil {
		return lazy.Array{}, err
	}
	smooth, err := b.smooth(a, a.Meta().DType.Real())
	if err != nil {
		return lazy.Array{}, err
	}
	sharpen := stencil.Build("unsharp", func(k *stencil.Builder) stencil.Value {
		x := k.Load(0)
		detail := k.Linear(stencil.W(1, x, 0, 0), stencil.W(-1, k.LoadOf(1, 0), 0, 0))
		return k.Linear(stencil.W(1, x, 0, 0), stencil.W(v.number("amount"), detail, 0, 0))
	})
	result, err := lazy.Apply(stencil.Op{Kernel: sharpen, Out: v.dtype(a.Meta().DType)}, a, smooth)
	if err != nil {
		return lazy.Array{}, err
	}
	return within(result, b.reach(a.Meta()), v.border())
}

// wider is a halo that holds both.
func wider(a, b lazy.Halo) lazy.Halo {
	for ax := range lazy.Rank {
		a.Before[ax], a.After[ax] = max(a.Before[ax], b.Before[ax]), max(a.After[ax], b.After[ax])
	}
	return a
}

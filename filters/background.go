package filters

import (
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// subtractBackground takes away what varies over lengths greater than the structures of interest. With
// method=paraboloid the background is the grey opening by a paraboloid: the surface that one of the curvature of a
// ball of that radius reaches when it is pushed against the image from below, everywhere. It is ImageJ's
// "sliding paraboloid" of Subtract Background, cut off at the radius, so that it reaches no further; ImageJ also
// shrinks large images first, which this does not. A radius in micrometres becomes a different number of voxels
// on each axis, and the paraboloid the corresponding ellipsoid's.
var subtractBackground = Spec{
	Name: "subtract-background", Title: "Subtract background",
	Doc:       "Takes away a background that varies slowly: what a paraboloid of the given radius reaches from below, an opening, or a wide Gaussian. For a bright background invert before and after.",
	Reference: "scipy.ndimage.grey_opening with a paraboloid or a box as structure, scipy.ndimage.gaussian_filter; ImageJ's Subtract Background with a sliding paraboloid",
	Params: []Param{
		{Name: "radius", Kind: Length, Default: "50", Unit: "voxels", PerAxis: true, Min: 0, Max: 250,
			Doc: "about the size of the largest structure that is not background: the paraboloid has the curvature of a ball of this radius, the box of the opening is twice as wide, and sigma of the Gaussian is this; 0 leaves an axis alone"},
		{Name: "method", Kind: Choice, Default: "paraboloid", Choices: []string{"paraboloid", "opening", "gaussian"},
			Doc: "what the background is found by"},
		{Name: "height", Kind: Number, Default: "0", Min: 0, Max: math.MaxFloat64,
			Doc: "grey values that stand for the radius: the paraboloid falls by half of them at that distance; 0 takes the radius along x in voxels, as ImageJ does"},
		{Name: "smooth", Kind: Integer, Default: "3", Min: 1, Max: 51,
			Doc: "width of the mean that takes away noise before the background is found, as ImageJ does; 1 for none"},
		{Name: "dims", Kind: Choice, Default: "2", Choices: []string{"2", "3"},
			Doc: "2 for each plane of y and x by itself, 3 for the whole volume"},
		borderParam, dtypeParam,
	},
	build: buildBackground,
}

func buildBackground(a lazy.Array, v values) (lazy.Array, error) {
	radius, err := v.perAxis("radius")
	if err != nil {
		return lazy.Array{}, err
	}
	var axes []lazy.Axis
	for _, ax := range live(a.Meta()) {
		if ax == lazy.Z && v.text["dims"] == "2" {
			radius[ax] = 0
		}
		if math.Round(radius[ax]) > 0 {
			axes = append(axes, ax)
		}
	}
	edge := v.border()
	held, err := holding(a, edge)
	if err != nil {
		return lazy.Array{}, err
	}
	under, reach, err := smoothed(held, axes, int(v.number("smooth")), edge)
	if err != nil {
		return lazy.Array{}, err
	}
	var wide lazy.Halo
	for _, ax := range axes {
		r := int(math.Round(radius[ax]))
		wide.Before[ax], wide.After[ax] = r, r
	}
	switch v.text["method"] {
	case "gaussian":
		b := bell{sigma: radius, truncate: 4, edge: edge}
		if under, err = b.smooth(under, under.Meta().DType); err == nil {
			reach = reach.Add(b.reach(a.Meta()))
		}
	case "opening":
		under, err = morph{under, wide, edge}.open()
		reach = reach.Add(wide).Add(wide)
	default:
		height := v.number("height")
		if height == 0 {
			height = radius[lazy.X]
		}
		under, err = paraboloid{radius, height, edge}.open(under, axes)
		reach = reach.Add(wide).Add(wide)
	}
	if err != nil {
		return lazy.Array{}, err
	}
	result, err := lazy.Apply(stencil.Op{Kernel: differenceKernel, Out: v.dtype(a.Meta().DType)}, a, under)
	if err != nil {
		return lazy.Array{}, err
	}
	return within(result, reach, edge)
}

// smoothed is the mean of a box along some axes as real numbers, and how far it looks.
func smoothed(a lazy.Array, axes []lazy.Axis, size int, edge lazy.Border) (lazy.Array, lazy.Halo, error) {
	w := lazy.Shape{1, 1, 1, 1, 1}
	for _, ax := range axes {
		w[ax] = size
	}
	real := a.Meta().DType.Real()
	a, err := boxMean(a, w, edge, real)
	return a, boxHalo(w), err
}

// A paraboloid has, along each axis, the curvature at its top of an ellipsoid whose half axes are radius (in
// voxels) and height (in grey values). It ends at the radius. Being a sum of parabolas along the axes it acts
// on one after the other.
type paraboloid struct {
	radius [lazy.Rank]float64
	height float64
	edge   lazy.Border
}

// open pushes the paraboloid against real voxels from below: an erosion, then a dilation.
func (p paraboloid) open(a lazy.Array, axes []lazy.Axis) (lazy.Array, error) {
	var err error
	for _, end := range []end{least, greatest} {
		for _, ax := range axes {
			if err == nil {
				a, err = lazy.Apply(parabolaOp{ax, p.radius[ax], p.height, end, p.edge}, a)
			}
		}
	}
	return a, err
}

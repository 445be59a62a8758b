package filters

import (
	"fmt"
	"math"

	"lamella/lazy"
)

// clahe is contrast-limited adaptive histogram equalisation: Pizer and others, Computer Vision, Graphics, and Image
// Processing 39 (1987) 355. A voxel becomes the share of voxels in the box around it that are not brighter. Each
// voxel has a box of its own, as in ImageJ's CLAHE in its precise mode; skimage.exposure.equalize_adapthist
// interpolates between tiles of the whole image, which no region of it could be computed without.
//
// Values between low and high are counted in bins. No bin counts for more than slope times its even share; what
// it has more is spread evenly over all bins. With a slope of as many as there are bins nothing is limited, and
// the result is skimage.filters.rank.equalize.
var clahe = Spec{
	Name: "clahe", Title: "Local equalisation (CLAHE)",
	Doc:       "Each voxel becomes its rank among the voxels of a box around it, with a limit to how much contrast may grow: structures show in dark and in bright regions alike.",
	Reference: "skimage.filters.rank.equalize where the slope is no limit; with one, the histogram's clipping written in numpy",
	Params: []Param{
		wideBox("1,127,127", 511),
		{Name: "slope", Kind: Number, Default: "3", Min: 1, Max: 256,
			Doc: "how many times the contrast may grow at most; 256 for no limit"},
		{Name: "low", Kind: Number, Default: "0", Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "the value of the first bin, and the least of the result; with a method, what it has found"},
		{Name: "high", Kind: Number, Default: "255", Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "the value of the last bin, and the greatest of the result"},
		{Name: "method", Kind: Choice, Default: "minmax", Choices: limitMethods,
			Doc: "how low and high are found where they are not given"},
		belowParam, aboveParam, channelParam, borderParam, dtypeParam,
	},
	build: buildCLAHE,
	asks:  asksLimits,
}

func buildCLAHE(a lazy.Array, v values) (lazy.Array, error) {
	w, err := v.widths()
	if err != nil {
		return lazy.Array{}, err
	}
	low, high := v.number("low"), v.number("high")
	if low >= high {
		return lazy.Array{}, fmt.Errorf("low=%s high=%s: expected low below high", v.text["low"], v.text["high"])
	}
	out := v.dtype(a.Meta().DType)
	if a, err = holding(a, v.border()); err != nil {
		return lazy.Array{}, err
	}
	pop := float64(w.Voxels())
	op := equalizeOp{w, int(max(1, math.Floor(v.number("slope")*pop/levels+0.5))), low, high, v.border()}
	if a, err = lazy.Apply(op, a); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// levels is how many bins values are counted in.
const levels = 256

// An equalizeOp gives each voxel the share of its box that is not brighter, as a real number from low to high. It
// implements lazy.Op.
type equalizeOp struct {
	width     lazy.Shape
	most      int // that a bin counts for
	low, high float64
	edge      lazy.Border
}

func (o equalizeOp) Name() string { return "equalise" }

func (o equalizeOp) Key() string {
	return fmt.Sprintf("equalise %v %d %g %g %v", o.width, o.most, o.low, o.high, o.edge)
}

func (o equalizeOp) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = m.DType.Real()
	return m, nil
}

func (o equalizeOp) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.Grow(boxHalo(o.width))}
}

func (o equalizeOp) Border() lazy.Border { return o.edge }

package filters

import (
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// outliers is ImageJ's Remove Outliers with a box in place of its disc: hot and dead pixels of a camera are
// far from the median around them, everything else stays as it is.
var outliers = Spec{
	Name: "remove-outliers", Title: "Remove outliers",
	Doc:       "Replaces hot or dead pixels: a voxel that differs from the median of the box around it by more than a threshold becomes that median.",
	Reference: "numpy.where on scipy.ndimage.median_filter; ImageJ's Remove Outliers takes a disc",
	Params: []Param{
		sizeParam(rankWidth),
		{Name: "threshold", Kind: Number, Default: "50", Min: 0, Max: math.MaxFloat64,
			Doc: "how far from the median, in grey values, a voxel may be"},
		{Name: "which", Kind: Choice, Default: "bright", Choices: []string{"bright", "dark", "both"},
			Doc: "whether voxels above the median are replaced, those below it, or both"},
		borderParam, dtypeParam,
	},
	build: buildOutliers,
}

func buildOutliers(a lazy.Array, v values) (lazy.Array, error) {
	w, err := v.widths()
	if err != nil {
		return lazy.Array{}, err
	}
	out := v.dtype(a.Meta().DType)
	if w.Voxels() == 1 {
		return cast(a, out)
	}
	middle, err := holding(a, v.border())
	if err == nil {
		middle, err = lazy.Apply(newRankOp(w, w.Voxels()/2, v.border()), middle)
	}
	if err != nil {
		return lazy.Array{}, err
	}
	kernel := stencil.Build("remove outliers", func(b *stencil.Builder) stencil.Value {
		x, m := b.LoadOf(0, 0), b.LoadOf(1, 0)
		most := number(b, v.number("threshold"))
		kept := x
		if v.text["which"] != "dark" {
			above := b.Linear(stencil.W(1, x, 0, 0), stencil.W(-1, m, 0, 0))
			far := b.Apply(stencil.Less, stencil.At(most), stencil.At(above))
			kept = b.Apply(stencil.Select, stencil.At(far), stencil.At(m), stencil.At(kept))
		}
		if v.text["which"] != "bright" {
			below := b.Linear(stencil.W(1, m, 0, 0), stencil.W(-1, x, 0, 0))
			far := b.Apply(stencil.Less, stencil.At(most), stencil.At(below))
			kept = b.Apply(stencil.Select, stencil.At(far), stencil.At(m), stencil.At(kept))
		}
		return kept
	})
	result, err := lazy.Apply(stencil.Op{Kernel: kernel, Out: out}, a, middle)
	if err != nil {
		return lazy.Array{}, err
	}
	return within(result, boxHalo(w), v.border())
}

package filters

import (
	"fmt"
	"math"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// mean is the box mean, scipy.ndimage.uniform_filter. Integers are summed exactly, pass by pass along
// z, y and x, and divided once at the end: rounded to nearest, halves away from zero, so that the mean
// of -a is the negative of the mean of a.
var mean = Spec{
	Name: "mean", Title: "Mean",
	Doc:       "The mean of a box around each voxel.",
	Reference: "scipy.ndimage.uniform_filter",
	Params: []Param{
		{Name: "size", Kind: Length, Default: "3", Unit: "voxels", PerAxis: true, Min: 1, Max: 1023,
			Doc: "width of the box; an even one reaches one voxel further before than after"},
		borderParam, dtypeParam,
	},
	build: buildMean,
}

func buildMean(a lazy.Array, v values) (lazy.Array, error) {
	w, err := v.widths()
	if err != nil {
		return lazy.Array{}, err
	}
	return boxMean(a, w, v.border(), v.dtype(a.Meta().DType))
}

// boxMean is the mean of a box of width w in type out.
func boxMean(a lazy.Array, w lazy.Shape, edge lazy.Border, out lazy.DType) (lazy.Array, error) {
	var passes []lazy.Axis
	for _, ax := range space {
		if w[ax] > 1 {
			passes = append(passes, ax)
		}
	}
	if len(passes) == 0 {
		return cast(a, out)
	}
	a, err := holding(a, edge)
	if err != nil {
		return lazy.Array{}, err
	}
	limit, count := magnitude(a.Meta().DType), w.Voxels()
	for n, ax := range passes {
		width, last := w[ax], n == len(passes)-1
		kernel := stencil.Build(fmt.Sprintf("mean %v", ax), func(b *stencil.Builder) stencil.Value {
			sum := b.Sum(along(b, ax, -(width / 2), width-width/2-1)...)
			switch {
			case !last:
				return sum
			case !out.Float():
				return b.RoundDiv(sum, count)
			}
			return b.Divide(sum, float64(count))
		})
		op := stencil.Op{Kernel: kernel, Edge: edge, Out: out, Limit: limit}
		if !last {
			op.Out = sumType(a.Meta().DType, limit*float64(width))
		}
		if a, err = lazy.Apply(op, a); err != nil {
			return lazy.Array{}, err
		}
		limit *= float64(width)
		edge.Value *= float64(width) // what stands beyond the edge of a sum is a sum too
	}
	return a, nil
}

// boxWidth is a width in whole voxels, at least 1.
func boxWidth(v float64) int { return max(1, int(math.Round(v))) }

// sumType is the type of an exact sum of voxels of type in whose magnitude is at most limit.
func sumType(in lazy.DType, limit float64) lazy.DType {
	switch {
	case in.Float() || in == lazy.I64 || in == lazy.U64 || limit > 1<<62:
		return in.Real()
	case limit <= math.MaxInt32:
		return lazy.I32
	}
	return lazy.I64
}

// magnitude is the largest magnitude of a type's values.
func magnitude(d lazy.DType) float64 {
	lo, hi := d.Range()
	return max(-lo, hi)
}

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
	size, err := v.perAxis("size")
	if err != nil {
		return lazy.Array{}, err
	}
	type pass struct {
		axis lazy.Axis
		n    int
	}
	var passes []pass
	count := 1
	for _, ax := range live(a.Meta()) {
		if n := boxWidth(size[ax]); n > 1 {
			passes = append(passes, pass{ax, n})
			count *= n
		}
	}
	in := a.Meta().DType
	out := v.dtype(in)
	if len(passes) == 0 {
		return cast(a, out)
	}
	edge := v.border()
	if a, err = holding(a, edge); err != nil {
		return lazy.Array{}, err
	}
	limit := magnitude(a.Meta().DType)
	for n, p := range passes {
		last := n == len(passes)-1
		kernel := stencil.Build(fmt.Sprintf("mean %v", p.axis), func(b *stencil.Builder) stencil.Value {
			sum := b.Sum(along(b, p.axis, -(p.n / 2), p.n-p.n/2-1)...)
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
			op.Out = sumType(a.Meta().DType, limit*float64(p.n))
		}
		if a, err = lazy.Apply(op, a); err != nil {
			return lazy.Array{}, err
		}
		limit *= float64(p.n)
		edge.Value *= float64(p.n) // what stands beyond the edge of a sum is a sum too
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

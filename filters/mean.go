package filters

import (
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
		{Name: "size", Kind: Length, Counts: true, Default: "3", Unit: "voxels", PerAxis: true, Min: 1, Max: 1023,
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
	var passes []boxPass
	for _, ax := range space {
		if w[ax] > 1 {
			passes = append(passes, boxPass{ax: w[ax]})
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
	passes = joined(passes)
	for n, p := range passes {
		last := n == len(passes)-1
		kernel := stencil.Build("mean "+p.axes(), func(b *stencil.Builder) stencil.Value {
			sum := p.sum(b)
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
			op.Out = sumType(a.Meta().DType, limit*float64(p.voxels()))
		}
		if a, err = lazy.Apply(op, a); err != nil {
			return lazy.Array{}, err
		}
		limit *= float64(p.voxels())
		edge.Value *= float64(p.voxels()) // what stands beyond the edge of a sum is a sum too
	}
	return a, nil
}

// A boxPass is the widths of a box along the axes that one pass sums over.
type boxPass map[lazy.Axis]int

// joinedWidth is the widest box along x whose sums along y are made in the same pass. A plane of y and z makes
// them anew for each of its columns then; beyond this width they are worth keeping.
const joinedWidth = 5

// joined makes one pass of those along y and x where the box is small.
func joined(passes []boxPass) []boxPass {
	last := len(passes) - 1
	if last < 1 || passes[last-1][lazy.Y] == 0 || passes[last][lazy.X] == 0 || passes[last][lazy.X] > joinedWidth {
		return passes
	}
	return append(passes[:last-1], boxPass{lazy.Y: passes[last-1][lazy.Y], lazy.X: passes[last][lazy.X]})
}

func (p boxPass) axes() string {
	s := ""
	for _, ax := range space {
		if p[ax] > 0 {
			s += ax.String()
		}
	}
	return s
}

func (p boxPass) voxels() int {
	n := 1
	for _, width := range p {
		n *= width
	}
	return n
}

// sum is the sum along y of each column, and then along x of those.
func (p boxPass) sum(b *stencil.Builder) stencil.Value {
	if len(p) == 1 {
		for ax, n := range p {
			return b.Sum(along(b, ax, -(n / 2), n-n/2-1)...)
		}
	}
	column := b.Sum(along(b, lazy.Y, -(p[lazy.Y] / 2), p[lazy.Y]-p[lazy.Y]/2-1)...)
	var columns []stencil.Ref
	for dx := -(p[lazy.X] / 2); dx < p[lazy.X]-p[lazy.X]/2; dx++ {
		columns = append(columns, stencil.Ref{Value: column, DX: dx})
	}
	return b.Sum(columns...)
}

// boxWidth is a width in whole voxels, at least 1.
func boxWidth(v float64) int { return max(1, int(math.Round(v))) }

// sumType is the type of an exact sum of voxels of type in whose magnitude is at most limit.
func sumType(in lazy.DType, limit float64) lazy.DType {
	switch {
	case in.Float() || in == lazy.I64 || in == lazy.U64 || limit > 1<<62:
		return in.Real()
	case limit <= math.MaxInt16:
		return lazy.I16
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

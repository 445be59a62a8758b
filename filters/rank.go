package filters

import (
	"fmt"

	"lamella/lazy"
)

// The rank filters sort the voxels of a box and take one of them, so they work in the type of the image.
// A box of even width reaches one voxel further before than after, as in scipy.ndimage. NaN counts as
// greater than every number, and -0 as less than 0, so that the result does not depend on the order in
// which voxels are looked at.
var (
	median = Spec{
		Name: "median", Title: "Median",
		Doc:       "The middle of the values in a box around each voxel: takes away specks and keeps edges.",
		Reference: "scipy.ndimage.median_filter",
		Params:    []Param{sizeParam(rankWidth), borderParam, dtypeParam},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			return buildRank(a, v, func(n int) int { return n / 2 })
		},
	}
	percentile = Spec{
		Name: "percentile", Title: "Percentile",
		Doc:       "The value below which a given share of the values in a box around each voxel lies.",
		Reference: "scipy.ndimage.percentile_filter",
		Params: []Param{
			{Name: "percentile", Kind: Number, Default: "50", Min: 0, Max: 100,
				Doc: "the share in per cent: 0 is the minimum, 50 the median, 100 the maximum"},
			sizeParam(rankWidth), borderParam, dtypeParam,
		},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			return buildRank(a, v, func(n int) int {
				return min(n-1, int(float64(n)*v.number("percentile")/100))
			})
		},
	}
	minimum = Spec{
		Name: "minimum", Title: "Minimum",
		Doc:       "The least value in a box around each voxel.",
		Reference: "scipy.ndimage.minimum_filter",
		Params:    []Param{sizeParam(1023), borderParam, dtypeParam},
		build:     func(a lazy.Array, v values) (lazy.Array, error) { return buildExtreme(a, v, least) },
	}
	maximum = Spec{
		Name: "maximum", Title: "Maximum",
		Doc:       "The greatest value in a box around each voxel.",
		Reference: "scipy.ndimage.maximum_filter",
		Params:    []Param{sizeParam(1023), borderParam, dtypeParam},
		build:     func(a lazy.Array, v values) (lazy.Array, error) { return buildExtreme(a, v, greatest) },
	}
)

// rankWidth bounds the box of a filter whose work grows with its voxels.
const rankWidth = 101

func sizeParam(most float64) Param {
	return Param{Name: "size", Kind: Length, Counts: true, Default: "3", Unit: "voxels", PerAxis: true, Min: 1, Max: most,
		Doc: "width of the box; an even one reaches one voxel further before than after, 1 leaves an axis alone"}
}

// widths is the size of a box in voxels: 1 along axes that are left alone.
func (v values) widths() (lazy.Shape, error) {
	w := lazy.Shape{1, 1, 1, 1, 1}
	size, err := v.perAxis("size")
	for _, a := range live(v.meta) {
		w[a] = boxWidth(size[a])
	}
	return w, err
}

// boxHalo is the reach of a box: an even width reaches one voxel further before.
func boxHalo(w lazy.Shape) lazy.Halo {
	var h lazy.Halo
	for a := range lazy.Rank {
		h.Before[a] = w[a] / 2
		h.After[a] = w[a] - 1 - w[a]/2
	}
	return h
}

func buildRank(a lazy.Array, v values, rank func(voxels int) int) (lazy.Array, error) {
	w, err := v.widths()
	if err != nil {
		return lazy.Array{}, err
	}
	out := v.dtype(a.Meta().DType)
	if w.Voxels() == 1 {
		return cast(a, out)
	}
	if a, err = holding(a, v.border()); err != nil {
		return lazy.Array{}, err
	}
	if a, err = lazy.Apply(newRankOp(w, rank(w.Voxels()), v.border()), a); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

func buildExtreme(a lazy.Array, v values, end end) (lazy.Array, error) {
	w, err := v.widths()
	if err != nil {
		return lazy.Array{}, err
	}
	out := v.dtype(a.Meta().DType)
	if a, err = extremes(a, boxHalo(w), end, v.border()); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// extremes is the least or greatest value in a box, in one pass along each of z, y and x, in the type of the
// image or one that holds the border's value.
func extremes(a lazy.Array, box lazy.Halo, end end, edge lazy.Border) (lazy.Array, error) {
	a, err := holding(a, edge)
	for _, ax := range space {
		if err == nil && box.Before[ax]+box.After[ax] > 0 {
			a, err = lazy.Apply(extremeOp{ax, box.Before[ax], box.After[ax], end, edge}, a)
		}
	}
	return a, err
}

// A rankOp is the voxel of a given rank, 0 for the least, among those of a box. It implements lazy.Op.
type rankOp struct {
	width lazy.Shape
	rank  int
	edge  lazy.Border

	alongX, alongY *network // for rows along x and along y; nil where the box is too large for one
}

func newRankOp(w lazy.Shape, rank int, edge lazy.Border) rankOp {
	return rankOp{w, rank, edge,
		newNetwork(w[lazy.Z], w[lazy.Y], w[lazy.X], rank), newNetwork(w[lazy.Z], w[lazy.X], w[lazy.Y], rank)}
}

func (o rankOp) Name() string {
	return fmt.Sprintf("rank %d of %dx%dx%d", o.rank, o.width[lazy.Z], o.width[lazy.Y], o.width[lazy.X])
}

func (o rankOp) Key() string { return fmt.Sprint("rank ", o.rank, o.width, o.edge) }

func (o rankOp) Infer(in []lazy.Meta) (lazy.Meta, error) { return unlabelled(in[0]), nil }

func (o rankOp) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	return []lazy.Region{out.Grow(boxHalo(o.width))}
}

func (o rankOp) Border() lazy.Border { return o.edge }

// unlabelled is an image like m whose values are no longer names of objects.
func unlabelled(m lazy.Meta) lazy.Meta {
	m.Labels = false
	return m
}

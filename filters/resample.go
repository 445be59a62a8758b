package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
)

// resample gives the image voxels of another size. It covers the same part of the world from edge to edge, as far as
// whole voxels do.
var resample = Spec{
	Name: "resample", Title: "Resample", Moves: true,
	Doc:       "Gives the image other voxels: as long along z and y as along x, or of a size that is stated. Linear between voxels; where voxels become much larger, bin first.",
	Reference: "scipy.ndimage.map_coordinates with mode nearest",
	Params: []Param{
		{Name: "voxel", Kind: Length, PerAxis: true, Default: "0", Max: 1000, Unit: "voxels",
			Doc: "size of the new voxels, such as 0.2um, or as a multiple of the old ones; 0 makes all sides as short as the shortest"},
		{Name: "order", Kind: Choice, Default: "linear", Choices: []string{"linear", "nearest"}, Doc: "what stands between the centres of voxels; label images always take the nearest"},
		dtypeParam,
	},
	build: buildResample,
}

func buildResample(a lazy.Array, v values) (lazy.Array, error) {
	m := a.Meta()
	op := resampling{nearest: v.text["order"] == "nearest" || m.Labels, out: m.DType}
	ratio, err := v.perAxis("voxel")
	if err != nil {
		return lazy.Array{}, err
	}
	finest := math.Inf(1)
	for _, ax := range live(m) {
		finest = min(finest, m.Scale[ax])
	}
	for ax := range lazy.Axis(lazy.Rank) {
		op.ratio[ax], op.shape[ax] = 1, m.Shape[ax]
	}
	for _, ax := range live(m) {
		r := ratio[ax]
		if r == 0 {
			if finest <= 0 {
				return lazy.Array{}, fmt.Errorf("voxel=%s: the image does not state the size of its voxels: give it in the properties, or say what the new ones are", v.text["voxel"])
			}
			r = finest / m.Scale[ax]
		}
		n := math.Round(float64(m.Shape[ax]) / r)
		if n > 1<<30 {
			return lazy.Array{}, fmt.Errorf("voxel=%s: that would be %.3g voxels along %v", v.text["voxel"], n, ax)
		}
		op.ratio[ax], op.shape[ax] = r, max(1, int(n))
	}
	if op.shape == m.Shape && op.plain() {
		return cast(a, v.dtype(m.DType))
	}
	out := v.dtype(m.DType)
	if op.out = out; out != m.DType && !out.Float() {
		op.out = lazy.F64
	}
	if a, err = lazy.Apply(op, a); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// A resampling is the op of resample: voxel i of the result is at (i + 1/2)*ratio - 1/2 of the input. It implements lazy.Op.
type resampling struct {
	ratio   [lazy.Rank]float64 // of the size of the new voxels to that of the old ones
	shape   lazy.Shape
	nearest bool
	out     lazy.DType
}

func (o resampling) plain() bool { return o.ratio == [lazy.Rank]float64{1, 1, 1, 1, 1} }

// at is where a voxel of the result lies along an axis of n voxels: between two of them, so far from the first to the second.
func (o resampling) at(ax lazy.Axis, i, n int) (first, second int, share float64) {
	p := max(0, min(float64(n-1), (float64(i)+0.5)*o.ratio[ax]-0.5))
	if o.nearest {
		first = min(n-1, int(math.Floor(p+0.5)))
		return first, first, 0
	}
	first = int(p)
	return first, min(n-1, first+1), p - float64(first)
}

// Name implements lazy.Op.
func (o resampling) Name() string { return "resample" }

// Key implements lazy.Op.
func (o resampling) Key() string {
	return fmt.Sprintf("resample %v %v %v %v", o.ratio, o.shape, o.nearest, o.out)
}

// Border implements lazy.Op: beyond the centres of the outermost voxels stand their values.
func (o resampling) Border() lazy.Border { return lazy.Border{} }

// Infer implements lazy.Op.
func (o resampling) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := in[0]
	m.DType = o.out
	for a, r := range o.ratio {
		m.Chunk[a] = max(1, min(o.shape[a], int(float64(m.Chunk[a])/r)))
		m.Shape[a] = o.shape[a]
		m.Origin[a] += m.Scale[a] * (r - 1) / 2
		m.Scale[a] *= r
	}
	return m, nil
}

// Need implements lazy.Op.
func (o resampling) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	for ax := range lazy.Axis(lazy.Rank) {
		if out.Max[ax] > out.Min[ax] {
			n := in[0].Shape[ax]
			first, _, _ := o.at(ax, out.Min[ax], n)
			_, last, share := o.at(ax, out.Max[ax]-1, n)
			if share == 0 {
				last, _, _ = o.at(ax, out.Max[ax]-1, n)
			}
			out.Min[ax], out.Max[ax] = first, last+1
		}
	}
	return []lazy.Region{out}
}

// Compute implements lazy.Op: along z, then y, then x, in real numbers.
func (o resampling) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	if o.nearest && dst.DType == src[0].DType {
		return o.pick(ctx, dst, src[0])
	}
	in, r, s := reals(src[0]), dst.Region, src[0].Region
	n := s.Len(lazy.X)
	line, out := make([]float64, n), make([]float64, r.Len(lazy.X))
	type place struct {
		first, second int
		share         float64
	}
	// The source block ends where the image does, or beyond all that is looked at: no position is clamped that should not be.
	along := make([]place, len(out))
	for i := range along {
		f, g, w := o.at(lazy.X, r.Min[lazy.X]+i, s.Max[lazy.X])
		along[i] = place{f - s.Min[lazy.X], g - s.Min[lazy.X], w}
	}
	for row := range r.With(lazy.X, r.Min[lazy.X], r.Min[lazy.X]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := row.Min
		z0, z1, wz := o.at(lazy.Z, i[lazy.Z], s.Max[lazy.Z])
		y0, y1, wy := o.at(lazy.Y, i[lazy.Y], s.Max[lazy.Y])
		part := func(z, y int) []float64 {
			return in[src[0].Offset(lazy.Index{i[lazy.T], z, i[lazy.C], y, s.Min[lazy.X]}):][:n]
		}
		a, b, c, d := part(z0, y0), part(z1, y0), part(z0, y1), part(z1, y1)
		for k := range line {
			line[k] = mixed(mixed(a[k], b[k], wz), mixed(c[k], d[k], wz), wy)
		}
		for k, p := range along {
			out[k] = mixed(line[p.first], line[p.second], p.share)
		}
		write(dst, dst.Offset(i), out)
	}
	return nil
}

// mixed is what lies between two values, so far from the first to the second; the first itself at 0, whatever the other is.
func mixed(a, b, share float64) float64 {
	if share == 0 {
		return a
	}
	return float64(a*(1-share)) + float64(b*share)
}

// pick copies the nearest voxels.
func (o resampling) pick(ctx context.Context, dst, src *lazy.Block) error {
	size, from, to := dst.DType.Size(), src.Bytes(), dst.Bytes()
	s := src.Region
	for row := range dst.Region.With(lazy.X, dst.Region.Min[lazy.X], dst.Region.Min[lazy.X]+1).Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := row.Min
		at := i
		at[lazy.Z], _, _ = o.at(lazy.Z, i[lazy.Z], s.Max[lazy.Z])
		at[lazy.Y], _, _ = o.at(lazy.Y, i[lazy.Y], s.Max[lazy.Y])
		t := dst.Offset(i) * size
		for k := range dst.Region.Len(lazy.X) {
			at[lazy.X], _, _ = o.at(lazy.X, i[lazy.X]+k, s.Max[lazy.X])
			f := src.Offset(at) * size
			copy(to[t+k*size:][:size], from[f:])
		}
	}
	return nil
}

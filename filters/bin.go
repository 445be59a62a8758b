package filters

import (
	"fmt"

	"lamella/lazy"
)

// bin joins boxes of voxels to one. What is left at the far ends and fills no box is left out, as ImageJ and the
// cameras do. Label images keep the first voxel of each box whatever is asked for: a mean of labels is no label.
var bin = Spec{
	Name: "bin", Title: "Bin", Moves: true,
	Doc:       "Joins boxes of voxels to one larger voxel each: their mean, sum, greatest or least value.",
	Reference: "skimage.measure.block_reduce on an image cut to whole boxes",
	Params: []Param{
		{Name: "size", Kind: Integer, PerAxis: true, Default: "2", Min: 1, Max: 1024, Unit: "voxels", Doc: "of a box; 1 leaves an axis alone"},
		{Name: "how", Kind: Choice, Default: "mean", Choices: []string{"mean", "sum", "max", "min"}, Doc: "what becomes of the voxels of a box; a sum gives float32"},
		dtypeParam,
	},
	build: buildBin,
}

func buildBin(a lazy.Array, v values) (lazy.Array, error) {
	m := a.Meta()
	size, err := v.perAxis("size")
	if err != nil {
		return lazy.Array{}, err
	}
	op := binning{how: v.text["how"], out: m.DType}
	for ax := range lazy.Axis(lazy.Rank) {
		op.size[ax] = 1
		if n := int(size[ax]); n > 1 && m.Shape[ax] > 1 {
			if op.size[ax] = n; n > m.Shape[ax] {
				return lazy.Array{}, fmt.Errorf("size=%s: a box of %d is longer than the image along %v, which has %d voxels", v.text["size"], n, ax, m.Shape[ax])
			}
		}
	}
	if m.Labels {
		for _, ax := range space {
			whole := m.Shape[ax] / op.size[ax] * op.size[ax]
			if a, err = lazy.Slice(a, ax, 0, whole); err == nil {
				a, err = lazy.Every(a, ax, op.size[ax])
			}
			if err != nil {
				return lazy.Array{}, err
			}
		}
		return cast(a, v.dtype(m.DType))
	}
	own := m.DType
	if op.how == "sum" {
		if own = lazy.F32; m.DType.Size() == 8 {
			own = lazy.F64
		}
	}
	out := v.dtype(own)
	if op.out = out; out != m.DType && !out.Float() {
		op.out = lazy.F64 // rounded once, at the end
	}
	if a, err = lazy.Apply(op, a); err != nil {
		return lazy.Array{}, err
	}
	return cast(a, out)
}

// A binning is the op of bin. It implements lazy.Op.
type binning struct {
	size lazy.Shape
	how  string
	out  lazy.DType
}

// Name implements lazy.Op.
func (o binning) Name() string { return "bin " + o.how }

// Key implements lazy.Op.
func (o binning) Key() string { return fmt.Sprintf("bin %v %s %v", o.size, o.how, o.out) }

// Border implements lazy.Op: nothing is looked at beyond the image.
func (o binning) Border() lazy.Border { return lazy.Border{} }

// Infer implements lazy.Op. A box's centre is that of its voxels.
func (o binning) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = o.out
	for a, n := range o.size {
		m.Shape[a] /= n
		m.Chunk[a] = min(m.Shape[a], max(1, m.Chunk[a]/n))
		m.Origin[a] += m.Scale[a] * float64(n-1) / 2
		m.Scale[a] *= float64(n)
	}
	return m, nil
}

// Need implements lazy.Op.
func (o binning) Need(out lazy.Region, _ []lazy.Meta) []lazy.Region {
	for a, n := range o.size {
		out.Min[a], out.Max[a] = out.Min[a]*n, out.Max[a]*n
	}
	return []lazy.Region{out}
}

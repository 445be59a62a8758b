package lazy

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Concat is arrays one after another along an axis; along C it stacks channels. They must have one type, and
// one shape but for the axis. The result lies where the first of them lies; a scale that they do not agree
// on is not known. A tile asks only those arrays for anything that it lies in.
func Concat(ax Axis, parts ...Array) (Array, error) {
	switch len(parts) {
	case 0:
		return Array{}, errors.New("lazy: concatenating: expected an array or more, found none")
	case 1:
		return parts[0], nil
	}
	c := concat{axis: ax, starts: []int{0}}
	for _, p := range parts {
		c.starts = append(c.starts, c.starts[len(c.starts)-1]+p.Meta().Shape[ax])
	}
	return Apply(c, parts...)
}

// A concat is the op of Concat. Array i lies in starts[i] up to starts[i+1].
type concat struct {
	axis   Axis
	starts []int
}

// Name implements Op.
func (c concat) Name() string { return "concatenate " + c.axis.String() }

// Key implements Op.
func (c concat) Key() string { return c.Name() }

// Border implements Op. Nothing is looked at beyond the arrays.
func (c concat) Border() Border { return Border{} }

// Infer implements Op.
func (c concat) Infer(in []Meta) (Meta, error) {
	m := in[0]
	for n, other := range in[1:] {
		if other.DType != m.DType {
			return Meta{}, fmt.Errorf("lazy: concatenating along %v: array %d is %v, and the first %v: cast one of them", c.axis, n+2, other.DType, m.DType)
		}
		for a := range Rank {
			if Axis(a) != c.axis && other.Shape[a] != m.Shape[a] {
				return Meta{}, fmt.Errorf("lazy: concatenating along %v: array %d has %d voxels along %v, and the first %d", c.axis, n+2, other.Shape[a], Axis(a), m.Shape[a])
			}
			if math.Abs(other.Scale[a]-m.Scale[a]) > 1e-6*m.Scale[a] {
				m.Scale[a] = 0
			}
		}
		m.Labels = m.Labels && other.Labels
	}
	m.Shape[c.axis] = c.starts[len(c.starts)-1]
	return m, nil
}

// Need implements Op: of each array what it holds of the region, which may be nothing.
func (c concat) Need(out Region, in []Meta) []Region {
	need := make([]Region, len(in))
	for n := range in {
		need[n] = c.within(out, n)
	}
	return need
}

// within is the part of a region that lies in array n, in the array's own indices.
func (c concat) within(out Region, n int) Region {
	lo, hi := max(out.Min[c.axis], c.starts[n]), min(out.Max[c.axis], c.starts[n+1])
	if lo >= hi {
		return Region{}
	}
	return out.With(c.axis, lo-c.starts[n], hi-c.starts[n])
}

// Compute implements Op.
func (c concat) Compute(ctx context.Context, dst *Block, src []*Block) error {
	for n, b := range src {
		if b.Region.Empty() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r := b.Region.With(c.axis, b.Region.Min[c.axis]+c.starts[n], b.Region.Max[c.axis]+c.starts[n])
		CopyRegion(dst, NewBlockIn(b.Memory(), r, b.DType), r)
	}
	return nil
}

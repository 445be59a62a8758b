package loadertest

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// Read gives the voxels of r the plain way: sources by their grains, one after the other, and ops
// whole. It is the reference that tests hold drivers against, so it has no cache and no threads.
func Read(ctx context.Context, a lazy.Array, r lazy.Region) (*lazy.Block, error) {
	return read(ctx, a.Node(), r)
}

func read(ctx context.Context, n *lazy.Node, r lazy.Region) (*lazy.Block, error) {
	if !n.Meta.Shape.Whole().Contains(r) || r.Empty() {
		return nil, fmt.Errorf("loadertest: %v of an array of shape %v", r, n.Meta.Shape)
	}
	if n.Source != nil {
		return gather(ctx, n.Source, r)
	}
	var in []*lazy.Block
	for i, need := range n.Op.Need(r, n.InMetas()) {
		g := lazy.NewGather(need, n.In[i].Meta.DType, n.In[i].Meta.Shape, n.Op.Border())
		for part := range n.Op.Border().Inside(need, n.In[i].Meta.Shape) {
			b, err := read(ctx, n.In[i], part)
			if err != nil {
				return nil, err
			}
			g.Add(b)
		}
		in = append(in, g.Dst)
	}
	dst := lazy.NewBlock(r, n.Meta.DType)
	return dst, n.Op.Compute(ctx, dst, in)
}

// gather reads the grains of a source that r touches.
func gather(ctx context.Context, s lazy.Source, r lazy.Region) (*lazy.Block, error) {
	m := s.Meta()
	dst := dirty(r, m.DType)
	for g := range lazy.Grains(s, r) {
		want := g.Intersect(r)
		b := dst
		if g != r {
			b = dirty(g, m.DType)
		}
		if _, err := s.Read(ctx, b); err != nil {
			return nil, err
		}
		if b != dst {
			lazy.CopyRegion(dst, b, want)
		}
	}
	return dst, nil
}

// dirty is a block as a source is given it: one that may hold anything.
func dirty(r lazy.Region, d lazy.DType) *lazy.Block {
	b := lazy.NewBlock(r, d)
	raw := b.Bytes()
	for i := range raw {
		raw[i] = 0xa5
	}
	return b
}

// grain is the part that s decodes for r, which lies within one chunk, or all of those together.
func grain(s lazy.Source, r lazy.Region) lazy.Region {
	var all lazy.Region
	for g := range lazy.Grains(s, r) {
		if all.Empty() {
			all = g
		}
		for a := range lazy.Rank {
			all.Min[a], all.Max[a] = min(all.Min[a], g.Min[a]), max(all.Max[a], g.Max[a])
		}
	}
	return all
}

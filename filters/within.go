package filters

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// within is the result of a filter of several steps under the border's rule "blank": 0 wherever the filter
// as a whole would look beyond the edge, which no step of it knows alone. Under other rules it is a itself.
func within(a lazy.Array, reach lazy.Halo, edge lazy.Border) (lazy.Array, error) {
	if edge.Mode != lazy.Blank || reach == (lazy.Halo{}) {
		return a, nil
	}
	return lazy.Apply(frame{reach}, a)
}

// A frame is an op that copies, and blanks a margin as wide as its reach.
type frame struct{ reach lazy.Halo }

func (f frame) Name() string        { return "blank margin" }
func (f frame) Key() string         { return fmt.Sprint("blank margin ", f.reach) }
func (f frame) Border() lazy.Border { return lazy.Border{Mode: lazy.Blank} }

func (f frame) Infer(in []lazy.Meta) (lazy.Meta, error) { return in[0], nil }

// Need is the region itself, and one voxel beyond each edge that the margin touches: it takes no more to
// tell the engine what to blank, and a plane in the middle costs nothing but itself.
func (f frame) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	r, shape := out, in[0].Shape
	for a := range lazy.Rank {
		if out.Min[a] < f.reach.Before[a] {
			r.Min[a] = min(out.Min[a], 0) - 1
		}
		if out.Max[a]+f.reach.After[a] > shape[a] {
			r.Max[a] = max(out.Max[a], shape[a]) + 1
		}
	}
	return []lazy.Region{r}
}

func (f frame) Compute(_ context.Context, dst *lazy.Block, src []*lazy.Block) error {
	lazy.CopyRegion(dst, src[0], dst.Region)
	return nil
}

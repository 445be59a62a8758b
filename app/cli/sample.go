package cli

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/lazy/engine"
	"lamella/viewer"
)

// sampled is the most chunks of a channel that --stats-sample reads.
const sampled = 16

// channelStats describe some values of one channel. Least and Most are nil if none is finite.
type channelStats struct {
	Chunks    int         `json:"chunks"`
	Voxels    int         `json:"voxels"`
	NotFinite int         `json:"not_finite"`
	Least     *float64    `json:"min"`
	Most      *float64    `json:"max"`
	Mean      *float64    `json:"mean"`
	Limits    *[2]float64 `json:"limits"`
}

func (s channelStats) String() string {
	if s.Least == nil {
		return fmt.Sprintf("none of %d is finite", s.Voxels)
	}
	text := fmt.Sprintf("%g to %g, mean %.6g, limits %g to %g, of %d voxels", *s.Least, *s.Most, *s.Mean, s.Limits[0], s.Limits[1], s.Voxels)
	if s.NotFinite > 0 {
		text += fmt.Sprintf(", %d not finite", s.NotFinite)
	}
	return text
}

// sampleStats reads chunks spread evenly over the coarsest level of an image.
func sampleStats(ctx context.Context, e *engine.Engine, img lazy.Image) ([]channelStats, error) {
	a := img.Levels[len(img.Levels)-1].Array
	m := a.Meta()
	var all []channelStats
	for c := range m.Shape[lazy.C] {
		channel := m.Shape.Whole().With(lazy.C, c, c+1)
		grid := m.Chunk
		grid[lazy.C] = 1
		blocks, err := readSome(ctx, e, a, channel, grid)
		if err != nil {
			return nil, err
		}
		all = append(all, statsOf(blocks))
	}
	return all, nil
}

func readSome(ctx context.Context, e *engine.Engine, a lazy.Array, r lazy.Region, grid lazy.Shape) ([]*lazy.Block, error) {
	total := r.Cells(grid)
	var blocks []*lazy.Block
	for k := range min(sampled, total) {
		cell := cellAt(r, grid, k*total/min(sampled, total)).Intersect(r)
		b, _, err := e.Get(ctx, a, cell, engine.Priority{})
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// cellAt is the n-th cell of a grid that r touches, in storage order, found without visiting the
// ones before it.
func cellAt(r lazy.Region, grid lazy.Shape, n int) lazy.Region {
	first := lazy.Cell(r.Min, grid)
	at := r.Min
	for a := lazy.Rank - 1; a >= 0; a-- {
		cells := (r.Max[a] - first.Min[a] + grid[a] - 1) / grid[a]
		at[a] = first.Min[a] + n%cells*grid[a]
		n /= cells
	}
	return lazy.Cell(at, grid)
}

func statsOf(blocks []*lazy.Block) channelStats {
	s := channelStats{Chunks: len(blocks)}
	least, most, sum, finite := math.Inf(1), math.Inf(-1), 0., 0
	for _, b := range blocks {
		s.Voxels += b.Len()
		for at := range b.Region.Tiles(lazy.Shape{1, 1, 1, 1, 1}) {
			v := b.Value(at.Min)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				s.NotFinite++
				continue
			}
			least, most, sum, finite = min(least, v), max(most, v), sum+v, finite+1
		}
	}
	if finite == 0 {
		return s
	}
	mean := sum / float64(finite)
	s.Least, s.Most, s.Mean = &least, &most, &mean
	if limits, ok := viewer.Find(joined(blocks), viewer.Rule{Kind: viewer.Robust}); ok {
		s.Limits = &[2]float64{limits.Low, limits.High}
	}
	return s
}

// joined is one row of the values of all blocks.
func joined(blocks []*lazy.Block) *lazy.Block {
	n := 0
	for _, b := range blocks {
		n += b.Len()
	}
	row := lazy.NewBlock(lazy.Shape{1, 1, 1, 1, n}.Whole(), blocks[0].DType)
	bytes := row.Bytes()
	for _, b := range blocks {
		bytes = bytes[copy(bytes, b.Bytes()):]
	}
	return row
}

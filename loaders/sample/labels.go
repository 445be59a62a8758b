package sample

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// labels are the nuclei of the cells, each voxel with the number of the nucleus that it lies in, or 0: what a good segmentation
// of the DAPI channel would find.
type labels struct{ cells }

func newLabels(c cells) labels {
	c.meta.Shape[lazy.C], c.meta.Labels = 1, true
	return labels{c}
}

// ID names the voxels; it changes when the picture does.
func (l labels) ID() string { return fmt.Sprintf("sample:labels 1 seed %d", cellsSeed) }

// Read numbers the voxels of dst strip by strip.
func (l labels) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	for strip := range dst.Region.Tiles(stripShape) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		strip = strip.Intersect(dst.Region)
		v := view{t: l.tissue, x0: strip.Min[lazy.X], width: strip.Len(lazy.X), low: placeOf(strip.Min), high: placeOf(lastOf(strip))}
		number := v.numbers()
		for at := strip.Min; at[lazy.Y] < strip.Max[lazy.Y]; at[lazy.Y]++ {
			number(lazy.View[uint16](dst)[dst.Offset(at):][:v.width], at[lazy.Y])
		}
	}
	return 0, nil
}

// numbers numbers the nuclei: they count through all cells, whatever of them is in view. Where two meet the deeper one is taken.
func (v view) numbers() func(row []uint16, y int) {
	type numbered struct {
		nucleus
		number uint16
	}
	var near []numbered
	number := uint16(0)
	for _, c := range v.t.cells {
		if c.place != wall {
			continue
		}
		number++
		if least, _ := v.nearTo(c.nucleus.centre); least < 3.4 {
			near = append(near, numbered{c.nucleus, number})
		}
	}
	return func(row []uint16, y int) {
		for i := range row {
			p := point{v.low[0], float32(y) * stepXY, float32(v.x0+i) * stepXY}
			row[i] = 0
			deepest := float32(1)
			for k := range near {
				if r2 := near[k].within(p); r2 < deepest {
					deepest, row[i] = r2, near[k].number
				}
			}
		}
	}
}

// within is the squared distance of p from the centre, in radii.
func (n *nucleus) within(p point) float32 {
	from, square := p.minus(n.centre), float32(0)
	for _, axis := range n.axes {
		c := axis.dot(from)
		square += c * c
	}
	return square
}

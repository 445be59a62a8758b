package sample

import (
	"math"

	"lamella/lazy"
)

// A point is a place in µm, or a vector: z, y, x.
type point [3]float32

func (p point) minus(q point) point { return point{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }
func (p point) dot(q point) float32 { return p[0]*q[0] + p[1]*q[1] + p[2]*q[2] }

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// A place says what a seed's surroundings are.
type place uint8

const (
	outside place = iota // the gel around the cyst
	wall                 // a cell
	lumen                // the hollow in the middle
)

// A cell is a seed of the tissue: every point belongs to the nearest seed. Seeds in the gel and
// in the hollow are no cells, but give the cells beside them their outer faces.
type cell struct {
	at         point
	place      place
	nucleus    nucleus
	expression float32 // of RNA, 0 to 1
}

// A tissue is all seeds, in a fixed order.
type tissue struct{ cells []cell }

var cystCentre = point{15.5, 25.6, 25.6}

// cyst tells how far p is from the centre of the cyst, where 1 is its surface, and how far from
// the middle of its hollow, likewise.
func cyst(p point) (outer, inner float32) {
	d := p.minus(cystCentre)
	turn := math.Atan2(float64(d[1]), float64(d[2]))
	lobes := 1 + 0.07*float32(math.Sin(2*turn+0.6)) + 0.05*float32(math.Sin(3*turn-1))
	z, y, x := d[0]/17, d[1]/(22.5*lobes), d[2]/(23.5*lobes)
	outer = sqrt(z*z + y*y + x*x)
	z, y, x = d[0]/8, (d[1]-1)/8.5, (d[2]+1.5)/(7*lobes)
	return outer, sqrt(z*z + y*y + x*x)
}

// growTissue throws seeds at random and keeps those that are not too near to an earlier one.
func growTissue() tissue {
	const nearest, nearestEmpty = 6.4, 4.2 // µm
	var t tissue
	d := dice{cellsSeed}
throw:
	for range 7000 {
		p := point{d.roll(-7, 39), d.roll(-5, 56), d.roll(-5, 56)}
		outer, inner := cyst(p)
		if outer > 1.35 || inner < 0.4 {
			continue // no cell would touch it
		}
		c := cell{at: p, place: wall, expression: d.roll(0.05, 1)}
		c.expression *= c.expression
		switch {
		case outer > 1:
			c.place = outside
		case inner < 1:
			c.place = lumen
		}
		for k := range t.cells {
			o := &t.cells[k]
			if dz := p[0] - o.at[0]; dz*dz > nearest*nearest {
				continue
			}
			apart := float32(nearest)
			if c.place != wall && o.place != wall {
				apart = nearestEmpty // more of them make a smoother surface
			}
			if q := p.minus(o.at); q.dot(q) < apart*apart {
				continue throw
			}
		}
		c.nucleus = growNucleus(p, mix(d.state))
		t.cells = append(t.cells, c)
	}
	return t
}

// painter prepares what touches a strip, which lies in one plane and one channel, and gives the
// function that adds the signal of one of its rows.
func (t tissue) painter(strip lazy.Region) func(row []float32, y int) {
	v := view{t: t, x0: strip.Min[lazy.X], width: strip.Len(lazy.X), low: placeOf(strip.Min), high: placeOf(lastOf(strip))}
	switch strip.Min[lazy.C] {
	case 0:
		return v.nuclei()
	case 1:
		return v.actin()
	}
	return v.rna()
}

func placeOf(i lazy.Index) point {
	return point{float32(i[lazy.Z]) * stepZ, float32(i[lazy.Y]) * stepXY, float32(i[lazy.X]) * stepXY}
}

// A view is a strip of the tissue: a box between two voxel centres.
type view struct {
	t         tissue
	x0, width int // voxels
	low, high point
}

// nearTo is the least and the greatest distance of p from the points of the view.
func (v view) nearTo(p point) (least, greatest float32) {
	var near, far float32
	for a := range p {
		before, after := v.low[a]-p[a], p[a]-v.high[a]
		n := max(before, after, 0)
		f := max(-before, -after)
		near += n * n
		far += f * f
	}
	return sqrt(near), sqrt(far)
}

// holds reports whether p lies in the box.
func (v view) holds(p point) bool {
	for a := range p {
		if p[a] < v.low[a] || p[a] > v.high[a] {
			return false
		}
	}
	return true
}

// line is room for one row.
func (v view) line() []float32 { return make([]float32, v.width) }

// glow adds the light that a strip gets from all of the tissue.
func (v view) glow(row []float32, y int, strength float32) {
	dz, dy := (v.low[0]-cystCentre[0])/24, (float32(y)*stepXY-cystCentre[1])/30
	for i := range row {
		dx := (float32(v.x0+i)*stepXY - cystCentre[2]) / 30
		if in := 1 - dz*dz - dy*dy - dx*dx; in > 0 {
			row[i] += strength * in * in
		}
	}
}

package sample

import (
	"math"
	"slices"
)

// Borders between cells bend: a place belongs to the cell whose seed is nearest to where the place
// is after it has been moved by up to half of bend along y and x.
const bend = 1.0 // µm

var bendY, bendX = cloud{21, 2.6}, cloud{22, 2.6}

// neighbours are the cells that some places of a view lie in or near. Instead of a squared distance
// |p - c|² they compare |c|² - 2 p·c, which differs from it by |p|² alone and is linear in p.
type neighbours struct {
	cells          []*cell
	base, onY, onX []float32 // the linear function of each cell at the view's z
}

// neighbours finds every cell that is nearest, or within margin of being nearest, for some place
// of the view; other cells may be left out.
func (v view) neighbours(margin float32) neighbours {
	const moved = bend * math.Sqrt2 // by how much both distances may be off
	reach := float32(math.MaxFloat32)
	for k := range v.t.cells {
		_, far := v.nearTo(v.t.cells[k].at)
		reach = min(reach, far)
	}
	var n neighbours
	for k := range v.t.cells {
		c := &v.t.cells[k]
		if near, _ := v.nearTo(c.at); near > reach+margin+moved {
			continue
		}
		at, here := c.at.minus(cystCentre), v.low[0]-cystCentre[0]
		n.cells = append(n.cells, c)
		n.base = append(n.base, at.dot(at)-2*here*at[0])
		n.onY = append(n.onY, -2*at[1])
		n.onX = append(n.onX, -2*at[2])
	}
	return n
}

// any reports whether one of them is of a kind.
func (n *neighbours) any(kind place) bool {
	return slices.ContainsFunc(n.cells, func(c *cell) bool { return c.place == kind })
}

// owner is the number of the cell that a bent place lies in. It leaves each cell's function in
// score, which must be as long as cells.
func (n *neighbours) owner(score []float32, y, x float32) int {
	y, x = y-cystCentre[1], x-cystCentre[2]
	best := 0
	onY, onX, score := n.onY[:len(n.base)], n.onX[:len(n.base)], score[:len(n.base)]
	least := float32(math.MaxFloat32)
	for k, b := range n.base {
		s := b + y*onY[k] + x*onX[k]
		score[k] = s
		if s < least {
			best, least = k, s
		}
	}
	return best
}

// around is the cell that a place of the view lies in, at any z.
func (n *neighbours) around(p point) *cell {
	moved := point{p[0], p[1] + bend*(bendY.at(p)-0.5), p[2] + bend*(bendX.at(p)-0.5)}
	var best *cell
	least := float32(math.MaxFloat32)
	for _, c := range n.cells {
		if d := moved.minus(c.at); d.dot(d) < least {
			best, least = c, d.dot(d)
		}
	}
	return best
}

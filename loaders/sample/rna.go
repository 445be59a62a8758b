package sample

// Molecules of RNA stand in the cells of a lattice, at most one in each.
const (
	spotLattice = 1.05 // µm
	spotReachXY = 0.34 // µm, of one molecule's light
	spotReachZ  = 1.25
	rnaGlow     = 60
)

type spot struct {
	at         point
	brightness float32
}

// rna paints single molecules, more of them in cells that express the gene more, and the glow of
// the plasma.
func (v view) rna() func(row []float32, y int) {
	n := v.neighbours(2) // reaches further than the light of a molecule
	if !n.any(wall) {
		return func(row []float32, y int) { v.glow(row, y, rnaGlow) }
	}
	spots := v.spots()
	plasma := cloud{31, 0.7}
	score := make([]float32, len(n.cells))
	by, bx, pl := v.line(), v.line(), v.line()
	return func(row []float32, y int) {
		v.glow(row, y, rnaGlow)
		z, yy := v.low[0], float32(y)*stepXY
		bendY.row(by, z, yy, v.x0)
		bendX.row(bx, z, yy, v.x0)
		plasma.row(pl, z, yy, v.x0)
		for i := range row {
			k := n.owner(score, yy+bend*(by[i]-0.5), float32(v.x0+i)*stepXY+bend*(bx[i]-0.5))
			if c := n.cells[k]; c.place == wall {
				row[i] += 20 + (40+130*c.expression)*pl[i]
			}
		}
		for _, s := range spots {
			s.paint(row, z, yy, v.x0)
		}
	}
}

func (s spot) paint(row []float32, z, y float32, x0 int) {
	dz, dy := (z-s.at[0])/spotReachZ, (y-s.at[1])/spotReachXY
	if dz*dz+dy*dy >= 1 {
		return
	}
	from := max(0, int((s.at[2]-spotReachXY)/stepXY)-x0)
	to := min(len(row), int((s.at[2]+spotReachXY)/stepXY)+2-x0)
	for i := from; i < to; i++ {
		dx := (float32(x0+i)*stepXY - s.at[2]) / spotReachXY
		if in := 1 - dz*dz - dy*dy - dx*dx; in > 0 {
			row[i] += s.brightness * in * in
		}
	}
}

// spots are the molecules whose light falls on the view.
func (v view) spots() []spot {
	reach := point{spotReachZ, spotReachXY, spotReachXY}
	var low, high [3]int
	wide := v // holds every molecule that can be seen
	for a := range reach {
		wide.low[a], wide.high[a] = v.low[a]-reach[a], v.high[a]+reach[a]
		low[a], _ = lattice(wide.low[a] / spotLattice)
		high[a], _ = lattice(wide.high[a] / spotLattice)
	}
	near := wide.neighbours(0)
	var found []spot
	for kz := low[0]; kz <= high[0]; kz++ {
		for ky := low[1]; ky <= high[1]; ky++ {
			for kx := low[2]; kx <= high[2]; kx++ {
				d := dice{hash(cellsSeed+1, kz, ky, kx)}
				s := spot{at: point{
					(float32(kz-latticeZero) + d.roll(0, 1)) * spotLattice,
					(float32(ky-latticeZero) + d.roll(0, 1)) * spotLattice,
					(float32(kx-latticeZero) + d.roll(0, 1)) * spotLattice,
				}, brightness: d.roll(400, 1700)}
				chance := d.roll(0, 1)
				if chance >= 0.6 || !wide.holds(s.at) {
					continue // the likelier one saves most searches: no cell has more than 0.58
				}
				if c := near.around(s.at); c.place == wall && chance < 0.03+0.55*c.expression {
					found = append(found, s)
				}
			}
		}
	}
	return found
}

package sample

const (
	faceWidth = 0.26 // half the thickness of a cell's face as seen, in µm
	faceHaze  = 1.2  // reach of its light, in µm
	actinGlow = 110
)

// faceBrightness is of the face between cells and what lies beyond: epithelia carry most actin
// on the side of the hollow.
var faceBrightness = [3][3]float32{
	outside: {wall: 780},
	wall:    {outside: 780, wall: 620, lumen: 1750},
	lumen:   {wall: 1750},
}

// A face is the border of one cell with another.
type face struct {
	beyond     int // number of the other cell
	brightness float32
	perScore   float32 // turns a difference of scores into the distance from the face, in µm
}

// actin paints the faces between the cells of the tissue, and a little in their plasma.
func (v view) actin() func(row []float32, y int) {
	n := v.neighbours(2 * faceHaze)
	if !n.any(wall) {
		return func(row []float32, y int) { v.glow(row, y, actinGlow) }
	}
	faces := n.faces()
	patches, grain := cloud{23, 0.9}, cloud{24, 0.33}
	score := make([]float32, len(n.cells))
	by, bx, pa, gr := v.line(), v.line(), v.line(), v.line()
	return func(row []float32, y int) {
		v.glow(row, y, actinGlow)
		z, yy := v.low[0], float32(y)*stepXY
		bendY.row(by, z, yy, v.x0)
		bendX.row(bx, z, yy, v.x0)
		patches.row(pa, z, yy, v.x0)
		grain.row(gr, z, yy, v.x0)
		for i := range row {
			k := n.owner(score, yy+bend*(by[i]-0.5), float32(v.x0+i)*stepXY+bend*(bx[i]-0.5))
			texture := 0.5 + 0.6*pa[i] + 0.5*gr[i]
			light := float32(0)
			if n.cells[k].place == wall {
				light = 40 + 170*pa[i]*gr[i]
			}
			for _, f := range faces[k] {
				e := (score[f.beyond] - score[k]) * f.perScore
				if h := 1 - e*e*(1/(faceHaze*faceHaze)); h > 0 {
					light += 0.18 * f.brightness * h * h * h
					if s := 1 - e*e*(1/(faceWidth*faceWidth)); s > 0 {
						light += f.brightness * texture * s * s
					}
				}
			}
			row[i] += light
		}
	}
}

// faces lists, for each cell, its faces that carry actin.
func (n *neighbours) faces() [][]face {
	all := make([][]face, len(n.cells))
	for i, c := range n.cells {
		for j, o := range n.cells {
			bright := faceBrightness[c.place][o.place]
			if i == j || bright == 0 {
				continue
			}
			d := c.at.minus(o.at)
			all[i] = append(all[i], face{j, bright, 1 / (2 * sqrt(d.dot(d)))})
		}
	}
	return all
}

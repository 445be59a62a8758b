package sample

import "math"

// A nucleus is an ellipsoid of chromatin with dark nucleoli in it.
type nucleus struct {
	centre     point
	axes       [3]point // unit vectors divided by the radii
	brightness float32
	nucleoli   []nucleolus
}

type nucleolus struct {
	centre point
	radius float32
}

// hazeReach is how far the light of a nucleus reaches, in its radii.
const hazeReach = 2.6

// growNucleus makes the nucleus of the cell around p. One in fourteen is in metaphase: a dense
// plate without nucleoli.
func growNucleus(p point, seed uint64) nucleus {
	d := dice{seed}
	n := nucleus{brightness: d.roll(750, 1250)}
	radii := point{d.roll(2.2, 2.8), d.roll(2.3, 2.9), d.roll(2.6, 3.4)}
	for a := range p {
		n.centre[a] = p[a] + d.roll(-0.5, 0.5)
	}
	if d.roll(0, 1) < 1./14 {
		radii = point{2.5, 0.75, 2.7}
		n.brightness = 2300
	} else {
		for range 1 + int(d.roll(0, 3)) {
			var o nucleolus
			for a := range o.centre {
				o.centre[a] = n.centre[a] + d.roll(-1.3, 1.3)
			}
			o.radius = d.roll(0.7, 1.15)
			n.nucleoli = append(n.nucleoli, o)
		}
	}
	n.axes = turned(radii, d.roll(0, 2*math.Pi), d.roll(-0.6, 0.6))
	return n
}

// turned are the axes of an ellipsoid turned about z, then tilted about y, each divided by its radius.
func turned(radii point, about, tilt float32) [3]point {
	sin, cos := math.Sincos(float64(about))
	s, c := float32(sin), float32(cos)
	sin, cos = math.Sincos(float64(tilt))
	ts, tc := float32(sin), float32(cos)
	axes := [3]point{{tc, -ts * s, -ts * c}, {0, c, -s}, {ts, tc * s, tc * c}}
	for a := range axes {
		for i := range axes[a] {
			axes[a][i] /= radii[a]
		}
	}
	return axes
}

// nuclei paints the DAPI channel.
func (v view) nuclei() func(row []float32, y int) {
	var near []nucleus
	for _, c := range v.t.cells {
		if least, _ := v.nearTo(c.nucleus.centre); c.place == wall && least < 3.4*hazeReach {
			near = append(near, c.nucleus)
		}
	}
	fine, coarse, outline := cloud{11, 0.42}, cloud{12, 1.1}, cloud{13, 1.9}
	f, g, o := v.line(), v.line(), v.line()
	return func(row []float32, y int) {
		v.glow(row, y, 130)
		z, yy := v.low[0], float32(y)*stepXY
		fine.row(f, z, yy, v.x0)
		coarse.row(g, z, yy, v.x0)
		outline.row(o, z, yy, v.x0)
		for k := range near {
			near[k].paint(row, z, yy, v.x0, f, g, o)
		}
	}
}

// paint adds the nucleus to a row. fine and coarse are its texture, outline makes it uneven.
func (n *nucleus) paint(row []float32, z, y float32, x0 int, fine, coarse, outline []float32) {
	// Along a row the squared distance in radii is a parabola: square + 2 slope x + bend x².
	from := point{z, y, 0}.minus(n.centre)
	var square, slope, bend float32
	for _, axis := range n.axes {
		c := axis.dot(from)
		square += c * c
		slope += c * axis[2]
		bend += axis[2] * axis[2]
	}
	if square-slope*slope/bend > hazeReach*hazeReach {
		return
	}
	for i := range row {
		x := float32(x0+i) * stepXY
		r2 := square + x*(2*slope+x*bend)
		if r2 >= hazeReach*hazeReach {
			continue
		}
		h := 1 - r2*(1/(hazeReach*hazeReach))
		light := 0.16 * h * h * h
		r2 *= 1.25 - 0.5*outline[i]
		if r2 < 1.16 {
			texture := 0.22 + 0.95*fine[i]*coarse[i] + 0.62*coarse[i]
			if dense := fine[i] - 0.72; dense > 0 {
				texture += 2.2 * dense // clumps of heterochromatin
			}
			texture += 0.3 * ramp(0.55, 0.95, r2) // and of the rim
			light += texture * n.open(z, y, x) * (1 - ramp(0.84, 1.16, r2))
		}
		row[i] += n.brightness * light
	}
}

// open is how much chromatin the nucleoli leave at a place, from 0.2 to 1.
func (n *nucleus) open(z, y, x float32) float32 {
	left := float32(1)
	for _, o := range n.nucleoli {
		d := point{z, y, x}.minus(o.centre)
		if in := 1 - d.dot(d)/(o.radius*o.radius); in > 0 {
			left *= 1 - 0.8*ramp(0, 0.55, in)
		}
	}
	return left
}

// ramp rises smoothly from 0 at low to 1 at high.
func ramp(low, high, x float32) float32 {
	u := max(0, min(1, (x-low)/(high-low)))
	return u * u * (3 - 2*u)
}

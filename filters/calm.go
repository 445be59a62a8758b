package filters

import (
	"math"

	"lamella/lazy"
)

// leastCalm bounds what total variation divides by, so that it stays positive whatever its weight.
const leastCalm = 0.1

// slopes are the rows that the total variation of one row is made of: the unit vectors along the gradient.
type slopes struct{ here, above, below [3][]float32 }

// calmDown finds what total variation with weight λ multiplies each voxel by beside the data's factor:
// 1 / (1 - λ div(∇u/|∇u|)), which wears down what stands alone and keeps edges. Dey and others, Microscopy Research
// and Technique 69 (2006) 260. Lengths are in voxels of the finest axis.
func (l *lucy) calmDown() error {
	if l.smooth == 0 {
		return nil
	}
	if l.calm == nil {
		l.calm = lazy.Borrow[float32](l.ctx, len(l.estimate))
	}
	ys, nx := l.field.estimate[1], l.field.estimate[2].Max
	return l.planes(l.field.estimate[0], func(h *hand, z int) {
		s := &h.slope
		for y := ys.Min; y < ys.Max; y++ {
			s.here, s.above = s.above, s.here
			l.slopesOf(&s.here, z, y)
			if z > 0 {
				l.slopesOf(&s.below, z-1, y)
			}
			out := row(l.calm, l.field.estimate, z, y)
			for x := range nx {
				div := s.here[2][x] / float32(l.thick[2])
				if x > 0 {
					div -= s.here[2][x-1] / float32(l.thick[2])
				}
				div += s.here[1][x] / float32(l.thick[1])
				if y > ys.Min {
					div -= s.above[1][x] / float32(l.thick[1])
				}
				div += s.here[0][x] / float32(l.thick[0])
				if z > 0 {
					div -= s.below[0][x] / float32(l.thick[0])
				}
				out[x] = 1 / max(leastCalm, 1-float32(float32(l.smooth)*div))
			}
		}
	})
}

// slopesOf are the gradient's components along z, y and x in a row, by differences to the next voxel, over its length;
// 0 where it is flat.
func (l *lucy) slopesOf(s *[3][]float32, z, y int) {
	part, nx := l.field.estimate, l.field.estimate[2].Max
	for a := range s {
		if s[a] == nil {
			s[a] = make([]float32, nx)
		}
	}
	u := row(l.estimate, part, z, y)
	nextZ, nextY := u, u
	if z+1 < part[0].Max {
		nextZ = row(l.estimate, part, z+1, y)
	}
	if y+1 < part[1].Max {
		nextY = row(l.estimate, part, z, y+1)
	}
	hz, hy, hx := 1/float32(l.thick[0]), 1/float32(l.thick[1]), 1/float32(l.thick[2])
	for x, v := range u {
		dz, dy, dx := (nextZ[x]-v)*hz, (nextY[x]-v)*hy, float32(0)
		if x+1 < nx {
			dx = (u[x+1] - v) * hx
		}
		length := float32(math.Sqrt(float64(float32(dz*dz) + float32(dy*dy) + float32(dx*dx))))
		if length == 0 {
			s[0][x], s[1][x], s[2][x] = 0, 0, 0
			continue
		}
		s[0][x], s[1][x], s[2][x] = dz/length, dy/length, dx/length
	}
}

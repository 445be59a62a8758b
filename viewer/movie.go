package viewer

import "lamella/lazy"

// A Movie is a figure that goes along an axis.
type Movie struct {
	Figure
	Axis     lazy.Axis // Z or T
	From, To int       // indices, both within; From may be the greater
	Rate     float64   // frames a second
	Back     bool      // and back again, so that it can go round without a jump
}

// Frames are the indices along the axis, in the order of the frames.
func (m Movie) Frames() []int {
	step := 1
	if m.To < m.From {
		step = -1
	}
	var all []int
	for i := m.From; i != m.To+step; i += step {
		all = append(all, i)
	}
	if m.Back {
		for i := len(all) - 2; i > 0; i-- {
			all = append(all, all[i])
		}
	}
	return all
}

package filters

import (
	"math"

	"lamella/filters/fft"
)

// A Progress says how far an iteration has brought a deconvolution, within the part of the image that is asked for.
type Progress struct {
	// Change is the light that the iteration moved, Σ|u - before|, as a part of all the light, Σu.
	Change float64
	// Divergence is what the data were from the estimate before the iteration, blurred again and with the background, in
	// grey values a voxel: Csiszár's I-divergence, Σ(d ln(d/m) - d + m), over the number of voxels. It falls with every
	// iteration that is not accelerated, and levels out where the rest is noise.
	Divergence float64
}

// A course is how a deconvolution goes, iteration by iteration. It sums by planes, each in one order, so that the
// numbers are the same with any number of processors.
type course struct {
	box                [3]fft.Span // of the field, where the course is followed
	moved, light, away []float64   // of each plane
	so                 []Progress
	enough             func([]Progress) bool // ends the iterations early; nil for never
}

func newCourse(f field, box [3]fft.Span) *course {
	n := f.estimate[0].Max
	return &course{box: box, moved: make([]float64, n), light: make([]float64, n), away: make([]float64, n)}
}

// has reports whether a row is followed.
func (c *course) has(z, y int) bool { return c != nil && c.box[0].Has(z) && c.box[1].Has(y) }

// compare takes in a row of data and of what is expected there; x0 is where they begin.
func (c *course) compare(z, x0 int, expected, data []float32, background float32) {
	sum := 0.0
	for x := c.box[2].Min - x0; x < c.box[2].Max-x0; x++ {
		m, d := float64(expected[x]+background), float64(data[x])
		switch {
		case !(m > 0) || !(d <= math.MaxFloat32): // nothing is said there
		case d > 0:
			sum += d*math.Log(d/m) - d + m
		default:
			sum += m
		}
	}
	c.away[z] += sum
}

// change takes in a row of the estimate before and after.
func (c *course) change(z int, before, now []float32) {
	moved, light := 0.0, 0.0
	for x := c.box[2].Min; x < c.box[2].Max; x++ {
		moved += math.Abs(float64(now[x]) - float64(before[x]))
		light += float64(now[x])
	}
	c.moved[z] += moved
	c.light[z] += light
}

// took ends an iteration, and reports whether it was the last that is needed.
func (c *course) took() bool {
	if c == nil {
		return false
	}
	p := Progress{Divergence: total(c.away) / float64(size(c.box))}
	if light := total(c.light); light > 0 {
		p.Change = total(c.moved) / light
	}
	c.so = append(c.so, p)
	clear(c.away)
	clear(c.moved)
	clear(c.light)
	return c.enough != nil && c.enough(c.so)
}

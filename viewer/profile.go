package viewer

import (
	"context"
	"math"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// A Profile is the values of one channel along a way.
type Profile struct {
	At     []float64 // how far along, in Unit
	Unit   string    // "µm", "s", or "px" where it is not known; "" counts planes from 1
	Values []float64
}

// pieces are the most samples of a line that one request covers, so that a long diagonal needs the chunks beside it
// and not those of its whole box.
const pieces = 64

// Profile samples channel c along a line, blended linearly between the four voxels around each sample as
// scipy.ndimage.map_coordinates does with order=1 and mode="nearest". Samples are one finer voxel of the plane apart,
// or a little less, so that the first and the last stand on the ends of the line. Those outside the image are left out.
func (sc *Scene) Profile(ctx context.Context, e *engine.Engine, h Shape, c int) (Profile, error) {
	if sc.Fault != nil {
		return Profile{}, sc.Fault
	}
	across, down, _ := h.Cut.Axes()
	shape := sc.Meta().Shape
	length, unit, n := sc.samples(h)
	p := Profile{Unit: unit}
	from, to := h.Points[0], h.Points[1]
	place := func(i int) (a, d float64) {
		f := float64(i) / float64(n-1)
		a, d = from[0]+f*(to[0]-from[0]), from[1]+f*(to[1]-from[1])
		return max(0, min(float64(shape[across]-1), a)), max(0, min(float64(shape[down]-1), d))
	}
	enters, leaves := crossing(from, to, [2]float64{float64(shape[across]), float64(shape[down])})
	begin, end := int(math.Ceil(enters*float64(n-1)-1e-9)), int(math.Floor(leaves*float64(n-1)+1e-9))+1
	at := h.At
	at[lazy.C] = c
	for first := begin; first < end; first += pieces {
		last := min(end, first+pieces) - 1
		r := lazy.At(at, lazy.Shape{1, 1, 1, 1, 1})
		a0, d0 := place(first)
		a1, d1 := place(last)
		r = r.With(across, int(min(a0, a1)), min(shape[across], int(max(a0, a1))+2))
		r = r.With(down, int(min(d0, d1)), min(shape[down], int(max(d0, d1))+2))
		b, _, err := e.Get(ctx, sc.Shown[0], r, engine.Priority{Tier: engine.Visible})
		if err != nil {
			return Profile{}, err
		}
		number := onPlane(r, across, down)
		value := func(a, d int) float64 {
			a, d = min(a, r.Max[across]-1), min(d, r.Max[down]-1)
			return valueAt(b, number(a, d))
		}
		for i := first; i <= last; i++ {
			a, d := place(i)
			p.At = append(p.At, float64(i)/float64(n-1)*length)
			p.Values = append(p.Values, blended(a, d, value))
		}
	}
	return p, nil
}

// crossing is where a line enters a plane of so many voxels across and down, and where it leaves it, as shares of its
// length; it leaves before it enters if it never does (Liang and Barsky, 1984).
func crossing(from, to, size [2]float64) (enters, leaves float64) {
	leaves = 1
	for k := range 2 {
		step := to[k] - from[k]
		first, last := -0.5-from[k], size[k]-0.5-from[k] // the edges of the outer voxels
		switch {
		case step != 0:
			enters, leaves = max(enters, min(first/step, last/step)), min(leaves, max(first/step, last/step))
		case first > 0 || last < 0:
			return 1, 0
		}
	}
	return enters, leaves
}

// blended is a value between four voxels; a neighbour that counts for nothing may be NaN.
func blended(a, d float64, value func(a, d int) float64) float64 {
	i, j := int(a), int(d)
	fa, fd := a-float64(i), d-float64(j)
	sum := 0.0
	for _, n := range [...]struct {
		a, d int
		w    float64
	}{{i, j, (1 - fa) * (1 - fd)}, {i + 1, j, fa * (1 - fd)}, {i, j + 1, (1 - fa) * fd}, {i + 1, j + 1, fa * fd}} {
		if n.w > 0 {
			sum += n.w * value(n.a, n.d)
		}
	}
	return sum
}

// samples is how long a line is, in which unit, and how many samples it gets.
func (sc *Scene) samples(h Shape) (length float64, unit string, n int) {
	across, down, _ := h.Cut.Axes()
	g := sc.Extent(Shape{Kind: Line, Cut: h.Cut, At: h.At, Points: h.Points})
	step := 1.0
	if g.Unit == "µm" {
		step = min(sc.Meta().Scale[across], sc.Meta().Scale[down])
	}
	return g.Length, g.Unit, max(2, int(math.Ceil(g.Length/step-1e-9))+1)
}

// Through is the values of channel c at one voxel, from the first to the last index of an axis; none where the voxel is
// outside of the image. It needs the chunks that the voxel's column goes through.
func (sc *Scene) Through(ctx context.Context, e *engine.Engine, at lazy.Index, axis lazy.Axis, c int) (Profile, error) {
	if sc.Fault != nil {
		return Profile{}, sc.Fault
	}
	m := sc.Meta()
	at[lazy.C] = c
	r := lazy.At(at, lazy.Shape{1, 1, 1, 1, 1}).With(axis, 0, m.Shape[axis])
	if !m.Shape.Whole().Contains(r) {
		return Profile{}, nil
	}
	b, _, err := e.Get(ctx, sc.Shown[0], r, engine.Priority{Tier: engine.Visible})
	if err != nil {
		return Profile{}, err
	}
	var p Profile
	for i := range m.Shape[axis] {
		p.At = append(p.At, float64(i+1))
		p.Values = append(p.Values, valueAt(b, i))
	}
	if m.Scale[axis] > 0 {
		p.Unit = "µm"
		if axis == lazy.T {
			p.Unit = "s"
		}
		for i := range p.At {
			p.At[i] = m.Origin[axis] + float64(i)*m.Scale[axis]
		}
	}
	return p, nil
}

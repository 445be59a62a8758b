package viewer

import (
	"context"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/lazy/engine"
)

// A Measurement is what a shape gives for one channel, after the filters.
type Measurement struct {
	Shape   int // of the list that was measured
	Channel int
	Voxels  int // within the shape, or under its points

	// Of the finite values; NaN where there are none. SD divides by one less than their number, as ImageJ does.
	Mean, SD, Least, Most, Sum float64
	NotFinite                  int // values among Voxels that are NaN or Inf
}

// A Geometric is what a shape measures without any voxel.
type Geometric struct {
	Length float64 // of a line, or around a shape with an inside; in Unit
	Area   float64 // of the voxels within; in the square of Unit
	Angle  float64 // degrees: of a line against the right, counter-clockwise; of an angle, 0 to 180
	Unit   string  // "µm", or "px" where the size of voxels along the plane's axes is not known
}

// Extent is what a shape measures by its points alone. The area is counted in voxels whose centres lie within.
func (sc *Scene) Extent(h Shape) Geometric {
	across, down, _ := h.Cut.Axes()
	m := sc.Meta()
	sx, sy, unit := m.Scale[across], m.Scale[down], "µm"
	if sx <= 0 || sy <= 0 {
		sx, sy, unit = 1, 1, "px"
	}
	g := Geometric{Unit: unit}
	leg := func(a, b [2]float64) (x, y float64) { return (b[0] - a[0]) * sx, (b[1] - a[1]) * sy }
	o := h.Outline()
	if h.Kind != Point && h.Kind != Angle {
		for i := range len(o) - 1 {
			g.Length += math.Hypot(leg(o[i], o[i+1]))
		}
	}
	switch {
	case h.Kind == Line:
		x, y := leg(h.Points[0], h.Points[1])
		g.Angle = math.Atan2(-y, x) * 180 / math.Pi
	case h.Kind == Angle && len(h.Points) == 3:
		ax, ay := leg(h.Points[1], h.Points[0])
		bx, by := leg(h.Points[1], h.Points[2])
		g.Angle = math.Abs(math.Atan2(ax*by-ay*bx, ax*bx+ay*by)) * 180 / math.Pi
	case h.Kind == Ellipse:
		lo, hi := h.Box()
		g.Length = ellipse((hi[0]-lo[0])*sx/2, (hi[1]-lo[1])*sy/2)
	}
	if h.Kind.Area() {
		g.Area = float64(sc.within(h)) * sx * sy
	}
	return g
}

// ellipse is the way around an ellipse of two half axes, by Ramanujan's second formula (1914), which is right to
// better than one in ten thousand.
func ellipse(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	h := (a - b) * (a - b) / ((a + b) * (a + b))
	return math.Pi * (a + b) * (1 + 3*h/(10+math.Sqrt(4-3*h)))
}

// within counts the voxels of the image whose centres lie in a shape.
func (sc *Scene) within(h Shape) int {
	n := 0
	r, ok := sc.box(h, 0)
	if !ok {
		return 0
	}
	across, down, _ := h.Cut.Axes()
	for y := r.Min[down]; y < r.Max[down]; y++ {
		for x := r.Min[across]; x < r.Max[across]; x++ {
			if h.Inside(float64(x), float64(y)) {
				n++
			}
		}
	}
	return n
}

// box is the region of the finest level around a shape, for a channel, cut to the image.
func (sc *Scene) box(h Shape, channel int) (lazy.Region, bool) {
	across, down, _ := h.Cut.Axes()
	shape := sc.Meta().Shape
	at := h.At
	at[lazy.C] = channel
	r := lazy.At(at, lazy.Shape{1, 1, 1, 1, 1})
	lo, hi := h.Box()
	for k, a := range [2]lazy.Axis{across, down} {
		r = r.With(a, max(0, int(math.Ceil(lo[k]))), min(shape[a], int(math.Floor(hi[k]))+1))
	}
	return r, !r.Empty() && shape.Whole().Contains(r)
}

// Measure computes what shapes give for each of some channels, from the finest level after the filters: only the
// chunks that the shapes lie on are needed. A line gives the values of its Profile, points those of their voxels. A
// chain with a Fault is refused.
func Measure(ctx context.Context, e *engine.Engine, sc *Scene, shapes []Shape, channels []int) ([]Measurement, error) {
	if sc.Fault != nil {
		return nil, sc.Fault
	}
	var all []Measurement
	for i, h := range shapes {
		for _, c := range channels {
			m, err := sc.measure(ctx, e, h, c)
			if err != nil {
				return nil, fmt.Errorf("viewer: measuring shape %d in channel %d: %w", i+1, c+1, err)
			}
			m.Shape, m.Channel = i, c
			all = append(all, m)
		}
	}
	return all, nil
}

func (sc *Scene) measure(ctx context.Context, e *engine.Engine, h Shape, c int) (Measurement, error) {
	var t census
	switch {
	case h.Kind == Line:
		p, err := sc.Profile(ctx, e, h, c)
		if err != nil {
			return Measurement{}, err
		}
		for _, v := range p.Values {
			t.add(v)
		}
	case h.Kind == Point:
		for _, p := range h.Points {
			one := Shape{Kind: Point, Cut: h.Cut, At: h.At, Points: [][2]float64{{math.Round(p[0]), math.Round(p[1])}}}
			if r, ok := sc.box(one, c); ok {
				b, _, err := e.Get(ctx, sc.Shown[0], r, engine.Priority{Tier: engine.Visible})
				if err != nil {
					return Measurement{}, err
				}
				t.add(valueAt(b, 0))
			}
		}
	case h.Kind.Area():
		r, ok := sc.box(h, c)
		if !ok {
			break
		}
		across, down, _ := h.Cut.Axes()
		_, err := e.Stream(ctx, sc.Shown[0], r, engine.Priority{Tier: engine.Visible}, func(b *lazy.Block) error {
			i := onPlane(b.Region, across, down)
			for y := b.Region.Min[down]; y < b.Region.Max[down]; y++ {
				for x := b.Region.Min[across]; x < b.Region.Max[across]; x++ {
					if h.Inside(float64(x), float64(y)) {
						t.add(valueAt(b, i(x, y)))
					}
				}
			}
			return nil
		}, nil)
		if err != nil {
			return Measurement{}, err
		}
	}
	return t.measurement(), nil
}

// onPlane is the number of a voxel in a block of a plane's region. Storage has the later of two axes side by side,
// whichever of them runs across.
func onPlane(r lazy.Region, across, down lazy.Axis) func(a, d int) int {
	if across > down {
		width := r.Len(across)
		return func(a, d int) int { return (d-r.Min[down])*width + a - r.Min[across] }
	}
	height := r.Len(down)
	return func(a, d int) int { return (a-r.Min[across])*height + d - r.Min[down] }
}

// A census adds values up by Welford's method (1962), which loses nothing to a large mean.
type census struct {
	n, odd           int
	mean, m2         float64
	least, most, sum float64
}

func (t *census) add(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.odd++
		return
	}
	if t.n == 0 {
		t.least, t.most = v, v
	}
	t.n++
	d := v - t.mean
	t.mean += d / float64(t.n)
	t.m2 += d * (v - t.mean)
	t.sum += v
	t.least, t.most = min(t.least, v), max(t.most, v)
}

func (t *census) measurement() Measurement {
	m := Measurement{Voxels: t.n + t.odd, NotFinite: t.odd, Mean: math.NaN(), SD: math.NaN(), Least: math.NaN(), Most: math.NaN(), Sum: math.NaN()}
	if t.n > 0 {
		m.Mean, m.Least, m.Most, m.Sum, m.SD = t.sum/float64(t.n), t.least, t.most, t.sum, 0
	}
	if t.n > 1 {
		m.SD = math.Sqrt(t.m2 / float64(t.n-1))
	}
	return m
}

package viewer

import (
	"encoding/binary"
	"image"
	"math"
	"runtime"
	"sync"
)

// A layer is one channel of a picture: its voxels and its colours.
type layer struct {
	cut  *Cut
	look *look
}

// Backdrop is the colour around the plane, red, green and blue.
type Backdrop [3]uint8

// lighter is where voxels are still to come.
func (b Backdrop) lighter() Backdrop {
	for k := range b {
		b[k] += (255 - b[k]) / 16
	}
	return b
}

// A composer turns layers into pictures. Its tables are kept from one picture to the next, so that
// a picture allocates nothing. It belongs to one goroutine.
type composer struct {
	marks []marks
	over  marks // of the labels
}

// marks say for each pixel column and row which sample of a cut it shows.
type marks struct{ cols, rows axisMarks }

// axisMarks holds, for each pixel along one axis, the sample to the left and, for Linear, how far
// the pixel is on the way to the next one. Pixels outside [from, to) show nothing of the cut.
type axisMarks struct {
	at       []int32
	f        []float32
	from, to int
}

// picture is what compose draws: the layers, where they stand, and what is around them.
type picture struct {
	geometry Geometry
	sampling Sampling
	blend    Blend
	layers   []layer
	over     *overlay // nil if no labels lie over the picture
	backdrop Backdrop
	waiting  bool            // voxels that are not there are under way, which has a look of its own
	stale    bool            // greyed, since it shows another plane than the one asked for
	clip     image.Rectangle // only this part is drawn; the rest of the picture stays
}

// compose draws p into dst, which is as large as the viewport and tightly packed. Channels are
// blended, each part of a pixel at most 255; where the plane ends the backdrop is seen. Pixels of the plane
// that the first layer has no voxels for are black, or a little lighter than the backdrop while such
// voxels are under way.
func (c *composer) compose(dst *image.RGBA, p picture) {
	clip := p.clip.Intersect(dst.Rect)
	if clip.Empty() {
		return
	}
	for len(c.marks) < len(p.layers) {
		c.marks = append(c.marks, marks{})
	}
	g := p.geometry
	for i, l := range p.layers {
		c.marks[i].cols.set(g, 0, l.cut, p.sampling)
		c.marks[i].rows.set(g, 1, l.cut, p.sampling)
	}
	if p.over != nil {
		c.over.cols.set(g, 0, p.over.cut, Nearest)
		c.over.rows.set(g, 1, p.over.cut, Nearest)
	}
	// The plane's own edges in whole pixels: a pixel belongs to it if its centre does.
	x0, y0 := g.Pixel(-0.5, -0.5)
	x1, y1 := g.Pixel(float64(g.Voxels[0])-0.5, float64(g.Voxels[1])-0.5)
	plane := image.Rect(pixelFrom(x0, g.W), pixelFrom(y0, g.H), pixelFrom(x1, g.W), pixelFrom(y1, g.H))

	bands := min(runtime.GOMAXPROCS(0), 1+clip.Dx()*clip.Dy()>>17)
	if bands == 1 {
		c.band(dst, p, plane, clip)
		return
	}
	c.parallel(bands, dst, p, plane, clip)
}

// parallel draws the rows in as many bands at a time.
func (c *composer) parallel(bands int, dst *image.RGBA, p picture, plane, clip image.Rectangle) {
	var all sync.WaitGroup
	for b := range bands {
		part := clip
		part.Min.Y = clip.Min.Y + clip.Dy()*b/bands
		part.Max.Y = clip.Min.Y + clip.Dy()*(b+1)/bands
		all.Go(func() { c.band(dst, p, plane, part) })
	}
	all.Wait()
}

// pixelFrom is the first pixel whose centre lies at or after a point, within 0..n.
func pixelFrom(at float64, n int) int {
	return int(max(0, min(float64(n), math.Ceil(at-0.5))))
}

// band draws some rows.
func (c *composer) band(dst *image.RGBA, p picture, plane, clip image.Rectangle) {
	around, empty := pack(p.backdrop), uint32(opaqueBlack)
	if p.waiting {
		empty = pack(p.backdrop.lighter())
	}
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		row := dst.Pix[y*dst.Stride:][:4*dst.Rect.Dx()]
		from, to := clip.Min.X, clip.Max.X
		if y >= plane.Min.Y && y < plane.Max.Y {
			from, to = max(from, plane.Min.X), min(to, plane.Max.X)
			to = max(from, to)
			if !c.covered(p, y, from, to) {
				fill(row, from, to, empty)
			}
			for i, l := range p.layers {
				m := &c.marks[i]
				if y < m.rows.from || y >= m.rows.to {
					continue
				}
				paint(row, line{l: l, m: m, y: y, from: max(from, m.cols.from), to: min(to, m.cols.to), blend: blendOf(p.blend, i), linear: p.sampling == Linear && !l.look.cycle})
			}
			if p.over != nil {
				paintOverlay(row, p.over, &c.over, y, from, to)
			}
			if p.stale {
				grey(row, from, to)
			}
		} else {
			from, to = clip.Max.X, clip.Max.X
		}
		fill(row, clip.Min.X, from, around)
		fill(row, to, clip.Max.X, around)
	}
}

// covered reports whether the first layer draws every pixel [from, to) of row y.
func (c *composer) covered(p picture, y, from, to int) bool {
	if len(p.layers) == 0 {
		return false
	}
	m := &c.marks[0]
	return y >= m.rows.from && y < m.rows.to && m.cols.from <= from && m.cols.to >= to
}

const opaqueBlack = 0xff000000

func fill(row []byte, from, to int, c uint32) {
	if from >= to {
		return
	}
	part := row[4*from : 4*to]
	binary.LittleEndian.PutUint32(part, c)
	for n := 4; n < len(part); n *= 2 { // what is there already is copied behind itself
		copy(part[n:], part[:n])
	}
}

// grey makes a finished row look out of date: most of its colour and half of its light go.
func grey(row []byte, from, to int) {
	for x := from; x < to; x++ {
		p := row[4*x : 4*x+3]
		light := (2*int(p[0]) + 5*int(p[1]) + int(p[2])) >> 3
		for k := range p {
			p[k] = uint8((int(p[k]) + 3*light) >> 3)
		}
	}
}

// set finds the sample under each pixel of a viewport along one axis (0 across, 1 down).
func (m *axisMarks) set(g Geometry, axis int, c *Cut, s Sampling) {
	n, samples := g.W, c.cols
	if axis == 1 {
		n, samples = g.H, c.rows
	}
	if cap(m.at) < n {
		m.at, m.f = make([]int32, n), make([]float32, n)
	}
	m.at, m.f = m.at[:n], m.f[:n]
	pl := c.place[axis]
	step := 1 / (g.Pixels[axis] * pl.scale)
	first := (g.Center[axis]-pl.shift)/pl.scale + (0.5-float64(n)/2)*step
	m.from, m.to = n, 0
	for x := range n {
		at := first + float64(x)*step
		i := int(math.Floor(at + 0.5))
		if i < samples.min || i >= samples.max {
			continue
		}
		m.from, m.to = min(m.from, x), x+1
		if s == Linear { // between the sample to the left and the next, held at the ends
			at = max(float64(samples.min), min(float64(samples.max-1), at))
			i = max(samples.min, min(int(at), samples.max-2))
			m.f[x] = float32(at - float64(i))
		}
		m.at[x] = int32(i - samples.min)
	}
}

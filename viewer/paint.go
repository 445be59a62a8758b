package viewer

import (
	"encoding/binary"
	"math"

	"lamella/lazy"
)

// A line is one row of pixels of one layer.
type line struct {
	l        layer
	m        *marks
	y        int
	from, to int // pixels
	blend    Blend
	linear   bool
}

// paint draws a line into a row of pixels.
func paint(row []byte, n line) {
	b := n.l.cut.block
	switch b.DType {
	case lazy.U8:
		paintOf(row, n, lazy.View[uint8](b), 0)
	case lazy.I8:
		paintOf(row, n, lazy.View[int8](b), 1<<7)
	case lazy.U16:
		paintOf(row, n, lazy.View[uint16](b), 0)
	case lazy.I16:
		paintOf(row, n, lazy.View[int16](b), 1<<15)
	case lazy.U32:
		paintOf(row, n, lazy.View[uint32](b), 0)
	case lazy.I32:
		paintOf(row, n, lazy.View[int32](b), 0)
	case lazy.U64:
		paintOf(row, n, lazy.View[uint64](b), 0)
	case lazy.I64:
		paintOf(row, n, lazy.View[int64](b), 0)
	case lazy.F32:
		paintOf(row, n, lazy.View[float32](b), 0)
	case lazy.F64:
		paintOf(row, n, lazy.View[float64](b), 0)
	}
}

// paintOf draws by the cheapest way that the type and the look allow. bias is the number of the
// value 0 in the table of exact colours.
func paintOf[E lazy.Number](row []byte, n line, v []E, bias int) {
	width := n.l.cut.cols.max - n.l.cut.cols.min
	src := v[int(n.m.rows.at[n.y])*width:]
	look := n.l.look
	switch {
	case look.cycle:
		src = src[:width]
		for x := n.from; x < n.to; x++ {
			put(row, x, look.name(int64(src[n.m.cols.at[x]])), n.blend)
		}
	case n.linear:
		below := src
		if int(n.m.rows.at[n.y])+1 < n.l.cut.rows.max-n.l.cut.rows.min {
			below = src[width:]
		}
		paintLinear(row, n, src[:width], below[:width])
	case len(look.exact) > 0:
		src = src[:width]
		at := n.m.cols.at[:n.to]
		switch n.blend {
		case Add:
			var some [256]uint32 // colours of so many pixels, which are added at once
			for x := n.from; x < n.to; x += len(some) {
				colors := some[:min(len(some), n.to-x)]
				for i, from := range at[x : x+len(colors)] {
					colors[i] = look.exact[int(src[from])+bias]
				}
				addRow(row[4*x:], colors)
			}
		case Max:
			for x := n.from; x < n.to; x++ {
				put(row, x, look.exact[int(src[at[x]])+bias], Max)
			}
		default:
			for x := n.from; x < n.to; x++ {
				binary.LittleEndian.PutUint32(row[4*x:], look.exact[int(src[at[x]])+bias])
			}
		}
	default:
		src = src[:width]
		for x := n.from; x < n.to; x++ {
			paintValue(row, n, x, float64(src[n.m.cols.at[x]]))
		}
	}
}

// paintLinear blends the four samples around each pixel; beside a sample that is no number the
// nearest one stands alone.
func paintLinear[E lazy.Number](row []byte, n line, above, below []E) {
	fy := float64(n.m.rows.f[n.y])
	last := len(above) - 1
	for x := n.from; x < n.to; x++ {
		i := int(n.m.cols.at[x])
		j := min(i+1, last)
		fx := float64(n.m.cols.f[x])
		v := (1-fy)*((1-fx)*float64(above[i])+fx*float64(above[j])) + fy*((1-fx)*float64(below[i])+fx*float64(below[j]))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			near := above
			if fy >= 0.5 {
				near = below
			}
			if fx >= 0.5 {
				i = j
			}
			v = float64(near[i])
		}
		paintValue(row, n, x, v)
	}
}

// paintValue draws one value by the ramp.
func paintValue(row []byte, n line, x int, v float64) {
	if v-v != 0 { // no number, or one beyond all
		put(row, x, hatch(v, x, n.y), replace)
		return
	}
	put(row, x, n.l.look.color(v), n.blend)
}

func put(row []byte, x int, c uint32, b Blend) {
	p := row[4*x : 4*x+4]
	switch b {
	case Add:
		c = add(binary.LittleEndian.Uint32(p), c)
	case Max:
		c = lighter(binary.LittleEndian.Uint32(p), c)
	}
	binary.LittleEndian.PutUint32(p, c)
}

// color is the colour of a value that is a number.
func (l *look) color(v float64) uint32 {
	at := (v - l.low) * l.scale
	return l.ramp[int(max(0, min(float64(len(l.ramp)-1), at))+0.5)]
}

// name is the colour of a label: 0 has its own, the others go round.
func (l *look) name(v int64) uint32 {
	if v == 0 {
		return l.names[0]
	}
	return l.names[1+uint64(v-1)%255]
}

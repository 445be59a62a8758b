package viewer

import (
	"encoding/binary"
	"math"

	"lamella/assets"
	"lamella/lazy"
)

// A look turns the values of one channel into colours. Colours are packed as the four bytes of a
// pixel in little-endian order: red lowest, alpha (always 255) highest.
type look struct {
	of    lookOf
	exact []uint32 // by value, from the least of an 8- or 16-bit type on; else nil
	ramp  [4096]uint32
	low   float64
	scale float64 // ramp steps for one unit of value
	cycle bool    // labels: the table goes round by value
	names [256]uint32
}

// lookOf is what a look is made from; an unchanged one needs no new tables.
type lookOf struct {
	dtype  lazy.DType
	lut    string
	color  [3]uint8
	limits Limits
	gamma  float64
	labels bool
	hiLo   bool
	faded  float64
	mirror bool
	file   *[3]uint8 // the first colour of the file's palette, by address
}

func pack(c [3]uint8) uint32 {
	return binary.LittleEndian.Uint32([]byte{c[0], c[1], c[2], 255})
}

// set makes the tables for a channel, unless they are made already.
func (l *look) set(c Channel, hiLo bool, palette [][3]uint8, m lazy.Meta) {
	of := lookOf{m.DType, c.LUT, c.Color, c.Limits.apart(), c.Gamma, m.Labels && !m.DType.Float() && c.LUT == "Glasbey", hiLo, c.Faded, c.Mirror, nil}
	if len(palette) > 0 {
		of.file = &palette[0]
	}
	if l.of == of {
		return
	}
	l.of = of
	table := tableOf(c, palette)
	if l.cycle = of.labels; l.cycle {
		for i := range l.names {
			l.names[i] = dim(pack(table[i]), of.faded)
		}
		return
	}
	for i := range l.ramp {
		l.ramp[i] = of.colour(table, float64(i)/float64(len(l.ramp)-1))
	}
	l.low = of.limits.Low
	l.scale = float64(len(l.ramp)-1) / (of.limits.High - of.limits.Low)
	l.exact = l.exact[:0]
	if n := 1 << (8 * min(2, m.DType.Size())); m.DType.Size() <= 2 {
		least, _ := m.DType.Range()
		for v := range n {
			at := (least + float64(v) - of.limits.Low) / (of.limits.High - of.limits.Low)
			l.exact = append(l.exact, of.colour(table, at))
		}
	}
}

// tableOf is the table that a channel names.
func tableOf(c Channel, palette [][3]uint8) *assets.Table {
	if c.Mirror {
		c.Mirror = false
		t := tableOf(c, palette).Mirrored()
		return &t
	}
	if c.LUT == FileLUT && len(palette) > 0 {
		t := assets.Palette(palette)
		return &t
	}
	if t, ok := assets.Lookup(c.LUT); ok {
		return t
	}
	t := assets.Ramp(c.Color)
	return &t
}

// colour is that of a position between the limits: 0 is at the low one or below, 1 at the high one or above.
func (of lookOf) colour(t *assets.Table, at float64) uint32 {
	switch {
	case of.hiLo && at <= 0:
		return atLow
	case of.hiLo && at >= 1:
		return atHigh
	}
	return dim(blend(t, at, of.gamma), of.faded)
}

// blend is the colour at a position of the table, 0 to 1 and cut to it, between two entries as
// much of each as the position says.
func blend(t *assets.Table, at, gamma float64) uint32 {
	at = max(0, min(1, at))
	if gamma > 0 && gamma != 1 {
		at = math.Pow(at, gamma)
	}
	at *= 255
	i := min(int(at), 254)
	f := at - float64(i)
	var c [3]uint8
	for k := range 3 {
		c[k] = uint8((1-f)*float64(t[i][k]) + f*float64(t[i+1][k]) + 0.5)
	}
	return pack(c)
}

// What is no number is hatched in two greys, a look that no LUT has; the infinities are hatched the other way, +Inf
// in lighter greys than -Inf.
const (
	hatchLight   = 0xff6e6e6e
	hatchDark    = 0xff3c3c3c
	hatchLighter = 0xffc8c8c8
	hatchDarker  = 0xff1e1e1e
)

// hatch is the colour of a voxel that is NaN or infinite at a device pixel.
func hatch(v float64, x, y int) uint32 {
	switch {
	case v != v && (x+y)&4 == 0:
		return hatchLight
	case v != v || v < 0 && (x-y)&4 != 0:
		return hatchDark
	case v < 0:
		return hatchDarker
	case (x-y)&4 == 0:
		return hatchLighter
	}
	return hatchLight
}

// add is the sum of two colours, each part at most 255.
func add(a, b uint32) uint32 {
	const even = 0x00ff00ff
	lo := a&even + b&even
	hi := a>>8&even + b>>8&even
	lo |= 0x01000100 - lo>>8&0x00010001
	hi |= 0x01000100 - hi>>8&0x00010001
	return lo&even | hi&even<<8
}

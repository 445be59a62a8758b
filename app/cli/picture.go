package cli

import (
	"context"
	"image"
	"math"
	"strconv"

	"lamella/app/formats"
	"lamella/assets"
	"lamella/lazy"
	"lamella/loaders"
	"lamella/viewer"
)

// A picture is a writer of one plane as it looks: each channel between contrast limits found on the
// plane itself, in its colour, all added. Colour pictures keep their colours. What is not a number
// is hatched grey, as in the window.
type picture struct {
	d     loaders.Description
	file  *loaders.Draft
	shown *image.RGBA
}

// maxPicture is the most pixels of a picture along an axis: beyond it few programs open one.
const maxPicture = 1 << 16

func createPicture(path string, d loaders.Description) (loaders.Writer, error) {
	s := d.Meta.Shape
	if s[lazy.T] != 1 || s[lazy.Z] != 1 {
		return nil, usagef("--out %s: a picture shows one plane, not %d; choose one by --roi z=A:B and --t, or use lamella slice", path, s[lazy.T]*s[lazy.Z])
	}
	if s[lazy.Y] > maxPicture || s[lazy.X] > maxPicture {
		return nil, usagef("--out %s: a picture of %d x %d pixels is too large to be looked at; choose a part by --roi or a coarser --level", path, s[lazy.X], s[lazy.Y])
	}
	f, err := loaders.Create(path, d.Overwrite)
	if err != nil {
		return nil, err
	}
	return &picture{d, f, image.NewRGBA(image.Rect(0, 0, s[lazy.X], s[lazy.Y]))}, nil
}

// Grid is one channel of the plane.
func (p *picture) Grid() lazy.Shape {
	s := p.d.Meta.Shape
	s[lazy.C] = 1
	return s
}

// Write adds a channel to the picture.
func (p *picture) Write(_ context.Context, b *lazy.Block) error {
	c := b.Region.Min[lazy.C]
	if p.d.RGB && c > 2 {
		return nil // how opaque a pixel is says nothing about its colour
	}
	table, labels := p.table(c)
	limits := p.limits(c, b)
	span := limits.High - limits.Low
	n := p.d.Meta.Shape[lazy.X]
	at := b.Region.Min
	for y := range p.d.Meta.Shape[lazy.Y] {
		row := p.shown.Pix[y*p.shown.Stride:][:4*n]
		at[lazy.Y] = y
		for x := range n {
			at[lazy.X] = x
			v := b.Value(at)
			var rgb [3]uint8
			switch {
			case math.IsNaN(v):
				rgb = hatch(x, y)
			case labels:
				rgb = table[uint8(int64(v))]
			default:
				rgb = table[uint8(255*max(0, min(1, (v-limits.Low)/span))+0.5)]
			}
			for k := range rgb {
				row[4*x+k] = uint8(min(255, int(row[4*x+k])+int(rgb[k])))
			}
			row[4*x+3] = 255
		}
	}
	return nil
}

// Close writes the file.
func (p *picture) Close() error {
	if err := formats.EncodePNG(p.file, p.shown, p.d.Recipe); err != nil {
		p.file.Abort()
		return err
	}
	return p.file.Commit()
}

// Abort leaves nothing.
func (p *picture) Abort() { p.file.Abort() }

// limits are those of the type for a colour picture, of the table for a palette, and else those
// that leave out a thousandth of the values at each end.
func (p *picture) limits(c int, b *lazy.Block) viewer.Limits {
	switch {
	case p.d.RGB && b.DType.Float():
		return viewer.Limits{Low: 0, High: 1}
	case p.d.RGB:
		low, high := b.DType.Range()
		return viewer.Limits{Low: low, High: high}
	case len(p.channel(c).LUT) > 0:
		return viewer.Limits{Low: 0, High: 255}
	}
	if found, ok := viewer.Find(b, viewer.Rule{Kind: viewer.Robust}); ok {
		return found
	}
	return viewer.Limits{Low: 0, High: 1} // no value is finite
}

func (p *picture) channel(c int) lazy.Channel {
	if c < len(p.d.Channels) {
		return p.d.Channels[c]
	}
	return lazy.Channel{}
}

// usual are the colours of channels whose file names none, as ImageJ gives them to a composite.
var usual = [...][3]uint8{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {0, 255, 255}, {255, 0, 255}, {255, 255, 0}}

// table is the colours of a channel, and whether they name labels instead of brightness.
func (p *picture) table(c int) (t assets.Table, labels bool) {
	named := p.channel(c)
	color, stated := parseColor(named.Color)
	switch n := p.d.Meta.Shape[lazy.C]; {
	case p.d.RGB && n >= 3:
		return assets.Ramp(usual[c]), false
	case p.d.Meta.Labels && !p.d.Meta.DType.Float():
		if glasbey, ok := assets.Lookup("Glasbey"); ok {
			return *glasbey, true
		}
	case len(named.LUT) > 0:
		return assets.Palette(named.LUT), false
	case stated:
		return assets.Ramp(color), false
	case n > 1:
		return assets.Ramp(usual[c%len(usual)]), false
	}
	return assets.Ramp([3]uint8{255, 255, 255}), false
}

// parseColor reads "#rrggbb".
func parseColor(s string) (rgb [3]uint8, ok bool) {
	if len(s) != 7 || s[0] != '#' {
		return rgb, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

func hatch(x, y int) [3]uint8 {
	if (x+y)&4 == 0 {
		return [3]uint8{0x6e, 0x6e, 0x6e}
	}
	return [3]uint8{0x3c, 0x3c, 0x3c}
}

package tiff

import (
	"context"

	"lamella/lazy"
)

// colours fills in the channels: as the file describes them, or by what the samples are.
func (s *series) colours(ctx context.Context, t *file, r *reader, image *lazy.Image) {
	n := image.Levels[0].Array.Meta().Shape[lazy.C]
	l := s.layout(0)
	image.Channels = s.channels
	if len(image.Channels) != n {
		image.Channels = nil
	}
	if image.Channels == nil && l.samples > 1 && !s.separate && n <= 1<<12 {
		image.Channels = l.sampleChannels(n)
	}
	if l.photometric == palette && n == 1 && r != nil {
		if lut := r.lut(ctx, s.levels[0][0].page, l); lut != nil {
			if image.Channels == nil {
				image.Channels = make([]lazy.Channel, 1)
			}
			c := &image.Channels[0]
			c.LUT, c.Color = lut, ""
			c.Limits = &[2]float64{0, float64(len(lut) - 1)}
		}
	}
}

// sampleChannels names samples by the photometric interpretation.
func (l *layout) sampleChannels(n int) []lazy.Channel {
	var base []lazy.Channel
	switch {
	case l.colour():
		base = []lazy.Channel{{Name: "red", Color: "#ff0000"}, {Name: "green", Color: "#00ff00"}, {Name: "blue", Color: "#0000ff"}}
	case l.photometric == separated && l.samples >= 4:
		base = []lazy.Channel{{Name: "cyan"}, {Name: "magenta"}, {Name: "yellow"}, {Name: "black"}}
	case l.photometric == yCbCr && l.samples == 3:
		base = []lazy.Channel{{Name: "Y"}, {Name: "Cb"}, {Name: "Cr"}}
	case (l.photometric == 8 || l.photometric == 9) && l.samples >= 3:
		base = []lazy.Channel{{Name: "L*"}, {Name: "a*"}, {Name: "b*"}}
	case l.photometric == minIsBlack || l.photometric == minIsWhite:
		if l.extra == "" || l.extra[0] == '0' {
			return nil // bands of equal rank
		}
		base = []lazy.Channel{{Name: "grey"}}
	default:
		return nil
	}
	channels := make([]lazy.Channel, n)
	for i := range channels {
		switch k := i % l.samples; {
		case k < len(base):
			channels[i] = base[k]
		case k-len(base) < len(l.extra) && (l.extra[k-len(base)] == '1' || l.extra[k-len(base)] == '2'):
			channels[i].Name = "alpha"
		}
	}
	return channels
}

// lut reads the palette of a page: all reds, then all greens, then all blues, of 16 bits each; some
// writers use only 8.
func (r *reader) lut(ctx context.Context, p *page, l *layout) [][3]uint8 {
	if p == nil || l.bits > 16 {
		return nil
	}
	entries, _, err := r.directory(ctx, p.at)
	if err != nil {
		return nil
	}
	e, ok := find(entries, tagColorMap)
	n := 1 << l.bits
	if !ok || e.count < uint64(3*n) {
		return nil
	}
	v, err := r.integers(ctx, e, 3*n)
	if err != nil {
		return nil
	}
	shift := 0
	for _, c := range v {
		if c > 255 {
			shift = 8
		}
	}
	lut := make([][3]uint8, n)
	for i := range lut {
		lut[i] = [3]uint8{uint8(v[i] >> shift), uint8(v[n+i] >> shift), uint8(v[2*n+i] >> shift)}
	}
	return lut
}

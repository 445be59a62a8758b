package viewer

import (
	"strconv"

	"lamella/lazy"
)

// Colours of channels whose file names none: two that nobody mistakes for each other, or of more those that differ most to
// eyes that do not tell red from green. A single channel is grey.
var (
	pair = [...][3]uint8{{255, 0, 255}, {0, 255, 0}}
	many = [...][3]uint8{{0, 255, 255}, {255, 0, 255}, {255, 255, 0}, {0, 0, 255}, {0, 255, 0}, {255, 0, 0}, {255, 255, 255}}
)

// colorFor is the colour of channel i of n.
func colorFor(i, n int) [3]uint8 {
	if n == len(pair) {
		return pair[i%n]
	}
	return many[i%len(many)]
}

// blendable is how many channels are drawn together at first; of more, one is drawn at a time.
const blendable = 7

// opening is how an image is shown first: the middle plane of the first time point, whole, in the
// colours and limits that the file states, or automatic ones.
func opening(sc *Scene, img int, from State) State {
	m := sc.Raw[0].Meta()
	s := State{Image: img, Size: from.Size, Fitted: true, Zoom: 1, ScaleBar: true, Overview: true, Values: true, Cut: XY, Chosen: -1, Sampling: from.Sampling}
	for _, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		s.At[a] = m.Shape[a] / 2
	}
	n := m.Shape[lazy.C]
	s.Solo = n > blendable && !sc.Image.RGB
	for i := range n {
		s.Channels = append(s.Channels, channel(sc, i, n))
	}
	return s
}

func channel(sc *Scene, i, n int) Channel {
	m := sc.Raw[0].Meta()
	c := Channel{Name: strconv.Itoa(i + 1), Visible: true, Gamma: 1, Color: colorFor(i, n), Rule: Rule{Kind: Robust, Pending: true}}
	c.Limits.Low, c.Limits.High = 0, 1
	if !m.DType.Float() {
		c.Limits.Low, c.Limits.High = m.DType.Range()
	}
	var told lazy.Channel
	if i < len(sc.Image.Channels) {
		told = sc.Image.Channels[i]
	}
	if told.Name != "" {
		c.Name = told.Name
	}
	switch rgb, ok := parseColor(told.Color); {
	case sc.Image.RGB && n >= 3:
		c.Color, c.Visible = [3]uint8{}, i < 3
		c.Color[i%3] = 255
		if told.Name == "" {
			c.Name = [...]string{"Red", "Green", "Blue", "Alpha"}[min(i, 3)]
		}
	case sc.Image.RGB:
		c.LUT, c.Color, c.Visible = "Grays", [3]uint8{255, 255, 255}, i == 0
	case m.Labels:
		c.LUT, c.Color = "Glasbey", [3]uint8{255, 255, 255}
	case len(told.LUT) > 0:
		c.LUT, c.Color = FileLUT, [3]uint8{255, 255, 255}
	case ok:
		c.Color = rgb
	case n == 1:
		c.LUT, c.Color = "Grays", [3]uint8{255, 255, 255}
	}
	switch {
	case (sc.Image.RGB || c.LUT == FileLUT) && !m.DType.Float():
		c.Limits.Low, c.Limits.High = 0, 255
		if sc.Image.RGB {
			c.Limits.Low, c.Limits.High = m.DType.Range()
		}
		c.Rule = Rule{Kind: FromFile}
	case sc.Image.RGB: // colours as real numbers run from 0 to 1
		c.Rule = Rule{Kind: FromFile}
	case told.Limits != nil && told.Limits[0] < told.Limits[1] && !wholeRange(*told.Limits, m.DType):
		c.Limits = Limits{told.Limits[0], told.Limits[1]}
		c.Rule = Rule{Kind: FromFile}
	}
	return c
}

// wholeRange reports whether limits are those of a type wider than 8 bits, which programs write when
// nobody chose any.
func wholeRange(l [2]float64, d lazy.DType) bool {
	low, high := d.Range()
	return d.Size() > 1 && l == [2]float64{low, high}
}

// parseColor reads "#rrggbb".
func parseColor(s string) (rgb [3]uint8, ok bool) {
	if len(s) != 7 || s[0] != '#' {
		return rgb, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

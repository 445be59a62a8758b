package tiff

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"lamella/lazy"
	"lamella/loaders"
)

// imageJText is the description by which ImageJ knows a hyperstack, in the order in which it writes
// the lines itself. Sizes that are not known are left out.
func imageJText(d loaders.Description, samples int) string {
	m := d.Meta
	var b strings.Builder
	line := func(key string, value any) { fmt.Fprintf(&b, "%s=%v\n", key, value) }
	line("ImageJ", "1.11a")
	t, z, c := m.Shape[lazy.T], m.Shape[lazy.Z], m.Shape[lazy.C]/samples
	long := 0
	if t*z*c > 1 {
		line("images", t*z*c)
	}
	for _, axis := range []struct {
		key string
		n   int
	}{{"channels", c}, {"slices", z}, {"frames", t}} {
		if axis.n > 1 {
			line(axis.key, axis.n)
			long++
		}
	}
	if long > 1 || c > 1 {
		line("hyperstack", true)
	}
	if c > 1 {
		line("mode", "composite")
	}
	imageJSizes(line, m)
	line("loop", false)
	if len(d.Channels) == 1 && d.Channels[0].Limits != nil {
		line("min", number(d.Channels[0].Limits[0]))
		line("max", number(d.Channels[0].Limits[1]))
	}
	return b.String()
}

// imageJSizes writes voxel size, time step and origin. A unit stands only for the axes whose size is known.
func imageJSizes(line func(string, any), m lazy.Meta) {
	x, y, z := m.Scale[lazy.X], m.Scale[lazy.Y], m.Scale[lazy.Z]
	if x > 0 {
		line("unit", "micron")
		if y <= 0 {
			line("yunit", "pixel")
		}
	} else if y > 0 {
		line("yunit", "micron")
	}
	if z > 0 && x <= 0 {
		line("zunit", "micron")
	}
	if step := m.Scale[lazy.T]; step > 0 {
		line("finterval", number(step))
	}
	if z > 0 {
		line("spacing", number(z))
	}
	for _, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		if m.Scale[a] > 0 && m.Origin[a] != 0 {
			line(a.String()+"origin", number(-m.Origin[a]/m.Scale[a]))
		}
	}
}

// number is the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// maxLabels bounds the labels: ImageJ wants one for every plane.
const maxLabels = 1 << 16

// wide is a text as ImageJ keeps it in its private tags.
func wide(text string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

// imageJTags are the private tags with the recipe, which "Show Info" of ImageJ shows, and the names, limits and
// LUTs of the channels; none if there is nothing to say. A single channel has its name there alone: its limits are
// in the description, its LUT is the palette. The samples of a colour picture are no channels.
func imageJTags(d loaders.Description, samples int) []tag {
	c := d.Meta.Shape[lazy.C] / samples
	var info, labels, ranges, luts [][]byte
	if r := loaders.RecipeLine(d.Recipe); r != "" {
		info = append(info, wide(r))
	}
	there := samples == 1 && len(d.Channels) == c
	named, limited, coloured := there, there, false
	for _, ch := range d.Channels[:min(c, len(d.Channels))] {
		named = named && ch.Name != ""
		limited = limited && ch.Limits != nil
		coloured = coloured || ch.Color != "" || len(ch.LUT) == 256
	}
	planes := d.Meta.Shape[lazy.T] * d.Meta.Shape[lazy.Z] * c
	for p := 0; named && planes <= maxLabels && p < planes; p++ {
		labels = append(labels, wide(d.Channels[p%c].Name))
	}
	if limited && c > 1 {
		var r []byte
		for _, ch := range d.Channels {
			for _, v := range ch.Limits {
				r = binary.LittleEndian.AppendUint64(r, math.Float64bits(v))
			}
		}
		ranges = append(ranges, r)
	}
	for i := 0; there && coloured && c > 1 && i < c; i++ {
		luts = append(luts, imageJLUT(d.Channels[i]))
	}
	head := binary.LittleEndian.AppendUint32(nil, 0x494A494A)
	var body []byte
	var lengths []uint32
	for _, block := range []struct {
		kind   uint32
		values [][]byte
	}{{0x696E666F, info}, {0x6C61626C, labels}, {0x72616E67, ranges}, {0x6C757473, luts}} {
		if len(block.values) == 0 {
			continue
		}
		head = binary.LittleEndian.AppendUint32(head, block.kind)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(block.values)))
		for _, v := range block.values {
			body = append(body, v...)
			lengths = append(lengths, uint32(len(v)))
		}
	}
	if len(lengths) == 0 {
		return nil
	}
	lengths = append([]uint32{uint32(len(head))}, lengths...)
	return []tag{longTag(tagImageJCounts, lengths...), bytesTag(tagImageJ, append(head, body...))}
}

// imageJLUT is 256 reds, greens and blues: the channel's own, or a ramp from black to its colour.
func imageJLUT(c lazy.Channel) []byte {
	out := make([]byte, 768)
	end := [3]int{255, 255, 255}
	if v, err := strconv.ParseUint(strings.TrimPrefix(c.Color, "#"), 16, 32); err == nil && len(c.Color) == 7 {
		end = [3]int{int(v >> 16), int(v >> 8 & 255), int(v & 255)}
	}
	for i := range 256 {
		for k := range 3 {
			out[256*k+i] = byte((i*end[k] + 127) / 255)
			if len(c.LUT) == 256 {
				out[256*k+i] = c.LUT[i][k]
			}
		}
	}
	return out
}

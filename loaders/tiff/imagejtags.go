package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf16"

	"lamella/lazy"
)

// An imageJExtra is what ImageJ keeps in its private tags 50838 and 50839: labels of slices, the
// contrast limits and the LUT of each channel.
//
//	50839  "IJIJ"  { kind (4 letters)  count (4) } ...  the values, kind by kind
//	50838  the length of that head, then of each value
type imageJExtra struct {
	info   string
	labels []string
	ranges []float64    // minimum and maximum of each channel
	luts   [][][3]uint8 // 256 colours of each channel
}

// maxImageJ bounds the tag: labels of 10,000 slices take a megabyte.
const maxImageJ = 64 << 20

func (t *file) imageJExtra(ctx context.Context, r *reader, f front) imageJExtra {
	lengths, ok := find(f.entries, tagImageJCounts)
	values, ok2 := find(f.entries, tagImageJ)
	if !ok || !ok2 {
		return imageJExtra{}
	}
	n, err := r.integers(ctx, lengths, 1<<20)
	if err != nil {
		return imageJExtra{}
	}
	raw, err := r.bytes(ctx, values, maxImageJ)
	if err != nil {
		return imageJExtra{}
	}
	return parseImageJExtra(raw, n, t.order)
}

func parseImageJExtra(raw []byte, lengths []uint64, order binary.ByteOrder) imageJExtra {
	var x imageJExtra
	if len(lengths) < 2 || lengths[0] < 12 || lengths[0] > uint64(len(raw)) || lengths[0]%8 != 4 || order.Uint32(raw) != 0x494A494A {
		return x
	}
	head, rest := raw[4:lengths[0]], raw[lengths[0]:]
	lengths = lengths[1:]
	for ; len(head) >= 8; head = head[8:] {
		kind, count := order.Uint32(head), order.Uint32(head[4:])
		for range count {
			if len(lengths) == 0 || lengths[0] > uint64(len(rest)) {
				return x
			}
			x.add(kind, rest[:lengths[0]], order)
			rest, lengths = rest[lengths[0]:], lengths[1:]
		}
	}
	return x
}

func (x *imageJExtra) add(kind uint32, value []byte, order binary.ByteOrder) {
	text := func() string { // UTF-16
		units := make([]uint16, len(value)/2)
		for i := range units {
			units[i] = order.Uint16(value[2*i:])
		}
		return string(utf16.Decode(units))
	}
	switch kind {
	case 0x696E666F: // "info"
		x.info = text()
	case 0x6C61626C: // "labl"
		x.labels = append(x.labels, text())
	case 0x72616E67: // "rang"
		for ; len(value) >= 8; value = value[8:] {
			x.ranges = append(x.ranges, math.Float64frombits(order.Uint64(value)))
		}
	case 0x6C757473: // "luts": 256 reds, 256 greens, 256 blues
		if len(value) != 768 {
			return
		}
		lut := make([][3]uint8, 256)
		for i := range lut {
			lut[i] = [3]uint8{value[i], value[256+i], value[512+i]}
		}
		x.luts = append(x.luts, lut)
	}
}

// channels is how ImageJ wants the channels named and shown; nil if it says nothing.
func (x imageJExtra) channels(h hyperstack, dims []dim, l *layout) []lazy.Channel {
	n := 1
	for _, d := range dims {
		if d.axis == 'c' {
			n = d.n
		}
	}
	if l.samples > 1 || n > 1<<16 {
		return nil
	}
	channels := make([]lazy.Channel, n)
	said := false
	for c := range channels {
		if 2*c+1 < len(x.ranges) {
			channels[c].Limits = limits(x.ranges[2*c], x.ranges[2*c+1])
		} else if len(x.ranges) == 0 && n == 1 {
			channels[c].Limits = limits(h.number("min"), h.number("max"))
		}
		if c < len(x.luts) {
			if colour, ok := ramp(x.luts[c]); ok {
				channels[c].Color = colour
			} else {
				channels[c].LUT = x.luts[c]
			}
		}
		channels[c].Name = channelLabel(x.labels, c, dims)
		said = said || channels[c].Limits != nil || channels[c].Color != "" || channels[c].LUT != nil || channels[c].Name != ""
	}
	if !said {
		return nil
	}
	return channels
}

// limits is a range that can be shown, else nil.
func limits(low, high float64) *[2]float64 {
	if math.IsNaN(low) || math.IsNaN(high) || math.IsInf(low, 0) || math.IsInf(high, 0) || low >= high {
		return nil
	}
	return &[2]float64{low, high}
}

// ramp is the colour of a LUT that goes evenly from black to it.
func ramp(lut [][3]uint8) (string, bool) {
	if len(lut) != 256 {
		return "", false
	}
	end := lut[255]
	for i, v := range lut {
		for k := range v {
			if d := int(v[k]) - (i*int(end[k])+127)/255; d < -1 || d > 1 {
				return "", false
			}
		}
	}
	return fmt.Sprintf("#%02x%02x%02x", end[0], end[1], end[2]), end != [3]uint8{}
}

// channelLabel is the label that all planes of channel c share, and no other, "" if there is none: ImageJ labels
// planes, not channels, in the order of dims.
func channelLabel(labels []string, c int, dims []dim) string {
	step, n, total := 0, 1, 1
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i].axis == 'c' {
			step, n = total, dims[i].n
		}
		total *= max(1, min(dims[i].n, len(labels)+1))
	}
	if n > 64 || len(labels) != total {
		return ""
	}
	if step == 0 {
		step = total // one channel, which all planes are of
	}
	name := labels[c*step]
	for i, label := range labels {
		if i/step%n == c && label != name || i/step%n != c && label == name {
			return ""
		}
	}
	return name
}

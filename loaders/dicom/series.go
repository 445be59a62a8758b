package dicom

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"lamella/lazy"
	"lamella/loaders"
)

// assemble makes images of objects: one of each that has several frames, and one of all single frames
// that belong to one series, have one format and lie in parallel.
func assemble(ctx context.Context, objects []*object, in loaders.Input) (images []lazy.Image, said []string, err error) {
	type group struct {
		volume volume
		first  *object
	}
	var groups []group
	at := map[string]int{}
	var singles [][]slice
	for _, o := range objects {
		if o.frames > 1 {
			groups = append(groups, group{frames(o), o})
			continue
		}
		s := sliceOf(o, 0)
		key := s.family()
		if _, ok := at[key]; !ok {
			at[key] = len(singles)
			singles = append(singles, nil)
		}
		singles[at[key]] = append(singles[at[key]], s)
	}
	for _, all := range singles {
		groups = append(groups, group{stack(all), all[0].object})
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		number := func(g group) int {
			n, _ := strconv.Atoi(g.first.set.text(tagSeriesNumber))
			return n
		}
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a.first.set.text(tagSeries), b.first.set.text(tagSeries)))
	})
	taken := map[string]int{}
	for _, g := range groups {
		if in.Axes != "" {
			if err := g.volume.rename(in.Axes, g.first.format.samples); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path.Base(g.first.key), err)
			}
		}
		image, err := g.volume.image(g.first, in)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path.Base(g.first.key), err)
		}
		image.Metadata = g.first.said(ctx)
		if taken[image.Path]++; taken[image.Path] > 1 {
			image.Path += fmt.Sprintf("#%d", taken[image.Path])
		}
		for _, w := range g.volume.said {
			if len(groups) > 1 {
				w = image.Name + ": " + w
			}
			said = append(said, w+".")
		}
		images = append(images, image)
	}
	return images, said, nil
}

// family names what a slice shares with those that it makes a volume with.
func (s slice) family() string {
	o := s.object
	y, x, _ := spacing(o, s.frame)
	turned := s.orientation
	for i, v := range turned {
		turned[i] = math.Round(v*100)/100 + 0 // no negative zero
	}
	f := o.format
	f.planar, f.halved, f.high = false, false, 0
	return fmt.Sprintf("%q %v %.4g %.4g %v", o.set.text(tagSeries), f, y, x, turned)
}

// image makes the image of a volume. Every frame has the format of the first.
func (v *volume) image(o *object, in loaders.Input) (lazy.Image, error) {
	f := o.format
	image := lazy.Image{Name: o.set.text(tagSeriesText), Path: o.set.text(tagSeries)}
	if image.Name == "" {
		image.Name = path.Base(o.key)
		if in.Key == "" && len(v.slices) > 1 && o.frames == 1 {
			image.Name = path.Base(filepath.ToSlash(in.Path))
		}
	}
	s := &source{format: f, rgb: !in.Stored && f.luminance()}
	for _, x := range v.slices {
		s.refs = append(s.refs, x.ref)
		if plain := x.slope == 1 && x.intercept == 0; !plain && !in.Stored && f.samples == 1 && f.photometric != "PALETTE COLOR" {
			s.scaled = true
		}
	}
	m := &s.meta
	m.Shape = lazy.Shape{v.t, v.z, v.c * f.samples, f.rows, f.columns}
	dims := loaders.Axes{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X}
	if _, err := dims.Shape([]int64{int64(v.t), int64(v.z), int64(v.c * f.samples), int64(f.rows), int64(f.columns)}); err != nil {
		return image, err
	}
	if m.DType = f.dtype(); s.scaled {
		if m.DType = lazy.F64; f.allocated <= 16 || f.float && f.allocated == 32 {
			m.DType = lazy.F32
		}
	}
	y, x, _ := spacing(o, v.slices[0].frame)
	setScale(m, v.step, y, x)
	if v.seconds > 0 {
		m.Scale[lazy.T], m.Unit[lazy.T] = v.seconds, "s"
	}
	m.Labels = o.set.text(tagSOPClass) == segmentation && f.allocated <= 16
	a, err := s.array()
	if err != nil {
		return image, err
	}
	v.colours(o, s, &image)
	image.Order = v.order(in.Axes, f.samples)
	image.Levels = []lazy.Level{{Array: a, Codec: o.codecName()}}
	return image, nil
}

func (o *object) codecName() string {
	switch {
	case o.syntax.deflated:
		return "deflate"
	case o.packed != nil:
		return string(o.syntax.codec)
	}
	return "raw"
}

// colours fills in the channels, and says what a picture is shown as.
func (v *volume) colours(o *object, s *source, image *lazy.Image) {
	n := s.meta.Shape[lazy.C]
	image.Channels = v.channels
	if len(image.Channels) != n {
		image.Channels = nil
	}
	if o.set[tagModalityLUT].items != nil {
		v.said = append(v.said, "a modality lookup table was left out: the values are those stored")
	}
	switch f := o.format; {
	case f.samples == 3 && (f.photometric == "RGB" || f.photometric == "YBR_RCT" || f.photometric == "YBR_ICT" || s.rgb):
		image.RGB = v.c == 1
		for range v.c {
			image.Channels = append(image.Channels, lazy.Channel{Name: "red", Color: "#ff0000"}, lazy.Channel{Name: "green", Color: "#00ff00"}, lazy.Channel{Name: "blue", Color: "#0000ff"})
		}
	case f.samples == 3:
		for range v.c {
			image.Channels = append(image.Channels, lazy.Channel{Name: "Y"}, lazy.Channel{Name: "Cb"}, lazy.Channel{Name: "Cr"})
		}
	case f.photometric == "MONOCHROME1":
		v.said = append(v.said, "its high values are dark (MONOCHROME1); they are shown as they are stored")
	case f.photometric == "PALETTE COLOR" && n == 1:
		if lut := o.palette(); lut != nil {
			image.Channels = []lazy.Channel{{LUT: lut, Limits: &[2]float64{0, float64(len(lut) - 1)}}}
		}
	}
	if limits := v.window(o, s); limits != nil && o.format.samples == 1 && o.format.photometric != "PALETTE COLOR" {
		if image.Channels == nil {
			image.Channels = make([]lazy.Channel, n)
		}
		for i := range image.Channels {
			image.Channels[i].Limits = limits
		}
	}
}

// window is the contrast limits of the first window that the object states (PS3.3, C.11.2.1.2), which
// are in values after the rescale slope and intercept.
func (v *volume) window(o *object, s *source) *[2]float64 {
	c, ok := o.set.float(tagCenter)
	w, ok2 := o.set.float(tagWidth)
	if !ok || !ok2 || w < 1 {
		return nil
	}
	limits := [2]float64{c - 0.5 - (w-1)/2, c - 0.5 + (w-1)/2}
	if first := v.slices[0]; !s.scaled {
		limits[0], limits[1] = (limits[0]-first.intercept)/first.slope, (limits[1]-first.intercept)/first.slope
	}
	if !(limits[0] < limits[1]) || math.IsInf(limits[1]-limits[0], 0) {
		return nil
	}
	return &limits
}

// palette is the colour of each index (PS3.3, C.7.9): a table begins with its length, the first index
// that it is for, and the bits of its entries. nil if there is none, or one in segments.
func (o *object) palette() [][3]uint8 {
	var lut [][3]uint8
	for k := range tag(3) {
		form, v := o.set.numbers(tagRedForm+k), o.set[tagRed+k]
		if len(form) != 3 || v.raw == nil {
			return nil
		}
		n, first := int(form[0]), int(form[1])
		if n == 0 {
			n = 1 << 16
		}
		wide := len(v.raw) >= 2*n
		if !wide && len(v.raw) < n || first < 0 || first > 1<<15 {
			return nil
		}
		if lut == nil {
			lut = make([][3]uint8, min(first+n, 1<<16))
		}
		for i := range lut {
			j := max(0, min(n-1, i-first))
			switch {
			case wide && form[2] > 8:
				lut[i][k] = uint8(v.order.Uint16(v.raw[2*j:]) >> 8)
			case wide:
				lut[i][k] = uint8(v.order.Uint16(v.raw[2*j:]))
			default:
				lut[i][k] = v.raw[j]
			}
		}
	}
	return lut
}

package hdf5

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lamella/lazy"
	"lamella/loaders"
)

// isImaris knows an Imaris file (Imaris 5.5 file format) by its groups.
func isImaris(names []link) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(names, func(l link) bool { return l.name == name })
	}
	return has("DataSet") && has("DataSetInfo")
}

// imaris makes one image of DataSet/ResolutionLevel L/TimePoint T/Channel C/Data. Chunks are whole there:
// how many voxels are the image's is said by ImageSizeX and so on, and the rest is cut off.
func (o *opening) imaris(ctx context.Context) error {
	o.format = "imaris"
	top, err := o.f.numbered(ctx, o.f.root, "DataSet", "ResolutionLevel ")
	if err != nil {
		return err
	}
	image := lazy.Image{Name: "image"}
	info := o.f.infoOf(ctx)
	if name := info.image["Name"]; name != "" {
		image.Name = name
	}
	for n := range len(top) {
		at, ok := top[n]
		if !ok {
			o.warn("ResolutionLevel %d is missing; the levels behind it were left out", n)
			break
		}
		l, err := o.imarisLevel(ctx, at, n, info)
		if err == nil && n > 0 {
			err = likeFirst(image.Levels[0], l)
		}
		if err != nil && (n == 0 || ctx.Err() != nil) {
			return fmt.Errorf("ResolutionLevel %d: %w", n, err)
		}
		if err != nil {
			o.warn("ResolutionLevel %d was left out: %v", n, err)
			break
		}
		image.Levels = append(image.Levels, l)
	}
	if len(image.Levels) == 0 {
		return damaged("DataSet holds no ResolutionLevel 0")
	}
	for c := range image.Levels[0].Array.Meta().Shape[lazy.C] {
		image.Channels = append(image.Channels, info.channel(c))
	}
	image.Metadata = o.f.saidByImaris(ctx)
	o.images = []lazy.Image{image}
	return nil
}

// likeFirst refuses a level that has other channels, timepoints or values than the finest.
func likeFirst(first, l lazy.Level) error {
	a, b := first.Array.Meta(), l.Array.Meta()
	if a.DType != b.DType || a.Shape[lazy.T] != b.Shape[lazy.T] || a.Shape[lazy.C] != b.Shape[lazy.C] {
		return damaged("%v of %v, the finest level has %v of %v", b.DType, b.Shape, a.DType, a.Shape)
	}
	return nil
}

// numbered are the members of a group that are called like "TimePoint 3", by their numbers.
func (f *file) numbered(ctx context.Context, from uint64, path, prefix string) (map[int]uint64, error) {
	f, at, err := f.resolve(ctx, from, path)
	if err != nil {
		return nil, err
	}
	o, err := f.object(ctx, at)
	if err != nil {
		return nil, err
	}
	all, err := o.links(ctx)
	if err != nil {
		return nil, err
	}
	found := map[int]uint64{}
	for _, l := range all {
		number, ok := strings.CutPrefix(l.name, prefix)
		n, err := strconv.Atoi(number)
		if ok && err == nil && n >= 0 && l.soft == "" && l.external == "" {
			found[n] = l.at
		}
	}
	return found, nil
}

// imarisLevel makes one resolution. The datasets of all timepoints and channels have to be alike.
func (o *opening) imarisLevel(ctx context.Context, at uint64, n int, info imarisInfo) (lazy.Level, error) {
	f := o.f
	times, err := f.numbered(ctx, at, "", "TimePoint ")
	if err != nil {
		return lazy.Level{}, err
	}
	firstTime, ok := times[0]
	if !ok {
		return lazy.Level{}, damaged("there is no TimePoint 0")
	}
	channels, err := f.numbered(ctx, firstTime, "", "Channel ")
	if err != nil {
		return lazy.Level{}, err
	}
	count := dense(times)
	if count < len(times) {
		o.warn("ResolutionLevel %d: timepoints behind the missing number %d were left out", n, count)
	}
	firstChannel, ok := channels[0]
	if !ok {
		return lazy.Level{}, damaged("there is no Channel 0")
	}
	if dense(channels) < len(channels) {
		o.warn("ResolutionLevel %d: channels behind the missing number %d were left out", n, dense(channels))
	}
	d, err := f.datasetAt(ctx, firstChannel, "Data")
	if err != nil {
		return lazy.Level{}, err
	}
	if len(d.dims) != 3 {
		return lazy.Level{}, damaged("Data has %d dimensions instead of 3", len(d.dims))
	}
	size, err := f.imageSize(ctx, firstChannel, d)
	if err != nil {
		return lazy.Level{}, err
	}
	axes := loaders.Axes{lazy.Z, lazy.Y, lazy.X}
	if _, err := (loaders.Axes{lazy.T, lazy.C, lazy.Z, lazy.Y, lazy.X}).Shape(append([]int64{int64(count), int64(dense(channels))}, size...)); err != nil {
		return lazy.Level{}, err
	}
	m := lazy.Meta{DType: d.element.dtype, Shape: lazy.Shape{count, int(size[0]), dense(channels), int(size[1]), int(size[2])}}
	m.Chunk = d.grain(axes, m.Shape)
	info.place(&m)
	path := fmt.Sprintf("DataSet/ResolutionLevel %d", n)
	s := &source{f: f, name: path, axes: axes, meta: m, rows: d.class == chunked && d.raw(axes)}
	var known cache
	s.pick = func(ctx context.Context, t, c int) (*dataset, string, error) {
		part := fmt.Sprintf("%s/TimePoint %d/Channel %d/Data", path, t, c)
		x, err := known.get(part, func() (*dataset, error) {
			return f.datasetAt(ctx, times[t], fmt.Sprintf("Channel %d/Data", c))
		})
		if err == nil {
			err = x.like(d, size)
		}
		return x, part, err
	}
	return lazy.Level{Array: s.array(), Path: path, Codec: d.codecName()}, nil
}

// dense is how many numbers from 0 on are there.
func dense(m map[int]uint64) int {
	n := 0
	for ; ; n++ {
		if _, ok := m[n]; !ok {
			return n
		}
	}
}

// datasetAt is the dataset of a path below a group.
func (f *file) datasetAt(ctx context.Context, from uint64, path string) (*dataset, error) {
	f, at, err := f.resolve(ctx, from, path)
	if err != nil {
		return nil, err
	}
	o, err := f.object(ctx, at)
	if err != nil {
		return nil, err
	}
	return o.dataset(ctx, path)
}

// imageSize is how many voxels of Data are the image's: attributes of the channel's group, which files
// of other writers may lack.
func (f *file) imageSize(ctx context.Context, channel uint64, d *dataset) ([]int64, error) {
	o, err := f.object(ctx, channel)
	if err != nil {
		return nil, err
	}
	attributes, err := o.attributes(ctx)
	if err != nil {
		return nil, err
	}
	size := slices.Clone(d.dims)
	for i, name := range []string{"ImageSizeZ", "ImageSizeY", "ImageSizeX"} {
		a, ok := attributes[name]
		if !ok {
			continue
		}
		v, err := strconv.ParseInt(strings.TrimSpace(a.text(ctx)), 10, 64)
		if number, ok := a.number(); err != nil && ok {
			v, err = int64(number), nil
		}
		if err != nil || v < 1 || v > d.dims[i] {
			return nil, damaged("%s is %q, Data has %d", name, a.text(ctx), d.dims[i])
		}
		size[i] = v
	}
	return size, nil
}

// imarisInfo is what DataSetInfo says: texts by names, of the image and of each channel.
type imarisInfo struct {
	image    map[string]string
	times    map[string]string
	channels map[int]map[string]string
}

// infoOf reads DataSetInfo. What is missing there is unknown, and the voxels are shown all the same.
func (f *file) infoOf(ctx context.Context) imarisInfo {
	info := imarisInfo{channels: map[int]map[string]string{}}
	info.image = f.notes(ctx, "DataSetInfo/Image")
	info.times = f.notes(ctx, "DataSetInfo/TimeInfo")
	list, _ := f.numbered(ctx, f.root, "DataSetInfo", "Channel ")
	for n := range min(len(list), 1<<10) {
		info.channels[n] = f.notes(ctx, fmt.Sprintf("DataSetInfo/Channel %d", n))
	}
	return info
}

// notes are the attributes of a group as texts.
func (f *file) notes(ctx context.Context, path string) map[string]string {
	found := map[string]string{}
	f, at, err := f.resolve(ctx, f.root, path)
	if err != nil {
		return found
	}
	o, err := f.object(ctx, at)
	if err != nil {
		return found
	}
	attributes, _ := o.attributes(ctx)
	for name, a := range attributes {
		found[name] = strings.ToValidUTF8(a.text(ctx), "?")
		if v := a.floats(); found[name] == "" && len(v) > 0 {
			found[name] = strings.Trim(fmt.Sprint(v), "[]")
		}
	}
	return found
}

// place fills in where the voxels of a level lie: the extent of the image divided by its voxels, and the
// time between the first and the last timepoint divided likewise.
func (info imarisInfo) place(m *lazy.Meta) {
	factor, ok := loaders.Micrometres(info.image["Unit"])
	unit := "um"
	if !ok {
		factor = 1 // Imaris writes micrometres where it writes no unit
		if u := strings.TrimSpace(info.image["Unit"]); u != "" {
			unit = ""
		}
	}
	for i, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		from, err := strconv.ParseFloat(strings.TrimSpace(info.image[fmt.Sprintf("ExtMin%d", i)]), 64)
		to, err2 := strconv.ParseFloat(strings.TrimSpace(info.image[fmt.Sprintf("ExtMax%d", i)]), 64)
		step := loaders.Step((to - from) / float64(m.Shape[a]) * factor)
		if err != nil || err2 != nil || step == 0 || math.IsInf(from, 0) || math.IsNaN(from) {
			continue
		}
		m.Scale[a], m.Unit[a] = step, unit
		m.Origin[a] = from*factor + step/2
	}
	first, err := imarisTime(info.times["TimePoint1"])
	last, err2 := imarisTime(info.times[fmt.Sprintf("TimePoint%d", m.Shape[lazy.T])])
	if n := m.Shape[lazy.T]; n > 1 && err == nil && err2 == nil && last.After(first) {
		m.Scale[lazy.T], m.Unit[lazy.T] = last.Sub(first).Seconds()/float64(n-1), "s"
	}
}

func imarisTime(text string) (time.Time, error) {
	return time.Parse("2006-01-02 15:04:05.999", strings.TrimSpace(text))
}

// channel is the name, the colour and the limits of one.
func (info imarisInfo) channel(n int) lazy.Channel {
	notes := info.channels[n]
	c := lazy.Channel{Name: notes["Name"]}
	if v, ok := numbers(notes["Color"], 3); ok && notes["ColorMode"] != "TableColor" {
		c.Color = fmt.Sprintf("#%02x%02x%02x", shade(v[0]), shade(v[1]), shade(v[2]))
	}
	if v, ok := numbers(notes["ColorRange"], 2); ok && v[0] < v[1] {
		c.Limits = &[2]float64{v[0], v[1]}
	}
	return c
}

// shade is a part of a colour, from 0 to 1, as a byte.
func shade(v float64) int { return int(math.Round(255 * min(1, max(0, v)))) }

// numbers reads n finite numbers between spaces.
func numbers(text string, n int) ([]float64, bool) {
	var out []float64
	for _, w := range strings.Fields(text) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) == n
}

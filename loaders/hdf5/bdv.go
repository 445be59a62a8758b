package hdf5

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

var (
	timeName  = regexp.MustCompile(`^t(\d{5,9})$`)
	setupName = regexp.MustCompile(`^s(\d{2,9})$`)
)

// isViewer knows BigDataViewer's HDF5 by the groups of a timepoint and of a setup.
func isViewer(names []link) bool {
	return len(matching(names, timeName)) > 0 && len(matching(names, setupName)) > 0
}

// matching are the links with a name of a form, by the number in it.
func matching(names []link, form *regexp.Regexp) map[int]link {
	found := map[int]link{}
	for _, l := range names {
		if m := form.FindStringSubmatch(l.name); m != nil {
			n, _ := strconv.Atoi(m[1])
			found[n] = l
		}
	}
	return found
}

// A views is a BigDataViewer data set: its cells lie in tTTTTT/sSS/L/cells.
type views struct {
	*opening
	xml     *spim // nil where there is only the HDF5 file
	times   []int
	groups  map[int]link // of the timepoints
	setups  map[int]link
	missing map[[2]int]bool // timepoint and setup
	turned  bool            // it was said that rotations are left out
}

// viewer makes one image of each setup, in the order of the XML.
func (o *opening) viewer(ctx context.Context, names []link, s *spim) error {
	o.format = "bdv"
	v := &views{opening: o, xml: s, groups: matching(names, timeName), setups: matching(names, setupName), missing: map[[2]int]bool{}}
	if s == nil {
		v.times = slices.Sorted(maps.Keys(v.groups))
		for _, setup := range slices.Sorted(maps.Keys(v.setups)) {
			if err := v.setup(ctx, setup, -1); err != nil {
				return err
			}
		}
		o.warn("The voxel size is not known: it stands in an .xml that is not beside this file")
		return v.end()
	}
	var err error
	if v.times, err = s.times(); err != nil {
		return err
	}
	for _, m := range s.Missing {
		v.missing[[2]int{m.Time, m.Setup}] = true
	}
	lost := 0
	for _, t := range v.times {
		if _, ok := v.groups[t]; !ok {
			lost++
		}
	}
	if lost > 0 {
		o.warn("%d of the %d timepoints are not in the file", lost, len(v.times))
	}
	if n := len(s.Missing); n > 0 {
		o.warn("%d views were never taken, as the XML says; they are shown as 0", n)
	}
	for i, x := range s.Setups {
		if err := v.setup(ctx, x.ID, i); err != nil {
			return err
		}
	}
	return v.end()
}

func (v *views) end() error {
	if len(v.images) == 0 {
		return fmt.Errorf("none of its setups can be shown: %s: %w", strings.Join(v.warnings, " "), loaders.ErrUnsupported)
	}
	return nil
}

// setup adds one setup as an image. i is its place in the XML, -1 without one. A setup that cannot be read
// is left out and named, and so are levels.
func (v *views) setup(ctx context.Context, setup, i int) error {
	image := lazy.Image{Name: fmt.Sprintf("setup %d", setup)}
	if i >= 0 {
		image.Metadata = v.xml.said(i)
		if v.xml.Setups[i].Name != "" {
			image.Name = v.xml.Setups[i].Name
		}
	}
	factors, err := v.factors(ctx, setup)
	for n := 0; n < len(factors) && err == nil; n++ {
		var s *source
		var d *dataset
		if s, d, err = v.level(ctx, setup, n); err != nil {
			break
		}
		v.place(&s.meta, i, factors[n])
		if n == 0 && i >= 0 {
			image.Channels = []lazy.Channel{v.xml.channel(i, s.meta.DType)}
		}
		image.Levels = append(image.Levels, lazy.Level{Array: s.array(), Path: s.name, Codec: d.codecName()})
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(image.Levels) == 0:
		v.warn("Setup %d was left out: %v", setup, err)
		return nil
	case err != nil:
		v.warn("Setup %d: level %d and coarser ones were left out: %v", setup, len(image.Levels), err)
	}
	v.images = append(v.images, image)
	return nil
}

// maxLevels is the most resolutions of a setup.
const maxLevels = 64

// factors reads sSS/resolutions: by how many voxels along z, y and x those of each level are coarser. The
// file has them as x, y, z.
func (v *views) factors(ctx context.Context, setup int) ([][3]float64, error) {
	name := fmt.Sprintf("s%02d", setup)
	l, ok := v.setups[setup]
	if !ok {
		return nil, damaged("the file has no group %s", name)
	}
	links := 0
	f, group, err := v.f.step(ctx, v.f.root, l, &links)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d, err := f.datasetAt(ctx, group, "resolutions")
	if err != nil {
		return nil, fmt.Errorf("%s/resolutions: %w", name, err)
	}
	if len(d.dims) != 2 || d.dims[0] < 1 || d.dims[0] > maxLevels || d.dims[1] != 3 {
		return nil, damaged("%s/resolutions has the shape %v", name, d.dims)
	}
	b := lazy.NewBlock(lazy.Region{Max: lazy.Index{1, 1, 1, int(d.dims[0]), 3}}, d.element.dtype)
	if _, err := d.read(ctx, b, loaders.Axes{lazy.Y, lazy.X}); err != nil {
		return nil, fmt.Errorf("%s/resolutions: %w", name, err)
	}
	var all [][3]float64
	for n := range int(d.dims[0]) {
		var by [3]float64
		for i := range by {
			by[i] = b.Value(lazy.Index{0, 0, 0, n, 2 - i})
			if loaders.Step(by[i]) != by[i] || by[i] == 0 {
				return nil, damaged("%s/resolutions: a factor of %v", name, by[i])
			}
		}
		all = append(all, by)
	}
	return all, nil
}

// level makes one resolution of a setup, all timepoints of it. The first timepoint that is there says
// how large it is.
func (v *views) level(ctx context.Context, setup, n int) (*source, *dataset, error) {
	name := func(t int) string { return fmt.Sprintf("t%05d/s%02d/%d/cells", t, setup, n) }
	at := func(ctx context.Context, t int) (*dataset, error) {
		l, ok := v.groups[t]
		if !ok {
			return nil, fmt.Errorf("the file has no timepoint %d: %w", t, errNothing)
		}
		links := 0
		f, group, err := v.f.step(ctx, v.f.root, l, &links)
		if err != nil {
			return nil, err
		}
		return f.datasetAt(ctx, group, fmt.Sprintf("s%02d/%d/cells", setup, n))
	}
	var first *dataset
	var err error
	begin := 0
	for i, t := range v.times {
		if _, there := v.groups[t]; !there || v.missing[[2]int{t, setup}] {
			continue
		}
		begin = i
		if first, err = at(ctx, t); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name(t), err)
		}
		break
	}
	if first == nil {
		return nil, nil, damaged("it has no timepoint")
	}
	if len(first.dims) != 3 {
		return nil, nil, damaged("%s has %d dimensions instead of 3", name(v.times[begin]), len(first.dims))
	}
	axes := loaders.Axes{lazy.Z, lazy.Y, lazy.X}
	shape, err := append(loaders.Axes{lazy.T}, axes...).Shape(append([]int64{int64(len(v.times))}, first.dims...))
	if err != nil {
		return nil, nil, err
	}
	m := lazy.Meta{Shape: shape, DType: first.element.dtype}
	m.Chunk = first.grain(axes, shape)
	if m.DType == lazy.I16 {
		m.DType = lazy.U16 // HDF5 for Java had no unsigned type: the bits are those of an unsigned one
	}
	s := &source{f: v.f, name: name(v.times[begin]), axes: axes, meta: m, rows: first.class == chunked && first.raw(axes)}
	if first.f != v.f {
		s.also = "|" + first.f.ID()
	}
	var known cache
	s.pick = func(ctx context.Context, t, _ int) (*dataset, string, error) {
		number := v.times[t]
		part := name(number)
		if v.missing[[2]int{number, setup}] {
			return nil, part, nil
		}
		d, err := known.get(part, func() (*dataset, error) { return at(ctx, number) })
		if err == nil {
			err = d.like(first, first.dims)
		}
		return d, part, err
	}
	return s, first, nil
}

// place fills in the voxel size of a level, and the place of its first voxel: the centre of a coarse
// voxel is that of the fine ones in it.
func (v *views) place(m *lazy.Meta, i int, by [3]float64) {
	if i < 0 {
		return
	}
	size, factor, unit := v.xml.voxel(i)
	if factor == 0 {
		return
	}
	shift, straight := v.xml.place(i, v.times[0])
	if !straight && !v.turned {
		v.turned = true
		v.warn("What the XML says of rotations and other scales of the setups was left out: each is shown as it was taken")
	}
	for k, a := range []lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
		m.Scale[a], m.Unit[a] = size[k]*by[k], unit
		m.Origin[a] = shift[k]*factor + size[k]*(by[k]-1)/2
	}
}

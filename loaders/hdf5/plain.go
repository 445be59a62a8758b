package hdf5

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Bounds of a hierarchy: more than any file of images has, fewer than would hold up the program.
const (
	maxObjects = 20_000
	maxDepth   = 24
	maxListed  = 1 << 21
	maxNoted   = 1 << 20
	maxSaid    = 2000
)

// A walk visits the groups of a file, and of those that it links to, once each, and every name of a dataset.
type walk struct {
	*opening
	seen    map[place]bool
	visited int
	listed  int // names in all groups
	notes   int // attributes of all datasets

	pictures map[place]*picture
	lines    []lazy.Image // datasets of one dimension, which are images only where there are no others
}

// A place is an object's, in one of the files that links lead to.
type place struct {
	f  *file
	at uint64
}

// plain makes an image of each dataset of numbers.
func (o *opening) plain(ctx context.Context) error {
	o.format = "hdf5"
	w := &walk{opening: o, seen: map[place]bool{}, pictures: map[place]*picture{}}
	if err := w.group(ctx, place{o.f, o.f.root}, "", nil, 0); err != nil {
		return err
	}
	if len(o.images) == 0 {
		o.images = w.lines
	}
	if len(o.images) > 0 {
		return nil
	}
	if len(o.warnings) > 0 {
		return fmt.Errorf("it holds no dataset that can be shown: %s: %w", strings.Join(o.warnings, " "), loaders.ErrUnsupported)
	}
	return fmt.Errorf("it holds no dataset of numbers: %w", loaders.ErrFormat)
}

// group visits a group, or a dataset. above is what the attributes of the groups around it say.
func (w *walk) group(ctx context.Context, at place, name string, above []lazy.Entry, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.visited++; w.visited > maxObjects {
		return nil
	}
	o, err := at.f.object(ctx, at.at)
	if err != nil {
		return err
	}
	if !o.group() {
		return w.dataset(ctx, o, name, above)
	}
	if w.seen[at] {
		return nil // by another name already, or within itself
	}
	w.seen[at] = true
	if depth > maxDepth {
		return unsupported("groups more than %d deep", maxDepth)
	}
	above = w.below(ctx, o, name, above)
	links, err := o.links(ctx)
	if err != nil {
		return err
	}
	if w.listed += len(links); w.listed > maxListed {
		return unsupported("groups of more than %d names in all", maxListed)
	}
	slices.SortStableFunc(links, func(a, b link) int { return store.NaturalCompare(a.name, b.name) })
	for i, l := range links {
		full := path.Join(name, l.name)
		if w.visited >= maxObjects {
			w.warn("Of more than %d objects the rest was left out, from %s on (%d more in its group)", maxObjects, full, len(links)-i-1)
			w.visited++
			return nil
		}
		var err error
		switch {
		case l.soft != "":
			continue // another name of what is found by its own, or of nothing
		case l.external != "":
			links := 0
			var to place
			if to.f, to.at, err = at.f.step(ctx, at.at, l, &links); err == nil {
				err = w.group(ctx, to, full, above, depth+1)
			}
		default:
			err = w.group(ctx, place{at.f, l.at}, full, above, depth+1)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errNoDataset):
		case err != nil:
			w.warn("%s was left out: %v", full, err)
		}
	}
	return nil
}

// below is what is said above a group, and by its own attributes, which stand behind its path.
func (w *walk) below(ctx context.Context, o *object, name string, above []lazy.Entry) []lazy.Entry {
	attributes, err := o.attributes(ctx)
	if w.notes += len(attributes); err != nil || len(attributes) == 0 || len(above) > maxSaid || w.notes > maxNoted {
		return above
	}
	var said loaders.Entries
	say(ctx, &said, "/"+name+": ", attributes)
	return append(above[:len(above):len(above)], said.List()...)
}

// dataset adds a dataset as an image. Texts, records and single values are passed over: they are notes
// beside the images.
func (w *walk) dataset(ctx context.Context, o *object, name string, above []lazy.Entry) error {
	if m, ok := o.find(msgDatatype); ok {
		t, err := o.typeOf(ctx, m, 0)
		if err != nil {
			return err
		}
		if quiet := t.class == classString || t.class == classVariable || t.class == classReference || t.class == classOpaque; quiet {
			return nil
		}
	}
	p, err := w.picture(ctx, o, name)
	if err != nil {
		return err
	}
	d := p.d
	if len(d.dims) == 0 {
		return nil
	}
	image := lazy.Image{Name: path.Base(name), Path: name, Assumed: p.assumed, RGB: p.rgb}
	image.Order.Axes, image.Metadata = p.order.String(), append(p.said[:len(p.said):len(p.said)], above...)
	a, err := d.array(p.order, p.lies, name)
	if err != nil {
		return err
	}
	image.Levels = []lazy.Level{{Array: a, Codec: d.codecName()}}
	if image.RGB && a.Meta().Shape[lazy.C] == 3 {
		image.Channels = []lazy.Channel{{Name: "red", Color: "#ff0000"}, {Name: "green", Color: "#00ff00"}, {Name: "blue", Color: "#0000ff"}}
	}
	if len(d.dims) == 1 {
		w.lines = append(w.lines, image)
	} else {
		w.images = append(w.images, image)
	}
	return nil
}

// picture reads what a dataset and its attributes say, once however many names it has.
func (w *walk) picture(ctx context.Context, o *object, name string) (*picture, error) {
	at := place{o.f, o.at}
	if p := w.pictures[at]; p != nil {
		return p, nil
	}
	d, err := o.dataset(ctx, name)
	if err != nil {
		return nil, err
	}
	p := &picture{d: d}
	if w.notes < maxNoted {
		if p.attributes, err = o.attributes(ctx); err != nil {
			w.warn("The attributes of %s cannot be read: %v", name, err)
		}
		if w.notes += len(p.attributes); w.notes >= maxNoted {
			w.warn("Of more than %d attributes the rest was left out, from %s on", maxNoted, name)
		}
	}
	if len(d.dims) > 0 {
		if err := p.axes(ctx, w.in.Axes); err != nil {
			return nil, err
		}
	}
	p.lies = p.place(ctx)
	var said loaders.Entries
	say(ctx, &said, "", p.attributes)
	p.said, p.attributes = said.List(), nil
	w.pictures[at] = p
	return p, nil
}

// A picture is a dataset with what its attributes say of it.
type picture struct {
	d          *dataset
	attributes map[string]attribute
	order      loaders.Axes
	assumed    string
	rgb        bool
	lies       placement
	said       []lazy.Entry
}

func (p *picture) text(ctx context.Context, name string) string {
	if a, ok := p.attributes[name]; ok {
		return a.text(ctx)
	}
	return ""
}

// axes finds out which axis each dimension is: by the user's word, by ilastik's axistags, by the labels
// of the dimensions (HDF5 Dimension Scale Specification), by the HDF5 Image and Palette Specification,
// by an attribute axes; else by the rule for dimensions without names.
func (p *picture) axes(ctx context.Context, user string) (err error) {
	n := len(p.d.dims)
	if user != "" {
		p.order, err = loaders.ParseAxes(user, n)
		return err
	}
	for _, names := range []string{p.tags(ctx), p.labels(ctx), p.interlace(ctx), p.text(ctx, "axes"), p.text(ctx, "axes_order")} {
		if p.order, err = loaders.ParseAxes(names, n); err == nil && n > 0 {
			return nil
		}
	}
	if p.order, err = loaders.AssumeAxes(n); err != nil {
		return err
	}
	if names, ok := samplesLast[n]; ok && p.samples() {
		p.order, _ = loaders.ParseAxes(names, n)
		p.rgb = n < 5 && p.d.dims[n-1] == 3
	}
	p.assumed = p.order.String()
	return nil
}

// samplesLast are the axes of dimensions without names when the last one is that of the channels.
var samplesLast = map[int]string{3: "yxc", 4: "zyxc", 5: "tzyxc"}

// samples reports whether the last dimension holds channels: in colour pictures, and in what ilastik and
// its plugin write, where five dimensions end in them. It is then too short for the rows of an image,
// which those before it are not.
func (p *picture) samples() bool {
	n := len(p.d.dims)
	last := p.d.dims[n-1]
	colour := p.d.element.dtype == lazy.U8 && (last == 3 || last == 4)
	return (colour || n == 5 && last <= 4) && p.d.dims[n-2] > 4 && p.d.dims[n-3] > 4
}

// tags are the axes by the attribute axistags, which is JSON (VIGRA's AxisTags).
func (p *picture) tags(ctx context.Context) string {
	var tags struct{ Axes []struct{ Key string } }
	if json.Unmarshal([]byte(p.text(ctx, "axistags")), &tags) != nil {
		return ""
	}
	var s strings.Builder
	for _, a := range tags.Axes {
		s.WriteString(a.Key)
	}
	return s.String()
}

// labels are the axes by DIMENSION_LABELS: letters, or words for them.
func (p *picture) labels(ctx context.Context) string {
	a, ok := p.attributes["DIMENSION_LABELS"]
	if !ok {
		return ""
	}
	var s strings.Builder
	for _, name := range a.texts(ctx) {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "time", "frame", "frames", "timepoint":
			name = "t"
		case "channel", "channels":
			name = "c"
		case "depth", "slice", "plane":
			name = "z"
		case "row", "rows", "height":
			name = "y"
		case "column", "columns", "col", "width":
			name = "x"
		}
		s.WriteString(name)
	}
	return s.String()
}

// interlace is the order of a colour picture.
func (p *picture) interlace(ctx context.Context) string {
	if p.text(ctx, "CLASS") != "IMAGE" || p.text(ctx, "IMAGE_SUBCLASS") != "IMAGE_TRUECOLOR" || len(p.d.dims) != 3 {
		return ""
	}
	order := map[string]string{"INTERLACE_PIXEL": "yxc", "INTERLACE_LINE": "ycx", "INTERLACE_PLANE": "cyx"}[p.text(ctx, "INTERLACE_MODE")]
	p.rgb = order != ""
	return order
}

// A placement is where the voxels of an array lie in the world.
type placement struct {
	scale, origin [lazy.Rank]float64
	unit          [lazy.Rank]string
}

// place is the voxel size by element_size_um, which is z, y, x in micrometres whatever the dimensions
// are (the HDF5 plugin of Fiji, and ilastik).
func (p *picture) place(ctx context.Context) placement {
	var out placement
	a, ok := p.attributes["element_size_um"]
	if !ok {
		return out
	}
	v := a.floats()
	axes := []lazy.Axis{lazy.Z, lazy.Y, lazy.X}
	if len(v) == 2 {
		axes = axes[1:]
	}
	if len(v) != len(axes) {
		return out
	}
	for i, x := range axes {
		if s := loaders.Step(v[i]); s > 0 && s < 1e9 {
			out.scale[x], out.unit[x] = s, "um"
		}
	}
	return out
}

// array is one dataset as an array.
func (d *dataset) array(axes loaders.Axes, place placement, name string) (lazy.Array, error) {
	shape, err := d.shape(axes)
	if err != nil {
		return lazy.Array{}, err
	}
	m := lazy.Meta{Shape: shape, DType: d.element.dtype, Scale: place.scale, Origin: place.origin, Unit: place.unit}
	if d.class == contiguous && d.place != undefined {
		off, err := d.f.place(d.place, 0)
		if err != nil {
			return lazy.Array{}, err
		}
		flat := loaders.Flat{File: d.f, Offset: off, Axes: axes, Meta: m, Size: d.element.size, Part: name}
		if !d.element.plain {
			flat.Decode = d.element.decode
		}
		s, err := loaders.NewFlat(flat)
		if err != nil {
			return lazy.Array{}, err
		}
		return lazy.FromSource(s), nil
	}
	m.Chunk = d.grain(axes, shape)
	s := &source{f: d.f, name: name, axes: axes, meta: m, rows: d.class == chunked && d.raw(axes)}
	s.pick = func(context.Context, int, int) (*dataset, string, error) { return d, name, nil }
	return s.array(), nil
}

// grain is the shape of the cells in which a dataset is read: its chunks, or, where nothing was written
// in one piece, parts of planes.
func (d *dataset) grain(axes loaders.Axes, shape lazy.Shape) lazy.Shape {
	chunk, _ := d.cells(axes)
	if d.class == contiguous {
		return lazy.Shape{1, 1, 1, min(shape[lazy.Y], 1024), min(shape[lazy.X], 1024)}
	}
	return chunk
}

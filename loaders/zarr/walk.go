package zarr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Bounds of a hierarchy: more than any acquisition has, fewer than would hold up the program.
const (
	maxNodes = 50_000
	maxDepth = 24
	maxNotes = 20
)

// An opening collects the images of one hierarchy.
type opening struct {
	tree
	axes string // the user's word on the axes

	images   []lazy.Image
	ome      bool            // some image is OME-Zarr's
	taken    map[string]bool // arrays that are levels of an image
	visited  int
	warnings []string
	left     int // warnings beyond maxNotes
}

func (o *opening) warn(format string, args ...any) {
	if len(o.warnings) < maxNotes {
		o.warnings = append(o.warnings, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")+".")
	} else {
		o.left++
	}
}

// walk collects what lies at a path and below.
func (o *opening) walk(ctx context.Context, at string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.visited++; o.visited > maxNodes || depth > maxDepth {
		return unsupported("a hierarchy of more than %d nodes or %d levels", maxNodes, maxDepth)
	}
	n, err := o.load(ctx, at)
	if err != nil {
		return fmt.Errorf("%s: %w", called(at), err)
	}
	if !n.group() {
		return o.single(ctx, n)
	}
	meta, err := parseOME(n.attributes)
	if err != nil {
		o.warn("The attributes of %s were left out: %s", called(at), loaders.ReasonJSON(err))
		meta = ome{}
	}
	switch {
	case meta.Plate != nil:
		return o.plate(ctx, at, meta)
	case len(meta.Layout) > 0:
		return o.series(ctx, at, depth)
	case len(meta.Multiscales) > 0:
		return o.image(ctx, n, meta, false)
	}
	return o.below(ctx, at, depth)
}

// called is a path in a message.
func called(at string) string {
	if at == "" {
		return "the top"
	}
	return at
}

// below walks the children of a group. One that cannot be read is left out and named.
func (o *opening) below(ctx context.Context, at string, depth int) error {
	names, err := o.children(ctx, at)
	if err != nil {
		return err
	}
	for _, name := range names {
		err := o.walk(ctx, path.Join(at, name), depth+1)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			o.warn("%s was left out: %v", path.Join(at, name), err)
		}
	}
	return nil
}

// single adds an array that is an image by itself.
func (o *opening) single(ctx context.Context, n node) error {
	if n.why != nil {
		return n.why
	}
	if o.taken[n.path] {
		return nil
	}
	axes, assumed, err := n.array.axesOf(o.axes)
	if err != nil {
		return err
	}
	l, err := o.level(ctx, n.array, axes, placement{}, false)
	if err != nil {
		return err
	}
	o.images = append(o.images, lazy.Image{Name: o.title(n.path), Path: n.path, Levels: []lazy.Level{l}, Assumed: assumed,
		Order: lazy.Order{Axes: axes.String()}, Metadata: said(n)})
	return nil
}

// said is the attributes of a node.
func said(n node) []lazy.Entry {
	var e loaders.Entries
	e.AddJSON("", n.attributes)
	return e.List()
}

// title is the last part of a path, or the store's name for the top.
func (o *opening) title(at string) string {
	if at != "" {
		return path.Base(at)
	}
	name := store.Title(o.name)
	if strings.Trim(name, "./") == "" { // the folder one is in
		name = path.Base(filepath.ToSlash(o.store.ID()))
	}
	return name
}

// plate adds the fields of all wells, in the order of the metadata.
func (o *opening) plate(ctx context.Context, at string, meta ome) error {
	for _, w := range meta.Plate.Wells {
		well := path.Join(at, w.Path)
		n, err := o.load(ctx, well)
		var inner ome
		if err == nil {
			inner, err = parseOME(n.attributes)
		}
		if err == nil && inner.Well == nil {
			err = errors.New("it has no metadata of a well")
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.warn("Well %s was left out: %v", w.Path, err)
			continue
		}
		for _, f := range inner.Well.Images {
			if err := o.imageAt(ctx, path.Join(well, f.Path), false); err != nil {
				return err
			}
		}
	}
	if len(o.images) == 0 {
		return fmt.Errorf("%s: none of its %d wells can be read: %w", called(at), len(meta.Plate.Wells), loaders.ErrDamaged)
	}
	return nil
}

// series adds the images of a bioformats2raw layout: those that OME/.zattrs names, else 0, 1, 2, ...
func (o *opening) series(ctx context.Context, at string, depth int) error {
	var names []string
	if n, err := o.load(ctx, path.Join(at, "OME")); err == nil {
		if meta, err := parseOME(n.attributes); err == nil {
			names = meta.Series
		}
	}
	if len(names) == 0 {
		err := o.below(ctx, at, depth)
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		// Where nothing can be listed they are counted.
		if names = o.counted(ctx, at); len(names) == 0 {
			return err
		}
	}
	for _, name := range names {
		if err := o.imageAt(ctx, path.Join(at, name), false); err != nil {
			return err
		}
	}
	return nil
}

// counted are the names 0, 1, 2, ... as far as there are nodes.
func (o *opening) counted(ctx context.Context, at string) (names []string) {
	for len(names) < maxNodes && ctx.Err() == nil {
		name := strconv.Itoa(len(names))
		if _, err := o.load(ctx, path.Join(at, name)); err != nil {
			break
		}
		names = append(names, name)
	}
	return names
}

// imageAt adds the image at a path that other metadata name. One that cannot be read is left out and
// named; the error is that of a context that has ended.
func (o *opening) imageAt(ctx context.Context, at string, labels bool) error {
	n, err := o.load(ctx, at)
	var meta ome
	if err == nil {
		meta, err = parseOME(n.attributes)
	}
	if err == nil && len(meta.Multiscales) == 0 {
		err = errors.New("it has no metadata of an image")
	}
	if err == nil {
		err = o.image(ctx, n, meta, labels)
	}
	if err != nil && ctx.Err() == nil {
		o.warn("%s was left out: %v", at, err)
	}
	return ctx.Err()
}

// image adds the image that the metadata of a group describe, and its labels.
func (o *opening) image(ctx context.Context, of node, meta ome, labels bool) error {
	at := of.path
	labels = labels || len(meta.ImageLabel) > 0
	for i, m := range meta.Multiscales {
		m.own = meta.Own
		image, err := o.multiscale(ctx, at, m, labels)
		if err != nil {
			return err
		}
		if i > 0 {
			image.Path = fmt.Sprintf("%s#%d", at, i)
		}
		if meta.Omero == nil {
			meta.Omero = m.Metadata.Omero
		}
		image.Metadata = said(of)
		image.RGB, image.Recipe = meta.Own.RGB, meta.Own.recipe()
		image.Channels = meta.Omero.channels(image.Levels[0].Array.Meta().Shape[lazy.C], meta.Own)
		o.images, o.ome = append(o.images, image), true
	}
	if labels {
		return nil
	}
	n, err := o.load(ctx, path.Join(at, "labels"))
	if err != nil {
		return nil // most images have none
	}
	list, err := parseOME(n.attributes)
	if err != nil {
		o.warn("The labels of %s were left out: %v", called(at), err)
	}
	for _, name := range list.Labels {
		if err := o.imageAt(ctx, path.Join(at, "labels", name), true); err != nil {
			return err
		}
	}
	return nil
}

// multiscale makes an image of the resolutions that can be read. The finest may be missing, since copies leave them out.
func (o *opening) multiscale(ctx context.Context, at string, m multiscale, labels bool) (lazy.Image, error) {
	image := lazy.Image{Name: path.Base(strings.TrimSuffix(m.Name, "/")), Path: at}
	if m.Name == "" {
		image.Name = o.title(at)
	}
	if len(m.Datasets) == 0 {
		return image, fmt.Errorf("its multiscales name no array: %w", loaders.ErrDamaged)
	}
	for i, d := range m.Datasets {
		l, assumed, err := o.dataset(ctx, path.Join(at, d.Path), &m, d.Transform, labels)
		first := len(image.Levels) == 0
		if err == nil && !first {
			err = alike(image.Levels[0].Array.Meta(), l.Array.Meta())
		}
		switch {
		case ctx.Err() != nil:
			return image, ctx.Err()
		case first && errors.Is(err, fs.ErrNotExist): // it was not copied
			o.warn("Level %d of %s is missing: there is no array %s", i, called(at), path.Join(at, d.Path))
			continue
		case err != nil && first:
			return image, fmt.Errorf("%s: %w", path.Join(at, d.Path), err)
		case err != nil:
			o.warn("Level %d of %s and those after it were left out: %v", i, called(at), err)
			return image, nil
		}
		image.Assumed, image.Order.Axes = assumed, m.axes.String()
		image.Levels = append(image.Levels, l)
	}
	if len(image.Levels) == 0 {
		return image, fmt.Errorf("none of the arrays that its multiscales name is there, such as %s: %w", path.Join(at, m.Datasets[0].Path), loaders.ErrDamaged)
	}
	return image, nil
}

func (o *opening) dataset(ctx context.Context, at string, m *multiscale, t []transform, labels bool) (lazy.Level, string, error) {
	n, err := o.load(ctx, at)
	if err == nil && n.group() {
		err = fmt.Errorf("it is a group and no array: %w", loaders.ErrDamaged)
	}
	if err == nil {
		err = n.why
	}
	if err != nil {
		return lazy.Level{}, "", err
	}
	assumed, err := m.resolve(len(n.array.shape), o.axes)
	if err != nil {
		return lazy.Level{}, "", err
	}
	p, left := place(*m, t, m.Transform)
	for _, l := range left {
		o.warn("%s: %s", at, l)
	}
	l, err := o.level(ctx, n.array, m.axes, p, labels)
	if o.taken == nil {
		o.taken = map[string]bool{}
	}
	o.taken[at] = true
	return l, assumed, err
}

// alike says why a level does not belong to an image whose finest level is first.
func alike(first, m lazy.Meta) error {
	switch {
	case m.DType != first.DType:
		return fmt.Errorf("its type is %v, that of level 0 %v", m.DType, first.DType)
	case m.Shape[lazy.C] != first.Shape[lazy.C] || m.Shape[lazy.T] != first.Shape[lazy.T]:
		return fmt.Errorf("its shape is %v, that of level 0 %v", m.Shape, first.Shape)
	}
	for a := range lazy.Rank {
		if m.Shape[a] > first.Shape[a] {
			return fmt.Errorf("its shape is %v, that of level 0 %v", m.Shape, first.Shape)
		}
	}
	return nil
}

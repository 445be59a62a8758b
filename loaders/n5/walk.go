package n5

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Bounds of a hierarchy: more than any acquisition has, fewer than would hold up the program.
const (
	maxNodes = 20_000
	maxDepth = 16
	maxNotes = 20
)

// An opening collects the images of one hierarchy.
type opening struct {
	store store.Store
	axes  string   // the user's word on the axes
	spim  spimData // what BigDataViewer's XML says; its zero value when there is none

	images   []lazy.Image
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

// load reads one node, and counts it.
func (o *opening) load(ctx context.Context, at string) (node, error) {
	if err := ctx.Err(); err != nil {
		return node{}, err
	}
	if o.visited++; o.visited > maxNodes {
		return node{}, unsupported("a hierarchy of more than %d folders", maxNodes)
	}
	return load(ctx, o.store, at)
}

// walk collects what lies at a path and below.
func (o *opening) walk(ctx context.Context, at string, depth int) error {
	if depth > maxDepth {
		return unsupported("folders more than %d deep", maxDepth)
	}
	n, err := o.load(ctx, at)
	if err != nil {
		return fmt.Errorf("%s: %w", called(at), err)
	}
	if n.why != nil {
		return fmt.Errorf("%s: %w", called(at), n.why)
	}
	if n.array != nil {
		return o.add(ctx, n, []node{n}, nil)
	}
	entries, err := o.list(ctx, at)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if e.Dir {
			names = append(names, e.Name)
		}
	}
	taken, err := o.group(ctx, n, names)
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(taken, name) {
			continue
		}
		err := o.walk(ctx, path.Join(at, name), depth+1)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
		case o.visited > maxNodes:
			return err
		case err != nil:
			o.warn("%s was left out: %v", path.Join(at, name), err)
		}
	}
	return nil
}

// list is what lies below a group. Where nothing can be listed, as on a web server, the levels, setups and time points are
// counted by the names that they have everywhere.
func (o *opening) list(ctx context.Context, at string) ([]store.Entry, error) {
	entries, err := o.store.List(ctx, at)
	if !errors.Is(err, errors.ErrUnsupported) {
		return entries, err
	}
	for _, kind := range []string{"s", "setup", "timepoint"} {
		for n := 0; n < maxNodes && ctx.Err() == nil; n++ {
			name := kind + strconv.Itoa(n)
			f, missing := o.store.Open(ctx, path.Join(at, name, metadata))
			if missing != nil {
				break
			}
			f.Close()
			entries = append(entries, store.Entry{Name: name, Dir: true})
		}
	}
	if len(entries) > 0 {
		err = nil
	}
	return entries, err
}

// called is a path in a message.
func called(at string) string {
	if at == "" {
		return "the top"
	}
	return at
}

// group adds the image that the children of a group make together, and gives the names of those
// children: levels s0, s1, ..., or the time points of a view setup.
func (o *opening) group(ctx context.Context, n node, names []string) (taken []string, err error) {
	if times := numbered(names, "timepoint"); len(times) > 0 && len(numbered([]string{path.Base(n.path)}, "setup")) == 1 {
		return times, o.setup(ctx, n, times)
	}
	listed := n.datasets()
	levels := listed
	if len(levels) == 0 {
		levels = numbered(names, "s")
	}
	var nodes []node
	for i, name := range levels {
		l, err := o.load(ctx, path.Join(n.path, name))
		if err == nil && l.array == nil {
			if err = l.why; err == nil {
				err = errors.New("it is no array")
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && i == 0 && len(listed) == 0:
			return nil, nil // a group that is merely called so
		case err != nil && i == 0:
			return nil, fmt.Errorf("%s: %w", l.path, err)
		case err != nil:
			o.warn("Level %d of %s and those after it were left out: %v", i, called(n.path), err)
			return levels, o.add(ctx, n, nodes, nil)
		}
		nodes = append(nodes, l)
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	return levels, o.add(ctx, n, nodes, nil)
}

// numbered is those of the names that are a word and a number, by number.
func numbered(names []string, word string) []string {
	var out []string
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, word); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, store.NaturalCompare)
	return out
}

// add makes an image of the levels of a group, or of one array. setup is what the XML says of it.
func (o *opening) add(ctx context.Context, n node, levels []node, setup *viewSetup) error {
	image, err := o.image(n, levels, setup)
	if err != nil {
		return fmt.Errorf("%s: %w", called(n.path), err)
	}
	o.images = append(o.images, image)
	return ctx.Err()
}

// image makes an image of the levels that can be read; the first has to be among them.
func (o *opening) image(n node, levels []node, setup *viewSetup) (lazy.Image, error) {
	image := lazy.Image{Name: o.title(n.path), Path: n.path}
	g := o.geometryOf(n, levels, setup)
	rank := len(levels[0].array.shape)
	axes, assumed, err := g.axesOf(rank, o.axes)
	if err != nil {
		return image, err
	}
	image.Assumed, image.Order.Axes, image.Metadata = assumed, axes.String(), said(n, levels)
	for i, l := range levels {
		var level lazy.Level
		if err = nil; len(l.array.shape) != rank {
			err = fmt.Errorf("it has %d dimensions, level 0 has %d", len(l.array.shape), rank)
		}
		if err == nil {
			place, left := g.place(i, axes)
			for _, w := range left {
				o.warn("%s: %s", called(l.path), w)
			}
			level, err = o.level(l.array, axes, place)
		}
		if err == nil && i > 0 {
			err = alike(image.Levels[0].Array.Meta(), level.Array.Meta())
		}
		if err != nil && i == 0 {
			return image, err
		}
		if err != nil {
			o.warn("Level %d of %s and those after it were left out: %v", i, called(n.path), err)
			break
		}
		image.Levels = append(image.Levels, level)
	}
	return image, nil
}

// title is the last part of a path, or the store's name for the top.
func (o *opening) title(at string) string {
	if at != "" {
		return path.Base(at)
	}
	name := store.Title(o.store.Name())
	if strings.Trim(name, "./") == "" { // the folder one is in
		name = path.Base(filepath.ToSlash(o.store.ID()))
	}
	return name
}

// alike says why a level does not belong to an image whose finest level is first.
func alike(first, m lazy.Meta) error {
	fits := m.Shape[lazy.C] == first.Shape[lazy.C] && m.Shape[lazy.T] == first.Shape[lazy.T]
	for a := range lazy.Rank {
		fits = fits && m.Shape[a] <= first.Shape[a]
	}
	switch {
	case m.DType != first.DType:
		return fmt.Errorf("its type is %v, that of level 0 %v: %w", m.DType, first.DType, loaders.ErrDamaged)
	case !fits:
		return fmt.Errorf("its shape is %v, that of level 0 %v: %w", m.Shape, first.Shape, loaders.ErrDamaged)
	}
	return nil
}

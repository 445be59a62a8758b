package sequence

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"lamella/lazy"
	"lamella/loaders"
)

// Driver reads a folder, a glob or a drop of several files as one stack. The files are opened by
// whichever driver knows them.
type Driver struct{}

// endings are those of the files that a folder is searched for. What a file is, its content says.
var endings = map[string]string{
	".png": "PNG", ".tif": "TIFF", ".tiff": "TIFF", ".btf": "TIFF", ".tf8": "TIFF", ".tf2": "TIFF", ".jpg": "JPEG", ".jpeg": "JPEG", ".bmp": "BMP", ".gif": "GIF", ".webp": "WebP",
	".lsm": "LSM", ".stk": "STK", ".svs": "SVS", ".npy": "NumPy", ".npz": "NumPy", ".nii": "NIfTI", ".nrrd": "NRRD", ".nhdr": "NRRD", ".mha": "MetaImage", ".mhd": "MetaImage",
	".mrc": "MRC", ".mgh": "MGH", ".mgz": "MGH", ".h5": "HDF5", ".hdf5": "HDF5", ".ims": "Imaris",
}

// kindByName is what a file is by its ending, also behind one of a packer; "" for what a folder is not searched for.
func kindByName(name string) string {
	name = strings.ToLower(name)
	return endings[path.Ext(strings.TrimSuffix(name, ".gz"))]
}

// Name is "sequence".
func (Driver) Name() string { return "sequence" }

// Sniff takes several files, and a folder that holds pictures.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if len(in.Keys) > 0 {
		return true
	}
	if in.Key != "" {
		return false
	}
	entries, err := in.Store.List(ctx, "")
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.Regular && kindByName(e.Name) != "" {
			return true
		}
	}
	return false
}

// Open reads the names, the first file's header, and those of the others if they are not too many.
func (d Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set, err := d.open(ctx, in)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("sequence: opening %s: %w", in.Path, err)
	}
	return set, err
}

func (d Driver) open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	keys, warnings, err := choose(ctx, in)
	if err != nil {
		return lazy.Dataset{}, err
	}
	g, order := grid{}, in.Axes
	if isPattern(order) {
		var left []string
		if keys, left, g, err = byPattern(order, keys); err != nil {
			return lazy.Dataset{}, err
		}
		if order = ""; len(left) > 0 {
			warnings = append(warnings, fmt.Sprintf("%d files are not named by the pattern and were left out, %s the first", len(left), left[0]))
		}
	} else {
		g = arrange(keys)
		if g.flat {
			if w, ok := byWord(keys); ok {
				g = w
			}
		}
	}
	s := &stack{open: in.Open, files: make([]*file, len(keys))}
	ids := sha256.New()
	for i, k := range keys {
		// A look at the file itself, since its time of change belongs to the identity of the voxels.
		f, err := in.Store.Open(ctx, k)
		if err != nil {
			return lazy.Dataset{}, err
		}
		fmt.Fprintf(ids, "%q", f.ID())
		s.files[i] = &file{key: k, name: f.Name(), size: f.Size()}
		f.Close()
	}
	if first, err := s.files[0].dataset(ctx, in.Open); err == nil && (s.isOneSet(first) || len(keys) == 1 && in.Axes == "") {
		set := *first
		set.Warnings = append(warnings, set.Warnings...)
		return set, nil
	}
	groups, err := s.grouped(ctx)
	if err != nil {
		s.close()
		return lazy.Dataset{}, err
	}
	most, err := common(groups)
	var unlike unlikeError
	if errors.As(err, &unlike) && len(in.Keys) == 0 && in.Axes == "" && len(keys) <= headersAtOnce {
		if set := s.apart(in, unlike); len(set.Images) > 0 {
			set.Warnings = append(warnings, set.Warnings...)
			return set, nil
		}
	}
	if err != nil {
		s.close()
		return lazy.Dataset{}, err
	}
	first := most.first.opened.Load()
	image := first.Images[0]
	if err := s.settle(image, &g, order); err != nil {
		s.close()
		return lazy.Dataset{}, err
	}
	s.id = fmt.Sprintf("%s|sequence %x|%s", in.Store.ID(), ids.Sum(nil)[:16], in.Axes)
	warnings = append(warnings, first.Warnings...)
	if n := len(first.Images); n > 1 {
		warnings = append(warnings, fmt.Sprintf("%s holds %d images: the stack is made of the first one of each file", path.Base(most.first.key), n))
	}
	warnings = append(warnings, g.gaps()...)
	warnings = append(warnings, s.absent()...)
	warnings = append(warnings, s.odd(ctx, groups)...)
	out := lazy.Dataset{Source: in.Path, Format: "sequence", Warnings: warnings, Close: s.close}
	out.Lazy.By, out.Lazy.Note = first.Lazy.By, first.Lazy.Note
	out.Images = []lazy.Image{{
		Name: strings.TrimSuffix(path.Base(in.Path), "/"), RGB: image.RGB, Channels: s.channels(image, g), Assumed: assumed(g),
		Metadata: said(keys, image), Order: s.order(g, keys),
		Levels: []lazy.Level{{Array: lazy.FromSource(s), Codec: image.Levels[0].Codec}},
	}}
	return out, nil
}

// said is which files the planes are, and what the first of them says.
func said(keys []string, first lazy.Image) []lazy.Entry {
	var e loaders.Entries
	e.Add("files", fmt.Sprint(len(keys)))
	e.Add("first file", keys[0])
	e.Add("last file", keys[len(keys)-1])
	for _, x := range first.Metadata {
		e.Add(x.Name, x.Value)
	}
	return e.List()
}

// isOneSet reports whether the first file speaks for all of them, as each file of an OME-TIFF set does.
func (s *stack) isOneSet(first *lazy.Dataset) bool {
	of, ok := first.Images[0].Levels[0].Array.Node().Source.(interface{ Files() []string })
	if !ok || len(s.files) < 2 {
		return false
	}
	names := of.Files()
	for _, f := range s.files {
		if !slices.Contains(names, f.name) {
			return false
		}
	}
	return true
}

// choose lists the files that are planes, in natural order, and says what was left out.
func choose(ctx context.Context, in loaders.Input) (keys, warnings []string, err error) {
	if len(in.Keys) > 0 {
		return in.Keys, nil, nil
	}
	entries, err := in.Store.List(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	count := map[string]int{}
	for _, e := range entries {
		if kind := kindByName(e.Name); e.Regular && kind != "" {
			count[kind]++
		}
	}
	most := ""
	for kind, n := range count {
		if n > count[most] || n == count[most] && kind < most {
			most = kind
		}
	}
	var left []string
	for _, e := range entries {
		switch {
		case e.Regular && kindByName(e.Name) == most:
			keys = append(keys, e.Name)
		case !e.Dir && !e.Regular:
			left = append(left, e.Name+" (not a file that can be read)")
		case !strings.HasPrefix(e.Name, "."):
			left = append(left, e.Name)
		}
	}
	if n := len(left); n > 5 {
		left = append(left[:5], fmt.Sprintf("and %d more", n-5))
	}
	if len(left) > 0 {
		warnings = append(warnings, fmt.Sprintf("left out beside %s: %s", plural(len(keys), most+" file"), strings.Join(left, ", ")))
	}
	if len(keys) == 0 {
		return nil, nil, fmt.Errorf("holds no picture: %w", loaders.ErrFormat)
	}
	return keys, warnings, nil
}

// assumed is the axes that no word in the names stands for.
func assumed(g grid) string {
	out := ""
	for _, a := range []lazy.Axis{lazy.T, lazy.Z, lazy.C} {
		for _, f := range g.fields {
			if f.axis == a && !f.named && len(f.values) > 1 {
				out += a.String()
			}
		}
	}
	return out
}

// A file is one picture of the stack. What is in it is kept once it has been looked at; its handle is
// lent by the store, so that thousands may be kept.
type file struct {
	key, name string
	size      int64
	opened    atomic.Pointer[lazy.Dataset]
}

func (f *file) dataset(ctx context.Context, open func(context.Context, string) (lazy.Dataset, error)) (*lazy.Dataset, error) {
	if d := f.opened.Load(); d != nil {
		return d, nil
	}
	d, err := open(ctx, f.key)
	if err != nil {
		return nil, err
	}
	if len(d.Images) == 0 || len(d.Images[0].Levels) == 0 {
		return nil, fmt.Errorf("%s: holds no image: %w", f.name, loaders.ErrFormat)
	}
	if !f.opened.CompareAndSwap(nil, &d) && d.Close != nil {
		d.Close() // another reader was faster
	}
	return f.opened.Load(), nil
}

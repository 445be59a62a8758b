// Package npy reads and writes NumPy's files: .npy, and the arrays of .npz, one image each.
//
//	set, err := npy.Driver{}.Open(ctx, in)                 // a stack of float32 in z, y, x
//	w, err := npy.Driver{}.Create("out.npy", description)  // takes cells, appears whole on Close
//
// The header is a Python literal (NumPy Enhancement Proposal 1), which is parsed and never evaluated;
// object arrays are refused, since they are pickled programs. A file has no names for its axes: see
// loaders.AssumeAxes.
package npy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// Driver reads .npy and .npz.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "npy" }

// Sniff knows .npy by its magic, .npz by being an archive of nothing but .npy members.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if bytes.HasPrefix(in.Head, []byte(magic)) {
		return true
	}
	if !bytes.HasPrefix(in.Head, []byte("PK\x03\x04")) {
		return false
	}
	z, err := archive(ctx, in)
	if err != nil {
		return false
	}
	defer z.Close()
	names, err := z.List(ctx, "")
	return err == nil && len(names) > 0 && !slices.ContainsFunc(names, func(e store.Entry) bool {
		return e.Dir || !strings.HasSuffix(e.Name, ".npy")
	})
}

func archive(ctx context.Context, in loaders.Input) (store.Store, error) {
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	z, err := store.Zip(ctx, f)
	if err != nil {
		f.Close()
	}
	return z, err
}

// Open reads the header alone. Other types than numbers, and other than one to five dimensions, are
// refused with loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "npy"}
	set.Lazy.By, set.Lazy.Note = "plane", "any rows of a plane are read in place"
	if !bytes.HasPrefix(in.Head, []byte(magic)) {
		return openArchive(ctx, in, set)
	}
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return set, fmt.Errorf("npy: %w", err)
	}
	image, err := openArray(ctx, f, in, "")
	if err != nil {
		f.Close()
		return set, fmt.Errorf("npy: %s: %w", in.Path, err)
	}
	set.Images, set.Close = []lazy.Image{image}, f.Close
	return set, nil
}

// openArchive opens each member of a .npz. Members that cannot be shown are named in the warnings.
func openArchive(ctx context.Context, in loaders.Input, set lazy.Dataset) (lazy.Dataset, error) {
	z, err := archive(ctx, in)
	if err != nil {
		return set, fmt.Errorf("npy: %w", err)
	}
	set.Format, set.Close = "npz", z.Close
	set.Lazy.Note = "stored members are read in place, of compressed ones the first plane costs the first, the last one all"
	names, err := z.List(ctx, "")
	for _, e := range names {
		name := strings.TrimSuffix(e.Name, ".npy")
		f, err := z.Open(ctx, e.Name)
		var image lazy.Image
		if err == nil {
			image, err = openArray(ctx, f, in, name)
		}
		if err != nil {
			set.Warnings = append(set.Warnings, fmt.Sprintf("%s was left out: %v.", e.Name, err))
			continue
		}
		set.Images = append(set.Images, image)
	}
	if err == nil && len(set.Images) == 0 {
		err = fmt.Errorf("none of its %d arrays can be shown: %s: %w", len(names), strings.Join(set.Warnings, " "), loaders.ErrUnsupported)
	}
	if err != nil {
		z.Close()
		return set, fmt.Errorf("npy: %s: %w", in.Path, err)
	}
	return set, nil
}

func openArray(ctx context.Context, f store.File, in loaders.Input, part string) (lazy.Image, error) {
	image := lazy.Image{Name: part, Path: part}
	if part == "" {
		image.Name = strings.TrimSuffix(path.Base(in.Key), ".npy")
	}
	h, err := readHeader(ctx, f)
	if err != nil {
		return image, err
	}
	e, err := codec.ParseTypestr(h.descr)
	if err != nil {
		return image, fmt.Errorf("%w: %w", err, loaders.ErrUnsupported)
	}
	axes, err := loaders.AssumeAxes(len(h.shape))
	if in.Axes != "" {
		axes, err = loaders.ParseAxes(in.Axes, len(h.shape))
	} else if err == nil {
		image.Assumed = axes.String()
	}
	if err != nil {
		return image, err
	}
	image.Order.Axes = axes.String()
	image.Metadata = []lazy.Entry{{Name: "descr", Value: h.descr}, {Name: "fortran_order", Value: fmt.Sprint(h.fortran)}, {Name: "shape", Value: fmt.Sprint(h.shape)}}
	shape, err := axes.Shape(h.shape)
	if err != nil {
		return image, err
	}
	if h.fortran {
		axes = axes.Reversed()
	}
	flat := loaders.Flat{
		File: f, Offset: h.end, Axes: axes, Size: e.Size, Part: part,
		Meta: lazy.Meta{Shape: shape, DType: e.DType},
	}
	if !e.Plain() {
		flat.Decode = e.Decode
	}
	source, err := loaders.NewFlat(flat)
	if err != nil {
		return image, err
	}
	image.Levels = []lazy.Level{{Array: lazy.FromSource(source), Path: part, Codec: "raw"}}
	return image, nil
}

// errHeader is about headers that are not what NumPy writes.
var errHeader = errors.New("the header cannot be read")

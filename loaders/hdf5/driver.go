package hdf5

import (
	"context"
	"fmt"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// Driver reads HDF5 and the layouts that the package comment lists.
type Driver struct{}

// Name is "hdf5".
func (Driver) Name() string { return "hdf5" }

// Sniff knows an HDF5 file by its signature, which may follow a user block, and the XML of a
// BigDataViewer data set by its root element.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if in.Key == "" || len(in.Keys) > 0 {
		return false
	}
	if isSpim(in.Head) {
		return true
	}
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return false
	}
	defer f.Close()
	return findSignature(ctx, f, in.Head) >= 0
}

// Open reads metadata alone. What cannot be shown is left out and named in the warnings; when nothing
// can be shown, the error says why.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	o := &opening{in: in}
	err := o.open(ctx)
	if err != nil {
		if o.f != nil {
			o.f.Close()
		}
		if ctx.Err() != nil {
			return lazy.Dataset{}, ctx.Err()
		}
		return lazy.Dataset{}, fmt.Errorf("hdf5: %s: %w", in.Path, err)
	}
	set := lazy.Dataset{Format: o.format, Images: o.images, Warnings: o.warnings, Close: o.f.Close}
	set.Lazy.By = "chunk"
	if o.left > 0 {
		set.Warnings = append(set.Warnings, fmt.Sprintf("%d more were left out.", o.left))
	}
	return set, nil
}

// An opening collects the images of one file.
type opening struct {
	in       loaders.Input
	f        *file
	format   string
	images   []lazy.Image
	warnings []string
	left     int // warnings beyond maxNotes
}

const maxNotes = 20

// warn notes one sentence.
func (o *opening) warn(format string, args ...any) {
	if len(o.warnings) < maxNotes {
		o.warnings = append(o.warnings, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " ")+".")
	} else {
		o.left++
	}
}

func (o *opening) open(ctx context.Context) error {
	if isSpim(o.in.Head) {
		return o.openXML(ctx, o.in.Key)
	}
	if err := o.openFile(ctx, o.in.Key, o.in.Head); err != nil {
		return err
	}
	root, err := o.f.object(ctx, o.f.root)
	if err != nil {
		return fmt.Errorf("the root group: %w", err)
	}
	names, err := root.links(ctx)
	if err != nil {
		return fmt.Errorf("the root group: %w", err)
	}
	switch {
	case isImaris(names):
		return o.imaris(ctx)
	case isViewer(names):
		return o.viewer(ctx, names, o.beside(ctx))
	}
	return o.plain(ctx)
}

// openFile opens a file of the store as HDF5. head is its begin, if that is known.
func (o *opening) openFile(ctx context.Context, key string, head []byte) error {
	s, err := o.in.Store.Open(ctx, key)
	if err != nil {
		return err
	}
	at := findSignature(ctx, s, head)
	if at < 0 {
		s.Close()
		return fmt.Errorf("%s is no HDF5 file: %w", key, loaders.ErrFormat)
	}
	if o.f, err = open(ctx, s, at); err != nil {
		s.Close()
		o.f = nil
		return fmt.Errorf("the superblock: %w", err)
	}
	o.f.family = &family{store: o.in.Store, dir: path.Dir(key)}
	if note := o.f.cut(); note != "" {
		o.warn("%s", strings.TrimSuffix(note, "."))
	}
	return nil
}

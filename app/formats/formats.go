// Package formats is the list of what can be read and written. It is the one place that knows every
// driver; a new format is one line here.
//
//	set, err := formats.Open(ctx, "embryo.ome.zarr", loaders.Options{})
//	file, err := formats.Create(ctx, "plane.tif", description)
package formats

import (
	"context"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/dicom"
	"lamella/loaders/hdf5"
	"lamella/loaders/metaimage"
	"lamella/loaders/mgh"
	"lamella/loaders/mrc"
	"lamella/loaders/n5"
	"lamella/loaders/nifti"
	"lamella/loaders/npy"
	"lamella/loaders/nrrd"
	"lamella/loaders/raw"
	"lamella/loaders/sample"
	"lamella/loaders/sequence"
	"lamella/loaders/store"
	"lamella/loaders/tiff"
	"lamella/loaders/zarr"
)

// readers are asked in this order whether they know a source. The preamble of DICOM may be the header of a
// TIFF file. HDF5 comes after those that go by how a file begins, since it looks for its signature all along the file.
var readers = loaders.Registry{sample.Driver{}, raw.Driver{}, zarr.Driver{}, n5.Driver{}, dicom.Driver{}, tiff.Driver{}, npy.Driver{}, nrrd.Driver{}, nifti.Driver{}, metaimage.Driver{}, mrc.Driver{}, mgh.Driver{}, sequence.Picture{}, hdf5.Driver{}, sequence.Driver{}}

// writers are chosen by the ending of a file's name; a longer ending comes before its own end.
var writers = []struct {
	ending string
	create func(path string, d loaders.Description) (loaders.Writer, error)
}{
	{".npy", npy.Driver{}.Create},
	{".ome.tif", tiff.CreateOME},
	{".ome.tiff", tiff.CreateOME},
	{".tif", tiff.Create},
	{".tiff", tiff.Create},
	{".zarr", zarr.Driver{}.Create}, // and so .ome.zarr
}

// Open opens what a user names: a file, a folder, a glob or a built-in sample.
func Open(ctx context.Context, source string, o loaders.Options) (lazy.Dataset, error) {
	return readers.Open(ctx, source, o)
}

// CheckRaw says whether words on headerless data can be meant, whatever the file.
func CheckRaw(words string) error { return raw.Check(words) }

// OpenMany opens several files as one stack, in natural order.
func OpenMany(ctx context.Context, sources []string, o loaders.Options) (lazy.Dataset, error) {
	return readers.OpenMany(ctx, sources, o)
}

// Create begins a file in the format that its ending names. The error of an ending that names none
// wraps loaders.ErrFormat, and that of a run that the format has no room for loaders.ErrUnsupported. When ctx ends, no
// server is waited for any more, then or later.
func Create(ctx context.Context, path string, d loaders.Description) (loaders.Writer, error) {
	d.Context = ctx
	for _, w := range writers {
		if strings.HasSuffix(strings.ToLower(path), w.ending) {
			if d.Run.Way != loaders.Afresh && w.ending != ".zarr" {
				return nil, fmt.Errorf("writing %s in several runs: a file of this kind is one object: %w", path, loaders.ErrUnsupported)
			}
			if store.IsAddress(path) && w.ending != ".zarr" {
				return nil, fmt.Errorf("writing %s: a file of this kind is made on a disk, only .zarr in a storage of objects: %w", store.Plain(path), loaders.ErrUnsupported)
			}
			return w.create(path, d)
		}
	}
	return nil, fmt.Errorf("writing %s: its ending is none of %s: %w", path, strings.Join(Endings(), ", "), loaders.ErrFormat)
}

// Endings are those that Create knows, such as ".npy".
func Endings() []string {
	var e []string
	for _, w := range writers {
		e = append(e, w.ending)
	}
	return e
}

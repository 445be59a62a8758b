// Package zarr reads Zarr of versions 2 and 3, with sharding, and OME-Zarr 0.1 to 0.5 in them; it
// writes OME-Zarr 0.4 and 0.5.
//
//	set, err := zarr.Driver{}.Open(ctx, in)
//	for _, image := range set.Images {
//		fmt.Println(image.Path, image.Levels[0].Array.Meta().Shape)
//	}
//
// A multiscale image is one lazy.Image with its levels, and so are its labels, each field of a plate
// and each series of a bioformats2raw layout. Any other array is an image of its own; its Path is its
// place in the hierarchy. Opening reads metadata objects alone. What is read at a time is a chunk,
// with sharding an inner chunk, and of chunks that are stored raw some rows.
//
// Specifications: the Zarr storage specification version 2, the Zarr core specification version 3
// with the codecs bytes, packbits, transpose, blosc, gzip, zstd, crc32c and sharding_indexed, the codecs of
// numcodecs, and the Next-generation file formats (NGFF) of OME.
package zarr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Driver reads Zarr from folders and from zip archives.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "zarr" }

// metadata are the objects that make a folder a node; the last one alone does not.
var metadata = []string{"zarr.json", ".zgroup", ".zarray", ".zmetadata", ".zattrs"}

// Sniff looks for metadata objects: at the top, in the folders below it, or, when the input is such an
// object itself, beside it.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if in.Keys != nil {
		return false
	}
	if in.Key == "" {
		return hasMetadata(ctx, in.Store)
	}
	if slices.Contains(metadata, path.Base(in.Key)) {
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
	return hasMetadata(ctx, inner(ctx, z))
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

// inner is what an archive holds below folders that hold nothing else, as programs pack them.
func inner(ctx context.Context, z store.Store) store.Store {
	at := ""
	for range maxDepth {
		s := store.Sub(z, at)
		if hasMetadata(ctx, s) {
			return s
		}
		entries, err := s.List(ctx, "")
		entries = slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Name == "__MACOSX" || e.Name == ".DS_Store" })
		if err != nil || len(entries) != 1 || !entries[0].Dir {
			break
		}
		at = path.Join(at, entries[0].Name)
	}
	return z
}

// maxSniffed is how many folders below the top are looked into.
const maxSniffed = 64

func hasMetadata(ctx context.Context, s store.Store) bool {
	at := func(prefix string) bool {
		return slices.ContainsFunc(metadata[:len(metadata)-1], func(name string) bool {
			f, err := s.Open(ctx, path.Join(prefix, name))
			if err == nil {
				f.Close()
			}
			return err == nil
		})
	}
	if at("") {
		return true
	}
	entries, _ := s.List(ctx, "")
	entries = slices.DeleteFunc(entries, func(e store.Entry) bool { return !e.Dir })
	for _, e := range entries[:min(len(entries), maxSniffed)] {
		if ctx.Err() == nil && at(e.Name) {
			return true
		}
	}
	return false
}

// Open reads the metadata of the hierarchy. Arrays that cannot be shown are left out and named in the
// warnings; when none can be, the error says why.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "zarr"}
	set.Lazy.By = "chunk"
	s := in.Store
	switch {
	case in.Key == "":
	case slices.Contains(metadata, path.Base(in.Key)):
		s = store.Sub(s, path.Dir(in.Key))
	default:
		z, err := archive(ctx, in)
		if err != nil {
			return set, fmt.Errorf("zarr: %w", err)
		}
		s, set.Close = inner(ctx, z), z.Close
		set.Lazy.Note = "compressed members of the archive are unpacked whole"
	}
	o := opening{tree: tree{store: s, name: s.Name()}, axes: in.Axes}
	err := o.walk(ctx, "", 0)
	if errors.Is(err, fs.ErrNotExist) {
		// The top is no node, but folders below it may be.
		err = o.below(ctx, "", 0)
	}
	if err == nil && len(o.images) == 0 {
		err = fmt.Errorf("it holds no array that can be shown: %w", loaders.ErrFormat)
		if len(o.warnings) > 0 {
			err = fmt.Errorf("it holds no array that can be shown: %s: %w", strings.Join(o.warnings, " "), loaders.ErrUnsupported)
		}
	}
	if err != nil {
		if set.Close != nil {
			set.Close()
		}
		return set, fmt.Errorf("zarr: %s: %w", in.Path, err)
	}
	if o.left > 0 {
		o.warnings = append(o.warnings, fmt.Sprintf("%d more were left out.", o.left))
	}
	if o.ome {
		set.Format = "ome-zarr"
	}
	set.Images, set.Warnings = o.images, o.warnings
	return set, nil
}

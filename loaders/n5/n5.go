// Package n5 reads N5 (https://github.com/saalfeldlab/n5), the chunked format of BigDataViewer, of
// COSEM's volumes and of many light-sheet pipelines.
//
//	set, err := n5.Driver{}.Open(ctx, in)
//	for _, image := range set.Images {
//		fmt.Println(image.Path, image.Levels[0].Array.Meta().Shape)
//	}
//
// A group whose children s0, s1, ... are arrays is one image with its levels; so is each view setup of
// BigDataViewer, whose time points are joined along T. Any other array is an image of its own. N5 lists
// dimensions fastest first: they are turned round here, so that the last is X. Opening reads
// attributes alone; what is read at a time is a block. A block that is not stored is 0.
//
// Sources: the specification in the README of saalfeldlab/n5 (version 4.0.0), and for the lengths of
// voxels the attributes of N5-viewer, COSEM, neuroglancer, Paintera and BigDataViewer.
package n5

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Driver reads N5 from folders.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "n5" }

// metadata is the object that holds the attributes of a group or an array.
const metadata = "attributes.json"

// maxSniffed is how many folders below the top are looked into.
const maxSniffed = 64

// Sniff knows a folder by attributes at the top or in the folders below, those attributes
// themselves, and the XML of BigDataViewer that names an N5 folder.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	switch {
	case in.Keys != nil:
		return false
	case in.Key == "":
		return hasAttributes(ctx, in.Store)
	case path.Base(in.Key) == metadata:
		return bytes.HasPrefix(bytes.TrimSpace(in.Head), []byte("{"))
	}
	return isSpimData(in.Head) && bytes.Contains(in.Head, []byte("bdv.n5"))
}

func hasAttributes(ctx context.Context, s store.Store) bool {
	at := func(prefix string) bool {
		text, err := s.Get(ctx, path.Join(prefix, metadata), maxMeta)
		return err == nil && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
	}
	if at("") {
		return true
	}
	entries, _ := s.List(ctx, "")
	looked := 0
	for _, e := range entries {
		if !e.Dir {
			continue
		}
		if looked++; looked > maxSniffed || ctx.Err() != nil {
			break
		}
		if at(e.Name) || at(path.Join(e.Name, "s0")) || at(path.Join(e.Name, "timepoint0")) {
			return true
		}
	}
	return false
}

// Open reads the attributes of the hierarchy. Arrays that cannot be shown are left out and named in
// the warnings; when none can be, the error says why.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "n5"}
	set.Lazy.By = "chunk"
	o := opening{store: in.Store, axes: in.Axes}
	var err error
	switch {
	case in.Key == "":
	case path.Base(in.Key) == metadata:
		o.store = store.Sub(in.Store, path.Dir(in.Key))
	default:
		o.spim, o.store, err = openSpimData(ctx, in)
	}
	if err == nil {
		err = o.walk(ctx, "", 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", err, loaders.ErrFormat)
	}
	if err == nil && len(o.images) == 0 {
		err = fmt.Errorf("it holds no array that can be shown: %w", loaders.ErrFormat)
		if len(o.warnings) > 0 {
			err = fmt.Errorf("it holds no array that can be shown: %s: %w", strings.Join(o.warnings, " "), loaders.ErrUnsupported)
		}
	}
	if err != nil {
		return set, fmt.Errorf("n5: %s: %w", in.Path, err)
	}
	if o.left > 0 {
		o.warnings = append(o.warnings, fmt.Sprintf("%d more were left out.", o.left))
	}
	set.Images, set.Warnings = o.images, o.warnings
	return set, nil
}

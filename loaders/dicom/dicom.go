// Package dicom reads DICOM: single files, and folders of them as series.
//
//	set, err := dicom.Driver{}.Open(ctx, in)              // a file, or a folder
//	fmt.Println(set.Images[0].Path)                       // the UID of its series
//	z := set.Images[0].Levels[0].Array.Meta().Scale[lazy.Z] // µm from slice to slice
//
// The slices of a series are sorted by their places along the normal of their planes, not by name;
// what is missing or comes twice is said. The frames of a multi-frame object are split along the
// dimensions that it states. Values are those of the rescale slope and intercept, as floating point,
// unless Options.Stored asks for what is stored; then colours stay brightness and differences too.
// MONOCHROME1, where high values are dark, is shown as it is stored, and said; of a palette the values
// are the indices.
//
// Pixels are read by rows where they are stored as they are, and by frames where they are packed: RLE,
// JPEG (baseline, extended, lossless), JPEG-LS and JPEG 2000. Others are refused by the name of their transfer
// syntax.
//
// Specification: the DICOM standard (NEMA PS3), parts 3 (information objects), 5 (encoding), 6
// (dictionary) and 10 (files).
package dicom

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// Driver reads DICOM.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "dicom" }

// Sniff looks into a file; of a folder, into the files in it.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	switch {
	case len(in.Keys) > 0:
		return knownFile(ctx, in.Store, in.Keys[0])
	case in.Key != "":
		return known(in.Head)
	}
	keys, _, err := search(ctx, in.Store, maxSniffed)
	return err == nil && len(keys) > 0
}

// Open reads the elements of every file up to its pixels.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "dicom"}
	var warnings []string
	keys := in.Keys
	switch {
	case in.Key != "":
		keys = []string{in.Key}
	case len(keys) == 0:
		var err error
		if keys, warnings, err = search(ctx, in.Store, maxFiles); err != nil {
			return set, fmt.Errorf("dicom: %s: %w", in.Path, err)
		}
	}
	objects, left, err := readAll(ctx, in.Store, keys)
	closing := func() error {
		var err error
		for _, o := range objects {
			err = errors.Join(err, o.file.Close())
		}
		return err
	}
	var said []string
	if err == nil {
		set.Images, said, err = assemble(ctx, objects, in)
	}
	if err != nil {
		closing()
		return set, fmt.Errorf("dicom: %s: %w", in.Path, err)
	}
	set.Warnings = append(append(warnings, left...), said...)
	set.Close = closing
	set.Lazy.By, set.Lazy.Note = "plane", "rows of a plane are read in place"
	for _, o := range objects {
		switch {
		case o.syntax.deflated:
			set.Lazy.By, set.Lazy.Note = "whole", "each file is deflated in one piece: for each frame all that stands before it is inflated"
		case o.packed != nil && set.Lazy.By == "plane":
			set.Lazy.Note = "frames are packed, and each is unpacked whole"
		}
	}
	return set, nil
}

// maxNotes is how many files that were left out are named.
const maxNotes = 10

// readAll reads files one by one. Those that cannot be shown are left out and named, if any can.
func readAll(ctx context.Context, s store.Store, keys []string) (objects []*object, left []string, err error) {
	var last error
	bad := 0
	seen := map[string]bool{}
	twice := 0
	for _, key := range keys {
		o, err := read(ctx, s, key)
		if ctx.Err() != nil {
			return objects, nil, ctx.Err()
		}
		if err != nil {
			last = err
			if bad++; bad <= maxNotes {
				left = append(left, strings.ReplaceAll(fmt.Sprintf("%s was left out: %v.", path.Base(key), err), "\n", " "))
			}
			continue
		}
		if uid := o.set.text(tagSOPInstance); uid != "" && seen[uid] {
			twice++
			o.file.Close()
			continue
		} else if uid != "" {
			seen[uid] = true
		}
		objects = append(objects, o)
	}
	switch {
	case len(keys) == 0:
		return nil, nil, fmt.Errorf("most of what it holds is no DICOM; open a folder of the files: %w", loaders.ErrFormat)
	case len(objects) == 0 && bad == 1:
		return nil, nil, last
	case len(objects) == 0:
		return nil, nil, fmt.Errorf("none of its %d files can be shown; the last: %w", bad, last)
	}
	if bad > maxNotes {
		left = append(left, fmt.Sprintf("%d more files were left out.", bad-maxNotes))
	}
	switch {
	case twice == 1:
		left = append(left, "one file was left out: it is the same instance as another.")
	case twice > 1:
		left = append(left, fmt.Sprintf("%d files were left out: they are the same instances as others.", twice))
	}
	return objects, left, nil
}

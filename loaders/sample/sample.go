// Package sample is a driver for volumes that no file holds: their voxels are computed when they
// are asked for, so they can be of any size, need no download and are the same everywhere.
//
//	set, err := sample.Driver{}.Open(ctx, loaders.Input{Path: "sample:cells"})
//	set, err = sample.Driver{}.Open(ctx, loaders.Input{Path: "sample:random?shape=9x30x34&dtype=int16&seed=7"})
//
// The names are:
//
//	sample:cells    a cyst of cells as a confocal microscope sees it: nuclei, actin and RNA
//	sample:labels   the same cells, and their nuclei as an image of labels
//	sample:blobs    soft round spots of several sizes on a noisy background
//	sample:ones     every voxel is 1
//	sample:random   every voxel is a hash of its index and a seed
//	sample:slow     a ramp behind a storage that lets every chunk wait
//
// All but cells and labels take words after a question mark, joined by "&": shape=, chunk= (lengths joined by
// "x"), dtype=, and seed= (blobs, random) or ms= (slow). The lengths of a shape are those of the last
// axes: two are y, x; three are z, y, x; four are t, z, y, x; five are t, z, c, y, x. A chunk has as
// many lengths as the shape. No voxel depends on the shape or the chunks, so the same place gives
// the same value however it is stored.
package sample

import (
	"context"
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// Driver opens sources whose name begins with "sample:".
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "sample" }

// Scheme is the word before the colon of the addresses that this driver is for.
func (Driver) Scheme() string { return "sample" }

// Sniff looks at the name alone: there is no content.
func (Driver) Sniff(_ context.Context, in loaders.Input) bool {
	return strings.HasPrefix(in.Path, "sample:")
}

// Open makes the description of a sample; it computes no voxel. Its errors name the word that is
// wrong and wrap loaders.ErrUnsupported.
func (Driver) Open(_ context.Context, in loaders.Input) (lazy.Dataset, error) {
	set, err := open(in)
	if err != nil {
		return lazy.Dataset{}, fmt.Errorf("sample: opening %s: %w", in.Path, err)
	}
	return set, nil
}

func open(in loaders.Input) (lazy.Dataset, error) {
	name, query, _ := strings.Cut(strings.TrimPrefix(in.Path, "sample:"), "?")
	if name == "cells" || name == "labels" {
		if query != "" || in.Axes != "" {
			return lazy.Dataset{}, unsupported("sample:%s is one fixed volume and takes no words", name)
		}
		s := newCells()
		set := dataset(in.Path, "cells", s, cellChannels())
		if name == "labels" {
			set.Images = append(set.Images, dataset(in.Path, "nuclei", newLabels(s), nil).Images...)
		}
		return set, nil
	}
	make, ok := kinds[name]
	if !ok {
		return lazy.Dataset{}, unsupported("there is no sample %q (cells, labels, blobs, ones, random, slow)", name)
	}
	w, err := parse(query, in.Axes, make.words)
	if err != nil {
		return lazy.Dataset{}, err
	}
	return dataset(in.Path, name, make.source(name, w), nil), nil
}

// kinds are the samples that can be had in any shape, each with the words it takes beside shape,
// chunk and dtype, and their defaults.
var kinds = map[string]struct {
	words  map[string]string
	source func(name string, w words) lazy.Source
}{
	"blobs":  {map[string]string{"shape": "64x512x512", "chunk": "", "dtype": "uint16", "seed": "1"}, blobs},
	"ones":   {map[string]string{"shape": "64x512x512", "chunk": "", "dtype": "uint8"}, ones},
	"random": {map[string]string{"shape": "64x512x512", "chunk": "", "dtype": "uint16", "seed": "1"}, random},
	"slow":   {map[string]string{"shape": "10x10x10", "chunk": "1x10x10", "dtype": "uint16", "ms": "1000"}, slow},
}

func dataset(path, name string, s lazy.Source, channels []lazy.Channel) lazy.Dataset {
	set := lazy.Dataset{Source: path, Format: "sample", Images: []lazy.Image{{
		Name:     name,
		Levels:   []lazy.Level{{Array: lazy.FromSource(s), Codec: "computed"}},
		Channels: channels,
	}}}
	set.Lazy.By = "chunk"
	set.Lazy.Note = "voxels are computed when they are asked for"
	return set
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), loaders.ErrUnsupported)
}

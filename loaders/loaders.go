// Package loaders is the interface to files. Each format is one driver, in a package of its own below this one. A driver
// knows nothing of the other drivers, and does not cache, filter or start a goroutine.
//
//	formats := loaders.Registry{zarr.Driver{}, tiff.Driver{}, npy.Driver{}}
//	set, err := formats.Open(ctx, "embryo.ome.zarr", loaders.Options{})
//	array := set.Images[0].Levels[0].Array // no voxel has been read yet
//
// To add a format, write a Driver that passes the suite of package loadertest, which every driver runs, and add it to
// package app/formats.
package loaders

import (
	"context"
	"errors"

	"lamella/lazy"
	"lamella/loaders/store"
)

// Kinds of failure that a caller may act on; errors of drivers wrap one of them.
var (
	ErrFormat      = errors.New("not a format that can be read")
	ErrUnsupported = errors.New("not supported")
	ErrDamaged     = errors.New("damaged")
	ErrExists      = errors.New("exists already")
)

// Options are the user's words about a source.
type Options struct {
	Axes   string // overrides the order the file states, such as "tzcyx"; "" keeps it
	Raw    string // "shape=9x30x34,dtype=uint16,offset=0,order=little" for headerless data
	Stored bool   // values as stored, without a rescale slope and intercept

	Web store.Web // how addresses are read
}

// An Input is one place that a driver is asked about.
type Input struct {
	Path  string      // as the user named it, for messages
	Store store.Store // the folder that the input is, or lies in
	Key   string      // the file within Store; "" if the input is the folder itself
	Keys  []string    // the files of a glob or of a drop of several, in natural order; else nil
	Head  []byte      // the first 4096 bytes of the file, fewer if it is shorter; nil for a folder
	Options

	// Open opens another place within Store with whichever driver knows it: a sequence opens its
	// planes by it.
	Open func(ctx context.Context, key string) (lazy.Dataset, error)
}

// A Driver reads one format.
type Driver interface {
	Name() string

	// Sniff says by content, not by name, whether in is of this format. It reads little: what is in
	// Head, or the names of some metadata objects.
	Sniff(ctx context.Context, in Input) bool

	// Open reads metadata, never voxels, and checks every size before it allocates.
	Open(ctx context.Context, in Input) (lazy.Dataset, error)
}

// A Creator is a Driver that also writes its format. An existing file is refused with ErrExists unless
// the description allows it.
type Creator interface {
	Create(path string, d Description) (Writer, error)
}

// A Description is what a new file is to hold.
type Description struct {
	Meta     lazy.Meta
	Channels []lazy.Channel
	RGB      bool
	Name     string

	// Recipe travels in the metadata of formats that have room for it.
	Recipe Recipe

	Layout Layout

	// Flat asks formats without names for their axes to leave out those that a plane does not need: T,
	// the axis Normal to the plane (Z, Y or X), and C when it has length 1. What stays is (rows,
	// columns) or (C, rows, columns). The axes left out must have length 1.
	Flat   bool
	Normal lazy.Axis

	Overwrite bool // an existing file may be replaced

	// Context is that of the whole work: when it ends no server is waited for. nil is one that does not end.
	Context context.Context

	Run Run // one of several that write the file; formats that are one object refuse all but Afresh

	// Agree is asked by formats that are written in several runs, before there is anything of the file, whether voxels
	// can be had in the cells of this grid. It may be nil.
	Agree func(grid lazy.Shape) error
}

// A Recipe says how voxels were made; it comes back as that of lazy.Image.
type Recipe = lazy.Recipe

// A Writer takes one new file cell by cell. The file appears whole, under its name, when Close
// succeeds; after Abort, or a failed Close, nothing of it is left.
type Writer interface {
	// Grid is the shape of the cells in which the writer wants its voxels, aligned to the origin.
	Grid() lazy.Shape

	// Write takes the voxels of one cell, cut to the shape. Cells come in storage order, one at a time.
	Write(ctx context.Context, b *lazy.Block) error

	Close() error
	Abort() // after Close it does nothing
}

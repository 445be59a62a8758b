package loaders

import (
	"context"

	"lamella/lazy"
)

// A Layout is how a format that leaves a choice stores its voxels. What is zero is the format's own choice;
// what a format does not have it refuses with ErrUnsupported, never ignores.
type Layout struct {
	Version     string     // of OME-Zarr: "0.4" (its choice) or "0.5"
	Compression string     // "none", "deflate" or "zstd" in OME-TIFF; "none", "lz4" or "zstd" in OME-Zarr
	Shard       lazy.Shape // of OME-Zarr 0.5: a multiple of the chunk; along axes where it is 0, one chunk
	Levels      int        // of OME-TIFF and OME-Zarr: at most so many, the finest counted
}

// A Packer is a Writer of a format that compresses: its work on a cell comes in two parts, of which the
// first may go on for several cells at once. Write is Pack and then Put.
type Packer interface {
	Writer

	// Pack does what depends on the cell alone. It may be called from many goroutines and in any order; the
	// block is not kept.
	Pack(ctx context.Context, b *lazy.Block) (Packed, error)

	// Put takes what Pack made, in the order of Write.
	Put(ctx context.Context, p Packed) error
}

// Packed is a cell on its way from Pack to Put of one writer.
type Packed any

package loaders

import (
	"context"
	"errors"
	"iter"

	"lamella/lazy"
)

// ErrComplete is why there is nothing to write, or to go on writing: another run has finished the file.
var ErrComplete = errors.New("is complete already")

// A Run is one of the runs that write a file: the only one, or one of several, one after another or at once.
type Run struct {
	Way Way

	// Voxels names the voxels that the file is to hold: what other voxels left unfinished is not gone on with.
	// Part is the same for people: which part of which image.
	Voxels, Part string

	// Share is which share, counted from 0, of how many, if the way is Share. If it is Finish, Of is of how many each
	// has been verified, or 0.
	Share, Of int
}

// A Way is how a run treats what other runs left of the file, and what it leaves itself.
type Way uint8

// The ways of a run. All but Afresh need a format that is written as many objects; others refuse them.
const (
	Afresh Way = iota // begins, and leaves nothing if it fails
	Resume            // goes on with what there is, and leaves what it has written if it fails
	Share             // the same with one share of the cells; the file stays unfinished
	Finish            // goes on when all shares are there, and closes the file
)

// A Part is a Writer of a file that several runs may write. What one of them has written, no other computes again:
// it is asked only for the cells that are Missing, and for the coarser levels reads again what Recalls lists.
type Part interface {
	Packer

	// Missing is the cells that this run is to write, in the order in which they are put, and their number.
	Missing() (iter.Seq[lazy.Region], int)

	// Recalls is the finished cells that coarser levels still need. They are put before any other.
	Recalls() []Recalled

	// Recall reads such a cell, for Put. It may be called from many goroutines and in any order.
	Recall(ctx context.Context, c Recalled) (Packed, error)

	// Verify reads all that was written, by this run and by others, and compares it with the checksums that
	// were noted when it was made. progress is told how many objects of how many are done. What differs is taken
	// away, so that the next run writes it again.
	Verify(ctx context.Context, progress func(done, total int)) error
}

// A Recalled is a cell of a level that an earlier run has finished.
type Recalled struct {
	Level int
	Cell  lazy.Region
}

package engine

import (
	"container/list"
	"context"
	"errors"
	"sync/atomic"

	"lamella/lazy"
)

// An Executor runs ops somewhere else than on the processor, with the same result. For an op that it does
// not run it gives lazy.ErrDeclined. It may be used from many goroutines.
type Executor interface {
	Run(ctx context.Context, op lazy.Op, dst *lazy.Block, src []*lazy.Block) error
}

// A Keeper is an Executor in whose memory blocks stay, so that a chain is carried over once and back once.
// The engine says what stays, within Room; a Keeper only does what it is told, in the order in which it is
// told. An error that wraps lazy.ErrNoRoom makes the engine let go of what it can and try once more. Any
// other than lazy.ErrDeclined means that the device is not well.
type Keeper interface {
	Executor

	Room() int64             // bytes that blocks may take; asked anew before each task
	Takes(n *lazy.Node) bool // whether it runs the op of n; quick, since the engine's lock is held

	// Upload copies a block, which it has read when it returns.
	Upload(ctx context.Context, b *lazy.Block) (lazy.Remote, error)

	// Make computes a tile and keeps it. It may return before the tile is made: what goes wrong later is
	// told by whatever uses the tile.
	Make(ctx context.Context, w lazy.Work) (lazy.Remote, error)

	// Read fills dst, which it does not touch any more once it has returned.
	Read(ctx context.Context, r lazy.Remote, dst *lazy.Block) error

	// Free lets go of a block, at once or later; it does not wait.
	Free(r lazy.Remote)
}

// A Sizer is a Keeper that says what making a tile takes there beside the tile, where it is not what it takes in memory. It is
// quick, since the engine's lock is held.
type Sizer interface {
	Keeper
	Scratch(n *lazy.Node, tile lazy.Region) (bytes int64, differs bool)
}

// A device is an executor beside the processor, as long as it is well.
type device struct {
	Executor
	keeper Keeper // the same, if blocks can stay there
	choice *choice
	unwell atomic.Pointer[error]

	used  int64     // bytes of copies there and of what is being made; guarded by the engine's lock
	order list.List // of *away, least recently used first; guarded by the engine's lock
}

// Use changes what computes beside the processor, for tasks that start from now on; nil is the processor
// alone. What was said of the device before is forgotten: one that failed and is chosen again is tried
// again. Voxels do not depend on it, so nothing that was computed is computed again.
func (e *Engine) Use(d Executor) {
	var in *device
	if d != nil {
		in = &device{Executor: d}
		if c, ok := d.(*choice); ok {
			in.choice, in.Executor = c, c.Executor
		}
		in.keeper, _ = in.Executor.(Keeper)
	}
	before := e.device.Swap(in)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.abandon(before)
}

// Device is what was last chosen, nil for the processor alone, and why it is no longer used: nil as long as
// it is well.
func (e *Engine) Device() (d Executor, unwell error) {
	in := e.device.Load()
	if in == nil {
		return nil, nil
	}
	d = in.Executor
	if in.choice != nil {
		d = in.choice
	}
	if err := in.unwell.Load(); err != nil {
		return d, *err
	}
	return d, nil
}

// healthy is the device in use, or nil.
func (e *Engine) healthy() *device {
	if d := e.device.Load(); d != nil && d.unwell.Load() == nil {
		return d
	}
	return nil
}

// blame notes that a device failed, and tells of it once if it is still in use. Ops that it declines, and
// work that was cancelled, are no failures. The caller does not hold the lock.
func (e *Engine) blame(ctx context.Context, d *device, err error) {
	if err == nil || ctx.Err() != nil || e.ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, lazy.ErrDeclined) {
		return
	}
	if d.unwell.CompareAndSwap(nil, &err) && e.device.Load() == d && e.unwell != nil {
		e.unwell(err)
	}
}

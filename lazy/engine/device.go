package engine

import (
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

// A device is an executor beside the processor, as long as it is well.
type device struct {
	Executor
	unwell atomic.Pointer[error]
}

// Use changes what computes beside the processor, for tasks that start from now on; nil is the processor
// alone. What was said of the device before is forgotten: one that failed and is chosen again is tried
// again. Voxels do not depend on it, so nothing that was computed is computed again.
func (e *Engine) Use(d Executor) {
	if d == nil {
		e.device.Store(nil)
		return
	}
	e.device.Store(&device{Executor: d})
}

// Device is what was last chosen, nil for the processor alone, and why it is no longer used: nil as long as
// it is well.
func (e *Engine) Device() (d Executor, unwell error) {
	in := e.device.Load()
	if in == nil {
		return nil, nil
	}
	if err := in.unwell.Load(); err != nil {
		return in.Executor, *err
	}
	return in.Executor, nil
}

// healthy is the device in use, or nil.
func (e *Engine) healthy() *device {
	if d := e.device.Load(); d != nil && d.unwell.Load() == nil {
		return d
	}
	return nil
}

// blame notes that a device failed, and tells of it once. Ops that it declines, and work that was
// cancelled, are no failures.
func (e *Engine) blame(ctx context.Context, d *device, err error) {
	if err == nil || ctx.Err() != nil || errors.Is(err, lazy.ErrDeclined) {
		return
	}
	if d.unwell.CompareAndSwap(nil, &err) && e.unwell != nil {
		e.unwell(err)
	}
}

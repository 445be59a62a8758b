package gpu

import (
	"context"
	"unsafe"

	"lamella/lazy"
)

// A reading is a block on its way back. The thread copies it into a buffer that memory can see, goes on with
// other work until the driver says that the copy is done, and maps it. The reader copies it out of there, so
// that the thread never waits for a copy.
type reading struct {
	from   *buffer
	mapped chan error     // one value: when at is set, or why it never will be
	at     unsafe.Pointer // the voxels
	over   chan struct{}  // closed by the reader, when it will not look at them any more

	staging uint32  // of the thread, as is what follows
	fence   uintptr // 0 once it has passed
}

// Read implements engine.Keeper.
func (d *Device) Read(ctx context.Context, r lazy.Remote, dst *lazy.Block) error {
	rd := &reading{from: r.(*buffer), mapped: make(chan error, 1), over: make(chan struct{})}
	defer d.nudge()
	defer close(rd.over)
	if err := d.give(ctx, func() error { return d.startReading(rd) }); err != nil {
		return err
	}
	select {
	case err := <-rd.mapped:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	bytes := dst.Bytes()
	copy(bytes, unsafe.Slice((*byte)(rd.at), len(bytes)))
	return nil
}

// left reports whether the reader has gone.
func (rd *reading) left() bool {
	select {
	case <-rd.over:
		return true
	default:
		return false
	}
}

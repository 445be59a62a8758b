package gpu

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"lamella/lazy"
)

// ErrNone is why there is no device.
var ErrNone = errors.New("gpu: no device with OpenGL 4.3 compute shaders")

// ErrClosed is what a device gives once it is closed.
var ErrClosed = errors.New("gpu: the device is closed")

// ErrLost is what a device gives once its driver has taken it away, as after a fault or a reset.
var ErrLost = errors.New("gpu: the device is lost")

// Info describes a device.
type Info struct {
	Vendor, Renderer, Version string

	View   int64 // bytes of a block that a shader sees at once; what is larger is computed in slabs
	Memory int64 // bytes of memory that were free when it was opened; 0 if the driver does not say
}

// Software reports whether the device is the processor in disguise, which is slower than the processor
// itself and never chosen unless asked for.
func (i Info) Software() bool {
	r := strings.ToLower(i.Renderer)
	for _, name := range []string{"llvmpipe", "softpipe", "swrast", "swiftshader"} {
		if strings.Contains(r, name) {
			return true
		}
	}
	return false
}

// defaultRoom is what blocks may take on a device that does not say how much memory it has: less than any
// device with compute shaders has.
const defaultRoom = 512 << 20

// room is what blocks may take unless SetRoom says otherwise: half of what is free, since other programs
// want some too.
func (i Info) room() int64 {
	if i.Memory <= 0 {
		return defaultRoom
	}
	return i.Memory / 2
}

// A Device is one OpenGL context on its own thread. Its methods may be called from many goroutines; what
// they ask for is done in the order in which they are called.
type Device struct {
	info Info
	room atomic.Int64
	jobs chan func()
	wake chan struct{} // something is to be tidied
	stop chan struct{}
	done chan struct{}

	ended sync.Once
	lost  atomic.Bool

	mu      sync.Mutex
	freed   []*buffer // waiting to be deleted on the thread
	shaders map[recipe]shader
	costs   costs

	// The rest is used on the thread alone.
	driver   driver
	programs map[string]uint32
	reads    []*reading
	timers   []timer

	hardware bool // a software renderer is none

	view  int64                   // Info.View, or less in a test
	fault func(step string) error // makes steps fail in a test; nil otherwise
}

// Info describes the device.
func (d *Device) Info() Info { return d.info }

// Room implements engine.Keeper: the bytes that blocks may take.
func (d *Device) Room() int64 { return d.room.Load() }

// SetRoom changes the bytes that blocks may take; 0 is the default, half of what was free.
func (d *Device) SetRoom(bytes int64) {
	if bytes <= 0 {
		bytes = d.info.room()
	}
	d.room.Store(bytes)
}

// nudge wakes the thread if it has nothing to do.
func (d *Device) nudge() {
	select {
	case d.wake <- struct{}{}:
	default: // it is told already
	}
}

// do runs f on the device's thread and waits until it has. It returns early when ctx ends or the device is
// closed before f has begun.
func (d *Device) do(ctx context.Context, f func() error) error {
	res := make(chan error, 1)
	select {
	case d.jobs <- func() { res <- f() }:
		return <-res
	case <-ctx.Done():
		return ctx.Err()
	case <-d.done:
		return ErrClosed
	}
}

// give is do that returns as soon as ctx ends, also when f has begun: f must touch nothing that its caller uses
// afterwards but by way of the thread.
func (d *Device) give(ctx context.Context, f func() error) error {
	res := make(chan error, 1)
	select {
	case d.jobs <- func() { res <- f() }:
	case <-ctx.Done():
		return ctx.Err()
	case <-d.done:
		return ErrClosed
	}
	select {
	case err := <-res:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run computes dst by a stencil from src, which holds what the op needs: carried over and back for this op
// alone. Other ops, and stencils that have no shader, give lazy.ErrDeclined.
func (d *Device) Run(ctx context.Context, op lazy.Op, dst *lazy.Block, src []*lazy.Block) error {
	n := &lazy.Node{Op: op, Meta: lazy.Meta{DType: dst.DType}}
	for _, b := range src {
		n.In = append(n.In, &lazy.Node{Meta: lazy.Meta{DType: b.DType}})
	}
	stages, err := shaderOf(n)
	if err != nil {
		return err
	}
	n.Op = gathered{op}
	w := lazy.Work{Node: n, Tile: dst.Region}
	for _, b := range src {
		r, err := d.Upload(ctx, b)
		if err != nil {
			return err
		}
		defer d.Free(r)
		w.Parts = append(w.Parts, []lazy.RemotePart{{Region: b.Region, Remote: r}})
	}
	r, err := d.make(ctx, w, stages)
	if err != nil {
		return err
	}
	defer d.Free(r)
	return d.Read(ctx, r, dst)
}

// gathered is an op whose inputs hold the border already.
type gathered struct{ lazy.Op }

func newDevice() *Device {
	return &Device{
		jobs: make(chan func()), wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		shaders: map[recipe]shader{}, programs: map[string]uint32{}, costs: costs{ops: map[string]mean{}},
	}
}

package gpu

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lamella/filters/stencil"
	"lamella/lazy"
)

// ErrNone is why there is no device.
var ErrNone = errors.New("gpu: no device with OpenGL 4.3 compute shaders")

// ErrClosed is what a device gives once it is closed.
var ErrClosed = errors.New("gpu: the device is closed")

// Info describes a device.
type Info struct {
	Vendor, Renderer, Version string
	Memory                    int64 // largest block in bytes
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

// A Device is one OpenGL context on its own thread. Its methods may be called from many goroutines.
type Device struct {
	info Info
	jobs chan func()
	stop chan struct{}
	done chan struct{}

	programs map[string]*program // by shader text; used on the thread alone
}

// Info describes the device.
func (d *Device) Info() Info { return d.info }

// do runs f on the device's thread. It returns when f has, or at once when ctx ends or the device is
// closed before f has begun.
func (d *Device) do(ctx context.Context, f func() error) error {
	res := make(chan error, 1)
	select {
	case d.jobs <- func() { res <- f() }:
		return <-res
	case <-ctx.Done():
		return ctx.Err()
	case <-d.stop:
		return ErrClosed
	}
}

// Run computes dst by a stencil from src, which holds what the op needs. Other ops, and stencils that have
// no shader, give lazy.ErrDeclined.
func (d *Device) Run(ctx context.Context, op lazy.Op, dst *lazy.Block, src []*lazy.Block) error {
	s, ok := op.(stencil.Op)
	if !ok {
		return fmt.Errorf("gpu: %w: %s is not a stencil", lazy.ErrDeclined, op.Name())
	}
	for _, b := range append([]*lazy.Block{dst}, src...) {
		if int64(len(b.Bytes())) > d.info.Memory {
			return fmt.Errorf("gpu: %w: a block of %d bytes is larger than it takes", lazy.ErrDeclined, len(b.Bytes()))
		}
	}
	text, err := s.Shader(dst, src)
	if err != nil {
		return fmt.Errorf("gpu: %w: %w", lazy.ErrDeclined, err)
	}
	return d.do(ctx, func() error { return d.dispatch(text, dst, src) })
}

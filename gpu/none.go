//go:build !cgo || headless || darwin

package gpu

import (
	"context"
	"fmt"

	"lamella/lazy"
)

// Open says why this build has no device.
func Open() (*Device, error) { return nil, fmt.Errorf("%w: %s", ErrNone, whyNone) }

// OpenHardware says why this build has no device.
func OpenHardware() (*Device, error) { return Open() }

// Close does nothing.
func (d *Device) Close() {}

// What a thread with a context does; without one there is no Device to call it on.
type (
	driver struct{}
	timer  struct{}
)

func (d *Device) upload(*buffer, []byte) error                               { return ErrNone }
func (d *Device) compute(context.Context, *buffer, lazy.Work, []stage) error { return ErrNone }
func (d *Device) startReading(*reading) error                                { return ErrNone }
func (d *Device) beginProgram(*running, lazy.Work) error                     { return ErrNone }
func (d *Device) runRound(*running, []lazy.Pass) error                       { return ErrNone }
func (d *Device) roundDone(*running, int) (bool, error)                      { return true, ErrNone }
func (d *Device) endRounds(*running)                                         {}

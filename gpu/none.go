//go:build !cgo || headless || darwin

package gpu

import (
	"fmt"

	"lamella/lazy"
)

// Open says why this build has no device.
func Open() (*Device, error) { return nil, fmt.Errorf("%w: %s", ErrNone, whyNone) }

// Close does nothing.
func (d *Device) Close() {}

type program struct{}

func (d *Device) dispatch(string, *lazy.Block, []*lazy.Block) error { return ErrNone }

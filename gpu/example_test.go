package gpu_test

import (
	"fmt"

	"lamella/gpu"
	"lamella/lazy/engine"
)

// Without a device the processor computes everything.
func Example() {
	var o engine.Options
	if d, err := gpu.Open(); err == nil {
		defer d.Close()
		fmt.Println(d.Info().Renderer)
		o.Device = d // tasks run there, and blocks stay there
	}
	e := engine.New(o)
	defer e.Close()
}

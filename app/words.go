//go:build !headless

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"lamella/viewer/ui"
)

// deviceFlag is the window's one flag.
const deviceFlag = "--device"

// windowWords takes the words of a call that opens the window apart: what is to compute ("" where the call
// does not say) and the sources. A file that is called like the flag is opened as ./--device, or behind --.
func windowWords(args []string) (device ui.Device, sources []string, err error) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return device, append(sources, args[i+1:]...), nil
		}
		name, value, given := strings.Cut(a, "=")
		_, missing := os.Lstat(a)
		switch {
		case missing == nil || !strings.HasPrefix(a, "-"):
			sources = append(sources, a)
			continue
		case name != deviceFlag:
			return "", nil, fmt.Errorf("%s: the window has no such flag, only %s", name, deviceFlag)
		}
		if !given {
			if i++; i == len(args) {
				return "", nil, fmt.Errorf("%s: expected auto, cpu or gpu after it", deviceFlag)
			}
			value = args[i]
		}
		if device = ui.Device(value); !slices.Contains(ui.Devices[:], device) {
			return "", nil, fmt.Errorf("%s %s: not auto, cpu or gpu", deviceFlag, value)
		}
	}
	return device, sources, nil
}

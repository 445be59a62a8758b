//go:build unix && !headless

package main

import (
	"errors"
	"syscall"
)

// alive reports whether a process is there, whoever owns it.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

//go:build unix

package extern

import (
	"os/exec"
	"syscall"
)

// killAll ends a program and what it has started. One that has ended already is no fault.
func killAll(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

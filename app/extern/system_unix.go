//go:build unix

package extern

import (
	"os/exec"
	"syscall"
)

// ofItsOwn makes a program the first of a group of processes, so that it ends with all it has started, and not by an
// interrupt that is meant for this one.
func ofItsOwn(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killAll ends a program and what it has started. One that has ended already is no fault.
func killAll(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

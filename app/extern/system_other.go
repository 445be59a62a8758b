//go:build !unix

package extern

import "os/exec"

func ofItsOwn(*exec.Cmd) {}

// killAll ends a program. One that has ended already is no fault.
func killAll(cmd *exec.Cmd) { cmd.Process.Kill() }

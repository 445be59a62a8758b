//go:build !unix

package extern

import "os/exec"

// launch starts a program. If this process is killed, it ends when it looks at its input.
func launch(cmd *exec.Cmd) error { return cmd.Start() }

// killAll ends a program. One that has ended already is no fault.
func killAll(cmd *exec.Cmd) { cmd.Process.Kill() }

//go:build unix && !linux

package extern

import (
	"os/exec"
	"syscall"
)

// launch starts a program as the first of a group of processes, so that it ends with all it has started, and not by an
// interrupt that is meant for this one. If this process is killed, it ends when it looks at its input.
func launch(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.Start()
}

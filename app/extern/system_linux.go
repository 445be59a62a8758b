package extern

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// launch starts a program as the first of a group of processes, so that it ends with all it has started, and not by an
// interrupt that is meant for this one. The kernel ends it when this process is gone, even if that was killed and the
// program does not look at its input.
func launch(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	end := make(chan error)
	starter() <- func() { end <- cmd.Start() }
	return <-end
}

// starter is a thread that stays: the kernel means the thread that started a program when it looks whether it is gone.
var starter = sync.OnceValue(func() chan<- func() {
	todo := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range todo {
			start()
		}
	}()
	return todo
})

package extern

import (
	"os"
	"syscall"
)

// widen lets a pipe hold a block, so that the two sides of it need not wait for each other as often. A pipe that stays
// as it is works as well.
func widen(f *os.File) {
	const setSize, size = 1031, 1 << 20 // F_SETPIPE_SZ; what everybody may ask for
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setSize, size) })
}

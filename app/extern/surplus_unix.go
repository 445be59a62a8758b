//go:build unix

package extern

import (
	"io"
	"syscall"
)

// waiting takes a byte that can be read of a pipe at once, if there is one.
func waiting(pipe io.Reader) (b []byte) {
	of, ok := pipe.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return nil
	}
	raw.Read(func(fd uintptr) bool {
		var one [1]byte
		if n, _ := syscall.Read(int(fd), one[:]); n == 1 { // pipes that package os opens never block
			b = one[:]
		}
		return true
	})
	return b
}

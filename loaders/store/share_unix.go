//go:build unix

package store

import "syscall"

// allowed is how many files the process may have open.
func allowed() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return maxHandles * 4
	}
	return uint64(l.Cur)
}

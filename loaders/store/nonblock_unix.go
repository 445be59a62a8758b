//go:build unix

package store

import "syscall"

// nonblock keeps the opening of a pipe or device from waiting for its other end, should a file be
// replaced by one between the look at it and its opening. It changes nothing for regular files.
const nonblock = syscall.O_NONBLOCK

//go:build unix

package store

import "syscall"

// openFlags keep the opening from waiting for the other end of a pipe and from following a link,
// should a file be replaced by one between the look at it and its opening. They change nothing for
// regular files.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

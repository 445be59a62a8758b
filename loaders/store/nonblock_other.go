//go:build !unix

package store

// nonblock is a flag of Unix alone.
const nonblock = 0

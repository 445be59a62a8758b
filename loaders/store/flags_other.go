//go:build !unix

package store

// openFlags are a matter of Unix alone.
const openFlags = 0

//go:build !unix

package store

// allowed is more than the pool asks for: such systems count otherwise.
func allowed() uint64 { return maxHandles * 4 }

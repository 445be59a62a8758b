//go:build !linux

package engine

// fresh is memory for a block.
func fresh(words int) []uint64 { return make([]uint64, words) }

package engine

import (
	"syscall"
	"unsafe"
)

// hugePage is the size of the system's large pages. Memory is asked for in them from an eighth of one on: the
// collector lays blocks side by side, so that several share one.
const hugePage = 2 << 20

// fresh is memory for a block. The system fills it in at the first touch, 4 KiB at a time unless it is asked for
// large pages, which makes a pass over new memory several times as fast. Where it has none, nothing is lost.
func fresh(words int) []uint64 {
	m := make([]uint64, words)
	if 8*words < hugePage/8 {
		return m
	}
	const hugePages = 14 // MADV_HUGEPAGE, which package syscall does not name for every processor
	first := uintptr(unsafe.Pointer(&m[0])) &^ (hugePage - 1)
	end := (uintptr(unsafe.Pointer(&m[0])) + uintptr(8*words) + hugePage - 1) &^ (hugePage - 1)
	syscall.Syscall(syscall.SYS_MADVISE, first, end-first, hugePages)
	return m
}

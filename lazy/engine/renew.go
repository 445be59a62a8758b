package engine

import "lamella/lazy"

// Memory that the system hands out for the first time can cost more than what it is to hold: on some virtual machines
// a megabyte of it takes milliseconds, and a Sobel of as many voxels less than one. So both are measured, and what is
// cheaper to make again than memory is to get lends its memory to what comes next: the least recently used first, and
// only once the cache holds enough of its kind.

// enoughOf is how many bytes of each kind the cache keeps in any case.
var enoughOf = [2]int64{stored: 256 << 20, computed: 64 << 20}

// The kinds of blocks.
const (
	stored   = iota // read from a source
	computed        // by an op
)

func kindOf(n *lazy.Node) int {
	if n.Source != nil {
		return stored
	}
	return computed
}

const (
	// recent is how many visible requests are looked back at: what they used stays.
	recent = 8

	// candidates is how many blocks are looked at for one whose memory is wanted.
	candidates = 512

	// deepest is how many nodes are looked at to know what a block costs.
	deepest = 64
)

// renewed is the memory of the least recently used block of so many words that is cheaper to make again than memory is
// to get; nil if there is none. The block is let go. The caller holds the lock.
func (e *Engine) renewed(words int) []uint64 {
	if !e.touch.known {
		return nil
	}
	left := candidates
	for at := e.cache.order.Front(); at != nil && left > 0; at = at.Next() {
		left--
		en := at.Value.(*entry)
		if en.pins > 0 || en.given || en.away != nil || en.block == nil || len(en.block.Memory()) != words ||
			en.seen > 0 && en.seen >= e.marks[0] || e.cache.kinds[en.kind]-en.size < e.enough[en.kind] || !e.cheap(en) {
			continue
		}
		memory := en.block.Memory()
		e.cache.drop(en)
		return memory
	}
	return nil
}

// cheap reports whether making a block again takes less time than touching as much memory for the first time.
func (e *Engine) cheap(en *entry) bool {
	left := deepest
	perVoxel, known := e.priceOf(en.node, &left)
	return known && perVoxel < e.touch.value*float64(en.dtype.Size())
}

// priceOf is what a voxel of a node takes, with all that it is made from, in nanoseconds; false if that is not known.
func (e *Engine) priceOf(n *lazy.Node, left *int) (float64, bool) {
	own := e.prices[costOf(n)]
	if *left--; *left < 0 || !own.known {
		return 0, false
	}
	sum := own.value
	for _, in := range n.In {
		of, known := e.priceOf(in, left)
		if !known {
			return 0, false
		}
		sum += of
	}
	return sum, true
}

package loaders

import "lamella/lazy"

// A stock is memory of blocks that are no longer needed, for blocks of the same length: memory that the system hands out
// for the first time can cost more than what is computed into it. Many goroutines may use one; it holds at most as many
// blocks as it was made for.
type stock chan []uint64

// block makes a block, which may hold anything.
func (s stock) block(r lazy.Region, d lazy.DType) *lazy.Block {
	n := lazy.Words(r, d)
	for range len(s) {
		select {
		case m := <-s:
			if len(m) == n {
				return lazy.NewBlockIn(m, r, d)
			}
			s.keep(m)
		default:
		}
	}
	return lazy.NewBlock(r, d)
}

// put takes a block that nobody looks at any more. One that has lain there for long makes room for it.
func (s stock) put(b *lazy.Block) {
	if len(s) == cap(s) {
		select {
		case <-s:
		default:
		}
	}
	s.keep(b.Memory())
}

func (s stock) keep(m []uint64) {
	select {
	case s <- m:
	default:
	}
}

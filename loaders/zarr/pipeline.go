package zarr

import (
	"errors"
	"fmt"
	"sync"

	"lamella/loaders/codec"
)

// A step undoes one codec or filter of a chunk. Exactly one of its functions is set.
type step struct {
	name string

	// unpack decompresses: how long the result is is known only afterwards.
	unpack func(dst, src []byte) (int, error)

	// blocks says that what is unpacked is a Blosc buffer, whose blocks are packed each for itself.
	blocks bool

	// strip takes something off the bytes, such as a checksum, without copying them; before is how
	// many bytes there were in front of n.
	strip  func(src []byte) ([]byte, error)
	before func(n int) int

	// filter turns values into values: what gives n bytes takes before(n). It may change src.
	filter func(dst, src []byte) error
}

// A pipeline is the steps that decode a chunk, in the order in which they run.
type pipeline struct {
	steps []step
	name  string // for people: "blosc-lz4", "delta+zlib", "raw"
}

// errSize is about chunks that decode to more or less than a chunk.
var errSize = errors.New("is not the size of a chunk")

// roomFor is the most that may come out of an unpacking whose result is packed bytes itself.
func roomFor(n int) int { return 2*n + 64<<10 }

// run decodes src into dst, which is just as long as the decoded chunk.
func (p pipeline) run(dst, src []byte) error {
	// How long the result of each step has to be follows from the end; below 0 it is at most that.
	want := make([]int, len(p.steps))
	n := len(dst)
	for i := len(p.steps) - 1; i >= 0; i-- {
		want[i] = n
		switch s := p.steps[i]; {
		case s.unpack != nil:
			n = -roomFor(len(dst))
		case n >= 0:
			n = s.before(n)
		}
	}
	spare := [2]*[]byte{buffers.Get().(*[]byte), buffers.Get().(*[]byte)}
	defer buffers.Put(spare[0])
	defer buffers.Put(spare[1])
	done, turn := false, 0 // whether dst holds the result; which spare buffer is free
	for i, s := range p.steps {
		if s.strip != nil {
			out, err := s.strip(src)
			if err != nil {
				return err
			}
			src = out
			continue
		}
		to := dst
		if done = i == p.last(); !done {
			to, turn = sized(spare[turn], abs(want[i])), 1-turn
		}
		var err error
		got := len(to)
		if s.unpack != nil {
			got, err = s.unpack(to, src)
		} else if s.before(len(to)) != len(src) {
			return fmt.Errorf("%s: %d bytes %w", s.name, len(src), errSize)
		} else {
			err = s.filter(to, src)
		}
		switch {
		case errors.Is(err, codec.ErrLong):
			return fmt.Errorf("%w: it %w", err, errSize)
		case err != nil:
			return err
		case want[i] >= 0 && got != want[i]:
			return fmt.Errorf("%s: gives %d bytes instead of %d, which %w", s.name, got, want[i], errSize)
		}
		src = to[:got]
	}
	if done {
		return nil
	}
	if len(src) != len(dst) {
		return fmt.Errorf("%d bytes instead of %d: %w", len(src), len(dst), errSize)
	}
	copy(dst, src)
	return nil
}

// last is the index of the step whose result is the chunk, -1 if something is stripped off at the end.
func (p pipeline) last() int {
	if n := len(p.steps) - 1; n >= 0 && p.steps[n].strip == nil {
		return n
	}
	return -1
}

// raw reports whether chunks are stored as they are.
func (p pipeline) raw() bool { return len(p.steps) == 0 }

// buffers recycles the memory between steps and of chunks that have to be put in order.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// sized is the first n bytes of a buffer that is made larger when it is too short.
func sized(p *[]byte, n int) []byte {
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	return (*p)[:n]
}

func abs(n int) int { return max(n, -n) }

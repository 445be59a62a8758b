package loaders

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"

	"lamella/lazy"
)

// A Scattered source has its voxels in many files, which its ID does not name one by one: that would take long to find out for
// one who looks at a plane.
type Scattered interface {
	// Stamp names the state in which those files are; "" if that cannot be told cheaply. It reads none of them.
	Stamp(ctx context.Context) (string, error)
}

// Stamp names the state of all files that an array is made of and its ID does not tell of; "" if there are none.
func Stamp(ctx context.Context, a lazy.Array) (string, error) {
	h, some := sha256.New(), false
	seen := map[*lazy.Node]bool{}
	var walk func(*lazy.Node) error
	walk = func(n *lazy.Node) error {
		if seen[n] {
			return nil
		}
		seen[n] = true
		if s, ok := n.Source.(Scattered); ok {
			stamp, err := s.Stamp(ctx)
			if err != nil {
				return err
			}
			some = some || stamp != ""
			fmt.Fprintln(h, stamp)
		}
		for _, in := range n.In {
			if err := walk(in); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(a.Node()); err != nil || !some {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// MostStamped is of how many files of an array a Stamp looks at each: 65,536 take a third of a second. Of more it looks at the
// folders that they are in, whose times tell of files that come, go, or are put in another's place, as most programs write
// them, but not of one that is opened and written over.
const MostStamped = 1 << 16

// Stamped are the indices of the objects of a grid, slowest dimension first; where there are more than MostStamped, those of as
// many dimensions as it takes to have fewer: of folders, where each dimension is one.
func Stamped(grid []int) iter.Seq[[]int] {
	dims, count := 0, 1
	for dims < len(grid) && count <= MostStamped/max(1, grid[dims]) {
		count *= grid[dims]
		dims++
	}
	return func(yield func([]int) bool) {
		at := make([]int, dims)
		for range count {
			if !yield(at) {
				return
			}
			for d := dims - 1; d >= 0; d-- {
				if at[d]++; at[d] < grid[d] {
					break
				}
				at[d] = 0
			}
		}
	}
}

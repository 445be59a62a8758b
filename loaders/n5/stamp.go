package n5

import (
	"context"
	"path"
	"strconv"

	"lamella/loaders"
	"lamella/loaders/store"
)

// Stamp implements loaders.Scattered.
func (s *source) Stamp(ctx context.Context) (string, error) {
	n := len(s.block)
	grid := make([]int, n) // as in paths: fastest dimension first
	for d, size := range s.block {
		grid[n-1-d] = (int(s.shape[d]) + size - 1) / size
	}
	return store.Stamp(ctx, s.store, func(yield func(string) bool) {
		for at := range loaders.Stamped(grid) {
			key := s.path
			for _, i := range at {
				key = path.Join(key, strconv.Itoa(i))
			}
			if !yield(key) {
				return
			}
		}
	})
}

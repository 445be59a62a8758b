package zarr

import (
	"context"
	"path"

	"lamella/loaders"
	"lamella/loaders/store"
)

// Stamp implements loaders.Scattered.
func (s *source) Stamp(ctx context.Context) (string, error) {
	grid := make([]int, len(s.outer))
	for d, n := range s.outer {
		grid[d] = int((s.shape[d] + int64(n) - 1) / int64(n))
	}
	return store.Stamp(ctx, s.store, func(yield func(string) bool) {
		for at := range loaders.Stamped(grid) {
			name := s.key.name(at)
			switch {
			case len(at) == len(grid):
			case s.key.separator != "/": // all lie in one folder
				yield(s.path)
				return
			case len(at) == 0:
				name = s.key.prefix
			}
			if !yield(path.Join(s.path, name)) {
				return
			}
		}
	})
}

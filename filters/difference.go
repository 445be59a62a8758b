package filters

import (
	"lamella/filters/stencil"
	"lamella/lazy"
)

// Difference is a - b, voxel by voxel, as real numbers: float32, or float64 where one of the two is 64 bits wide.
// Axes on which one of them is one voxel long are repeated; other lengths that differ are refused.
func Difference(a, b lazy.Array) (lazy.Array, error) {
	return stencil.Map("(x - y) / 1", a, b)
}

package filters

import (
	"context"

	"lamella/lazy"
)

// PaceSides are what Pace is to be asked for, until the memory is enough: the first says most.
var PaceSides = []int{128, 64, 32, 16}

// Pace is a piece of work from which it can be told how fast deconvolutions are here: some iterations of made-up voxels, to be
// computed by whoever has a clock, and how many voxels they are together, counted as in Work. Side is how long the image is along y and x
// (PaceSides), in a quarter as many planes. Other iterations have other keys.
func Pace(iterations, side int) (a lazy.Array, r lazy.Region, voxels float64, err error) {
	s := lazy.Shape{1, side / 4, 1, side, side}
	c, err := Parse("richardson-lucy psf=gaussian(sigma=2)")
	if err != nil {
		return a, r, 0, err
	}
	image := lazy.FromSource(flat{lazy.Meta{Shape: s, Chunk: s, DType: lazy.F32}})
	t, _, err := c.trial(image, 0, s.Whole())
	if err != nil {
		return a, r, 0, err
	}
	t.stage = func(int) int { return 0 }
	voxels = float64(iterations)
	for _, n := range t.Padded() {
		voxels *= float64(n)
	}
	a, err = t.At(iterations)
	return a, s.Whole(), voxels, err
}

// flat is an image of ones.
type flat struct{ meta lazy.Meta }

func (f flat) Meta() lazy.Meta { return f.meta }
func (f flat) ID() string      { return "ones" }
func (f flat) Read(ctx context.Context, dst *lazy.Block) (int64, error) {
	v := lazy.View[float32](dst)
	for i := range v {
		v[i] = 1
	}
	return 0, ctx.Err()
}

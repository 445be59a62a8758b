package filters

import "lamella/lazy"

// Mirrors and quarter turns put voxels elsewhere and compute none: they are views of the image (see lazy.Flip and
// lazy.SwapAxes), and turned back they are the image itself.
var (
	flip = Spec{
		Name: "flip", Title: "Flip", Moves: true,
		Doc:       "Mirrors the image along an axis.",
		Reference: "numpy.flip",
		Params:    []Param{{Name: "axis", Kind: Choice, Default: "x", Choices: []string{"x", "y", "z", "t"}, Doc: "the axis along which the order of voxels is turned round"}},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			return lazy.Flip(a, axisNamed(v.text["axis"])), nil
		},
	}
	rotate = Spec{
		Name: "rotate", Title: "Rotate", Moves: true,
		Doc:       "Turns the image by a quarter, a half or three quarters, clockwise as it is seen; no voxel is computed.",
		Reference: "numpy.rot90 with k of -1, -2 and -3",
		Params: []Param{
			{Name: "by", Kind: Choice, Default: "90", Choices: []string{"90", "180", "270"}, Doc: "degrees, clockwise"},
			{Name: "axis", Kind: Choice, Default: "z", Choices: []string{"z", "y", "x"}, Doc: "the axis to turn about: z turns the plane of y and x, y that of z and x, x that of z and y"},
		},
		build: func(a lazy.Array, v values) (lazy.Array, error) {
			down, across := lazy.Y, lazy.X
			switch v.text["axis"] {
			case "y":
				down = lazy.Z
			case "x":
				down, across = lazy.Z, lazy.Y
			}
			switch v.text["by"] {
			case "90":
				return lazy.Flip(lazy.SwapAxes(a, down, across), across), nil
			case "270":
				return lazy.Flip(lazy.SwapAxes(a, down, across), down), nil
			}
			return lazy.Flip(lazy.Flip(a, down), across), nil
		},
	}
)

// axisNamed is an axis by its letter.
func axisNamed(letter string) lazy.Axis {
	for a := range lazy.Axis(lazy.Rank) {
		if a.String() == letter {
			return a
		}
	}
	panic("filters: an axis called " + letter)
}

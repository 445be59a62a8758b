package viewer

import (
	"fmt"
	"math"

	"lamella/filters"
	"lamella/lazy"
)

// beadSize is how many voxels around a point are taken for a bead.
const beadSize = 15

// CanTakeBead reports whether a shape is chosen and a filter there that takes a PSF.
func (s State) CanTakeBead() bool {
	return s.Chosen >= 0 && s.Chosen < len(s.Shapes) && s.takesPSF() >= 0
}

// takesPSF is the step that is watched, or the last that has a PSF; -1 if none has.
func (s State) takesPSF() int {
	if s.Trial.Open {
		return s.Trial.Step
	}
	for i := len(s.Chain) - 1; i >= 0; i-- {
		if spec, ok := filters.Lookup(s.Chain[i].Filter); ok {
			if _, has := spec.Param("psf"); has {
				return i
			}
		}
	}
	return -1
}

// TakeBead has a deconvolution take the bead under the chosen shape, such as a point, for its PSF: what lies within the shape, and as far
// along the third axis as it is wide; around a point some voxels. It ends where the image does.
func TakeBead() Action {
	return func(sc *Scene, s State) State {
		if !s.CanTakeBead() {
			return s
		}
		h, shape := s.Shapes[s.Chosen], sc.Raw[0].Meta().Shape
		across, down, normal := h.Cut.Axes()
		lo, hi := h.Points[0], h.Points[0]
		for _, p := range h.Points {
			for k := range p {
				lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
			}
		}
		at, size := h.At, [lazy.Rank]int{}
		for k, a := range [2]lazy.Axis{across, down} {
			at[a] = int(math.Round((lo[k] + hi[k]) / 2))
			if size[a] = beadSize; h.Kind != Point {
				size[a] = max(3, int(hi[k]-lo[k]))
			}
		}
		size[normal] = max(size[across], size[down])
		for _, a := range [...]lazy.Axis{lazy.Z, lazy.Y, lazy.X} {
			half := max(1, min(size[a]/2, at[a], shape[a]-1-at[a]))
			size[a] = 2*half + 1
		}
		psf := fmt.Sprintf("bead(at=%d,%d,%d,size=%d,%d,%d)", at[lazy.Z], at[lazy.Y], at[lazy.X], size[lazy.Z], size[lazy.Y], size[lazy.X])
		return SetParam(s.takesPSF(), "psf", psf)(sc, s)
	}
}

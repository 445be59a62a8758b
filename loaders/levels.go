package loaders

import (
	"math"

	"lamella/lazy"
)

// A Reduced is one resolution of an image that is written.
type Reduced struct {
	Meta   lazy.Meta
	Factor lazy.Shape // voxels of the finest level that one of its voxels spans, along each axis
}

// Levels are the resolutions of an image, finest first, until one is at most keep long along the axes that may be
// halved. Lengths are halved and rounded up, so that no voxel is lost; the voxel size is doubled, and the centre of
// the first voxel lies half a voxel of the finer level further in.
//
// An axis is halved while it is longer than keep. Axes whose voxels are much longer than those of others wait
// until the others have caught up, and shorter axes go along as long as their voxels would else become the
// shortest, so that coarse voxels are about as long as they are wide. A length that is not known is no reason
// for either.
func Levels(m lazy.Meta, keep lazy.Shape, axes ...lazy.Axis) []Reduced {
	levels := []Reduced{{m, lazy.Shape{1, 1, 1, 1, 1}}}
	for {
		last := levels[len(levels)-1]
		halved := halves(last.Meta, keep, axes)
		if len(halved) == 0 {
			return levels
		}
		for _, a := range halved {
			last.Meta.Shape[a] = (last.Meta.Shape[a] + 1) / 2
			last.Meta.Chunk[a] = min(last.Meta.Chunk[a], last.Meta.Shape[a])
			last.Meta.Origin[a] += last.Meta.Scale[a] / 2
			last.Meta.Scale[a] *= 2
			last.Factor[a] *= 2
		}
		levels = append(levels, last)
	}
}

// AtMost are the finest n of some levels; 0 is all of them.
func AtMost(n int, levels []Reduced) []Reduced {
	if n > 0 && n < len(levels) {
		return levels[:n]
	}
	return levels
}

// halves are the axes that the next level halves; none if it is not needed.
func halves(m lazy.Meta, keep lazy.Shape, axes []lazy.Axis) []lazy.Axis {
	const alike = 1.5 // so much longer a voxel may be along one axis than along another
	shortest := math.Inf(1)
	for _, a := range axes {
		if m.Shape[a] > keep[a] && m.Scale[a] > 0 {
			shortest = min(shortest, m.Scale[a])
		}
	}
	var out []lazy.Axis
	long := false
	for _, a := range axes {
		switch n := m.Shape[a]; {
		case n == 1:
		case n > keep[a] && (m.Scale[a] <= 0 || m.Scale[a] <= alike*shortest):
			out, long = append(out, a), true
		case n <= keep[a] && m.Scale[a] > 0 && !math.IsInf(shortest, 1) && m.Scale[a] <= alike*shortest:
			out = append(out, a)
		}
	}
	if !long {
		return nil
	}
	return out
}

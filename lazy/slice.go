package lazy

import (
	"fmt"
	"math"
)

// End stands for the length of an axis in Slice.
const End = math.MaxInt

// Crop is region r of a, which must lie within it: the voxel at r.Min becomes voxel 0, and Origin moves with
// it.
func Crop(a Array, r Region) (Array, error) {
	m := a.Meta()
	if r.Empty() || !m.Shape.Whole().Contains(r) {
		return Array{}, fmt.Errorf("lazy: cropping: %v is not a region within %v", r, m.Shape.Whole())
	}
	v := same(m)
	for ax := range Rank {
		v.from[ax] = r.Min[ax]
		v.meta.Origin[ax] += float64(r.Min[ax]) * m.Scale[ax]
		v.meta.Shape[ax] = r.Len(Axis(ax))
		v.meta.Chunk[ax] = min(m.Chunk[ax], v.meta.Shape[ax])
	}
	return v.of(a), nil
}

// Slice is a from one index of an axis up to, not including, another: x[from:to]. A negative index counts from
// the end, as in NumPy, and End is the end. What does not exist is refused rather than cut off as NumPy does,
// since it is a mistake more often than meant.
func Slice(a Array, ax Axis, from, to int) (Array, error) {
	n := a.Meta().Shape[ax]
	lo, hi := fromEnd(from, n), n
	if to != End {
		hi = fromEnd(to, n)
	}
	if lo < 0 || hi > n || lo >= hi {
		end := fmt.Sprint(to)
		if to == End {
			end = ""
		}
		return Array{}, fmt.Errorf("lazy: slicing %v: expected some voxels of 0:%d (or from -%d on, counted from the end), found %d:%s", ax, n, n, from, end)
	}
	return Crop(a, a.Meta().Shape.Whole().With(ax, lo, hi))
}

// Take is a at one index of an axis, which keeps a length of 1: x[:, i]. A negative index counts from the end.
func Take(a Array, ax Axis, i int) (Array, error) {
	n := a.Meta().Shape[ax]
	at := fromEnd(i, n)
	if at < 0 || at >= n {
		return Array{}, fmt.Errorf("lazy: taking %v=%d: expected an index of %d voxels: 0 to %d, or -%d to -1 from the end", ax, i, n, n-1, n)
	}
	return Crop(a, a.Meta().Shape.Whole().With(ax, at, at+1))
}

func fromEnd(i, n int) int {
	if i < 0 {
		return i + n
	}
	return i
}

// Every is each n-th voxel of a along an axis, from voxel 0 on: x[::n]. The distance between voxels grows with
// it. Slice first to begin elsewhere.
//
// Along t, z and c, and along y where a step is as long as a chunk, only what is taken is asked of a. Elsewhere
// a tile asks for the box from its first voxel to its last: what lies between is in chunks that are read for it
// anyway, or in rows that a filter below computes whole.
func Every(a Array, ax Axis, n int) (Array, error) {
	if n < 1 {
		return Array{}, fmt.Errorf("lazy: taking every %d-th voxel along %v: expected 1 or more", n, ax)
	}
	v := same(a.Meta())
	v.step[ax] = n
	m := &v.meta
	m.Shape[ax] = (m.Shape[ax]-1)/n + 1
	m.Chunk[ax] = min((m.Chunk[ax]-1)/n+1, m.Shape[ax])
	m.Scale[ax] *= float64(n)
	return v.of(a), nil
}

// Flip is a mirrored along an axis, in the place where a lies: voxel 0 is the last one of a, at a's Origin.
func Flip(a Array, ax Axis) Array {
	v := same(a.Meta())
	v.from[ax], v.step[ax] = v.meta.Shape[ax]-1, -1
	return v.of(a)
}

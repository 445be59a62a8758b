package loaders

import (
	"fmt"
	"math"
	"strings"

	"lamella/lazy"
)

// Axes says which axis each dimension of a stored array is, slowest dimension first.
type Axes []lazy.Axis

// AssumeAxes is the rule for n dimensions that a file does not name: they are the last of t, z, y, x,
// and five are t, z, c, y, x. Other numbers of dimensions wrap ErrUnsupported.
func AssumeAxes(n int) (Axes, error) {
	switch {
	case n == 5:
		return Axes{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X}, nil
	case n >= 1 && n <= 4:
		return Axes{lazy.T, lazy.Z, lazy.Y, lazy.X}[4-n:], nil
	}
	return nil, fmt.Errorf("%d dimensions, from 1 to %d can be shown: %w", n, lazy.Rank, ErrUnsupported)
}

// ParseAxes reads an order such as "tzcyx" for an array of n dimensions.
func ParseAxes(text string, n int) (Axes, error) {
	var a Axes
	for _, c := range strings.ToLower(text) {
		i := strings.IndexRune("tzcyx", c)
		if i < 0 || a.Find(lazy.Axis(i)) >= 0 {
			return nil, fmt.Errorf("axes %q: each letter is one of t, z, c, y, x and comes once: %w", text, ErrUnsupported)
		}
		a = append(a, lazy.Axis(i))
	}
	if len(a) != n {
		return nil, fmt.Errorf("axes %q name %d dimensions, the array has %d: %w", text, len(a), n, ErrUnsupported)
	}
	return a, nil
}

// NamedAxes is the axes of dimensions that a file names one by one. Names other than t, z, c, y and x, and names that
// come again, stand for the free ones of t, c and z; assumed has these. Where y and x are not both named, all are assumed.
func NamedAxes(names []string) (axes Axes, assumed string, err error) {
	axes = make(Axes, len(names))
	used := map[lazy.Axis]bool{}
	var open []int
	for i, name := range names {
		x := lazy.Axis(strings.Index("tzcyx", name))
		if len(name) != 1 || x < 0 || used[x] {
			open = append(open, i)
			continue
		}
		axes[i], used[x] = x, true
	}
	if len(names) > lazy.Rank || len(open) > 0 && !(used[lazy.Y] && used[lazy.X]) {
		if axes, err = AssumeAxes(len(names)); err == nil {
			assumed = axes.String()
		}
		return axes, assumed, err
	}
	free := []lazy.Axis{lazy.T, lazy.C, lazy.Z}
	for _, i := range open {
		for used[free[0]] {
			free = free[1:]
		}
		axes[i], used[free[0]] = free[0], true
		assumed += free[0].String()
	}
	return axes, assumed, nil
}

// String is the order as letters, slowest first.
func (a Axes) String() string {
	var s strings.Builder
	for _, x := range a {
		s.WriteString(x.String())
	}
	return s.String()
}

// Find is the dimension that is axis x, or -1.
func (a Axes) Find(x lazy.Axis) int {
	for i, y := range a {
		if x == y {
			return i
		}
	}
	return -1
}

// maxVoxels keeps every offset in bytes, and every sum of a few of them, within an int.
const maxVoxels = math.MaxInt / 64

// Shape spreads the lengths of the dimensions over the five axes; the others get length 1. Lengths
// below 1, and arrays of more voxels than can be counted in bytes, are refused.
func (a Axes) Shape(dims []int64) (lazy.Shape, error) {
	s := lazy.Shape{1, 1, 1, 1, 1}
	if len(dims) != len(a) {
		return s, fmt.Errorf("%d lengths for axes %v: %w", len(dims), a, ErrDamaged)
	}
	n := int64(1)
	for i, d := range dims {
		switch {
		case d < 0:
			return s, fmt.Errorf("shape %v: a length below 0: %w", dims, ErrDamaged)
		case d == 0:
			return s, fmt.Errorf("shape %v: no voxels: %w", dims, ErrUnsupported)
		case d > maxVoxels/n:
			return s, fmt.Errorf("shape %v: more voxels than any storage holds: %w", dims, ErrDamaged)
		}
		n *= d
		s[a[i]] = int(d)
	}
	return s, nil
}

// Strides is the distance in voxels between neighbours along each axis, in a dense array whose
// dimensions have these axes and whose last dimension is contiguous.
func (a Axes) Strides(s lazy.Shape) lazy.Index {
	var out lazy.Index
	n := 1
	for i := len(a) - 1; i >= 0; i-- {
		out[a[i]] = n
		n *= s[a[i]]
	}
	return out
}

// Reversed is the order of an array whose first dimension is contiguous.
func (a Axes) Reversed() Axes {
	r := make(Axes, len(a))
	for i, x := range a {
		r[len(a)-1-i] = x
	}
	return r
}

package tiff

import (
	"fmt"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
)

// A dim is one axis along which a file counts its planes.
type dim struct {
	axis byte // 't', 'z' or 'c', or 0 if the file does not say, or says something that is not one of them
	n    int
}

// An arrangement says where on T, Z and C the planes of a file belong.
type arrangement struct {
	n       [3]int // planes along T, Z and C
	step    [3]int // distance between neighbours, in planes
	assumed string // axes that were not named
	axes    string // of the planes, slowest first
}

// order is that of the planes, and the rows and columns of each.
func (a arrangement) order() lazy.Order { return lazy.Order{Axes: a.axes + "yx", Fixed: 2} }

// arrange brings the axes of a file, slowest first, to T, Z and C. Axes without a name become the
// last of t and z that are free, then c. A user's order, such as "tzyx", replaces the names.
func arrange(dims []dim, order string) (arrangement, error) {
	var long []dim
	for _, d := range dims {
		if d.n != 1 {
			long = append(long, d)
		}
	}
	if order != "" {
		named, err := rename(dims, long, order)
		if err != nil {
			return arrangement{}, err
		}
		long = named
	}
	long = mergeNameless(long)
	a := arrangement{n: [3]int{1, 1, 1}}
	steps := make([]int, len(long))
	step := 1
	for i := len(long) - 1; i >= 0; i-- {
		steps[i] = step
		step *= long[i].n
	}
	used := ""
	for _, d := range long {
		if d.axis != 0 {
			if strings.IndexByte(used, d.axis) >= 0 {
				return a, fmt.Errorf("axis %c twice: %w", d.axis, loaders.ErrUnsupported)
			}
			used += string(d.axis)
		}
	}
	for i := len(long) - 1; i >= 0; i-- {
		d := long[i]
		if d.axis == 0 {
			for _, free := range "ztc" {
				if !strings.ContainsRune(used, free) {
					d.axis = byte(free)
					break
				}
			}
			if d.axis == 0 {
				return a, fmt.Errorf("more axes than t, z, c, y and x: %w", loaders.ErrUnsupported)
			}
			used += string(d.axis)
			a.assumed = string(d.axis) + a.assumed
		}
		a.axes = string(d.axis) + a.axes
		k := strings.IndexByte("tzc", d.axis)
		a.n[k], a.step[k] = d.n, steps[i]
	}
	return a, nil
}

// rename gives the axes the user's names: of all axes, or of those longer than 1.
func rename(all, long []dim, order string) ([]dim, error) {
	names := ""
	for _, r := range strings.ToLower(order) {
		switch {
		case r == 'y' || r == 'x' || r == 's':
		case strings.ContainsRune("tzc", r):
			names += string(r)
		default:
			return nil, fmt.Errorf("axis order %q: %q is not one of t, z, c, y, x, s", order, r)
		}
	}
	dims := long
	if len(names) != len(long) && len(names) == len(all) {
		dims = all
	}
	if len(names) != len(dims) {
		return nil, fmt.Errorf("axis order %q names %d axes of planes, the file has %d (lengths %v)", order, len(names), len(dims), lengths(dims))
	}
	named := make([]dim, 0, len(dims))
	for i, d := range dims {
		if d.n != 1 {
			named = append(named, dim{names[i], d.n})
		}
	}
	return named, nil
}

// mergeNameless joins neighbouring axes without a name, until there is a place for each.
func mergeNameless(dims []dim) []dim {
	for len(dims) > 3 {
		joined := false
		for i := 1; i < len(dims); i++ {
			if dims[i-1].axis == 0 && dims[i].axis == 0 {
				rest := append([]dim{{0, dims[i-1].n * dims[i].n}}, dims[i+1:]...)
				dims = append(append([]dim(nil), dims[:i-1]...), rest...)
				joined = true
				break
			}
		}
		if !joined {
			break
		}
	}
	return dims
}

func lengths(dims []dim) []int {
	n := make([]int, len(dims))
	for i, d := range dims {
		n[i] = d.n
	}
	return n
}

// axisOf is the axis that a letter names, 0 if it names none of ours.
func axisOf(letter byte) byte {
	switch letter | 0x20 {
	case 't', 'z', 'c':
		return letter | 0x20
	}
	return 0
}

// planesOf is the number of planes of all dims together, and whether a plane of size bytes each leaves
// the whole countable.
func planesOf(dims []dim, l *layout) (int, bool) {
	f := []uint64{uint64(l.width), uint64(l.height), uint64(l.samples), 8}
	n := 1
	for _, d := range dims {
		if d.n < 1 {
			return 0, false
		}
		f = append(f, uint64(d.n))
	}
	if _, ok := product(f...); !ok {
		return 0, false
	}
	for _, d := range dims {
		n *= d.n
	}
	return n, true
}

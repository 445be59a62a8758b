package lazy

import (
	"fmt"
	"strconv"
	"strings"
)

// BorderMode names the rule for voxels beyond the edge of an array. Names, spelling and meaning
// are those of scipy.ndimage, and Blank is Numba's rule for stencils.
type BorderMode uint8

// The rules, shown on the row a b c d.
const (
	Reflect  BorderMode = iota // d c b a | a b c d | d c b a
	Mirror                     // d c b | a b c d | c b a
	Nearest                    // a a a a | a b c d | d d d d
	Wrap                       // a b c d | a b c d | a b c d
	Constant                   // v v v v | a b c d | v v v v
	Blank                      // no value: the result is 0 wherever it would look there
)

// A Border is a rule with its value. The zero Border is Reflect, scipy's default.
type Border struct {
	Mode  BorderMode
	Value float64 // of Constant
}

var borderNames = [...]string{"reflect", "mirror", "nearest", "wrap", "constant", "blank"}

// String is the form that ParseBorder reads.
func (b Border) String() string {
	if b.Mode == Constant {
		return "constant:" + strconv.FormatFloat(b.Value, 'g', -1, 64)
	}
	return borderNames[b.Mode]
}

// ParseBorder reads "reflect", "mirror", "nearest", "wrap", "blank" or "constant:V".
func ParseBorder(s string) (Border, error) {
	name, value, has := strings.Cut(s, ":")
	for m, n := range borderNames {
		if n != name {
			continue
		}
		b := Border{Mode: BorderMode(m)}
		if b.Mode == Constant && has {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return Border{}, fmt.Errorf("lazy: border constant: %q is not a number", value)
			}
			b.Value = v
			return b, nil
		}
		if !has {
			return b, nil
		}
	}
	return Border{}, fmt.Errorf("lazy: border %q is not one of reflect, mirror, nearest, wrap, constant:V, blank", s)
}

// Fold is the index within [0, n) whose voxel stands at i, or -1 when the rule gives a value
// instead of a voxel. It holds for any distance, also for kernels longer than the axis.
func (b Border) Fold(i, n int) int {
	if i >= 0 && i < n {
		return i
	}
	switch b.Mode {
	case Reflect:
		if i = mod(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	case Mirror:
		if n == 1 {
			return 0
		}
		if i = mod(i, 2*n-2); i >= n {
			i = 2*n - 2 - i
		}
		return i
	case Nearest:
		return max(0, min(n-1, i))
	case Wrap:
		return mod(i, n)
	}
	return -1
}

// span is a half-open range of indices along one axis.
type span struct{ min, max int }

// spans is which voxels of an axis of length n are needed to fill [lo, hi), as disjoint ranges in
// order: two at the most (for Wrap), none if only the constant is seen.
func (b Border) spans(lo, hi, n int) []span {
	in := span{max(lo, 0), min(hi, n)}
	if lo >= 0 && hi <= n {
		return []span{in}
	}
	switch b.Mode {
	case Constant, Blank:
		if in.max <= in.min {
			return nil
		}
		return []span{in}
	case Wrap:
		if hi-lo >= n {
			return []span{{0, n}}
		}
		a, z := mod(lo, n), mod(hi-1, n)+1
		if a < z {
			return []span{{a, z}}
		}
		return []span{{0, z}, {a, n}}
	}
	// The images of an interval under a reflection or a clamp are intervals that share an end
	// with the part inside, so their hull is exact once the part inside is not empty; otherwise
	// it is the hull of the folded indices, a run of at most n of them.
	if hi-lo > 2*n {
		return []span{{0, n}}
	}
	s := span{n, 0}
	for i := lo; i < hi; i++ {
		f := b.Fold(i, n)
		s.min, s.max = min(s.min, f), max(s.max, f+1)
	}
	return []span{s}
}

func mod(a, n int) int {
	if a %= n; a < 0 {
		a += n
	}
	return a
}

package loaders

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lamella/lazy"
)

// A split is a dimension that holds several axes: the axis along which the driver is to read it, and all of them with their
// lengths, slowest first. The length of one is 0: whatever is left.
type split struct {
	along lazy.Axis
	parts []part
}

type part struct {
	axis   lazy.Axis
	length int
}

// parseSplit reads an order in which one dimension is several, such as "(zc3)yx": planes that are three channels of each z,
// the last letter fastest. One letter of the parentheses has no number. What drivers are told is the order with that letter in
// the place of the parentheses, "zyx". An order without parentheses has no parts.
func parseSplit(order string) (plain string, s split, err error) {
	before, rest, some := strings.Cut(order, "(")
	inside, after, closed := strings.Cut(rest, ")")
	if !some {
		return order, split{}, nil
	}
	bad := func(why string) (string, split, error) {
		return "", split{}, fmt.Errorf("axes %q: %s; (zc3)yx, for example, is planes of which each three in a row are the channels of one z: %w", order, why, ErrUnsupported)
	}
	if !closed || strings.ContainsAny(before+after, "()0123456789") {
		return bad("expected one pair of parentheses, with numbers within alone")
	}
	free := ""
	for rest := strings.ToLower(inside); rest != ""; {
		i := strings.IndexByte("tzcyx", rest[0])
		if i < 0 {
			return bad("each letter is one of t, z, c, y, x")
		}
		letter := rest[:1]
		rest = rest[1:]
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = rest[len(digits):]
		n := 0
		if digits != "" {
			if n, err = strconv.Atoi(digits); err != nil || n < 1 || n > maxParts {
				return bad(fmt.Sprintf("a length is from 1 to %d", maxParts))
			}
		} else {
			free += letter
			s.along = lazy.Axis(i)
		}
		s.parts = append(s.parts, part{lazy.Axis(i), n})
	}
	if len(free) != 1 || len(s.parts) < 2 {
		return bad("within the parentheses stand two letters or more, and all but one with a length behind")
	}
	return before + free + after, s, nil
}

// CheckAxes says, before anything is opened, whether words can be an order of axes: letters, of which one dimension may be
// split, or a pattern of the names of files, which is not looked at.
func CheckAxes(words string) error {
	if strings.Contains(words, "{") {
		return nil
	}
	plain, _, err := parseSplit(words)
	if err == nil {
		_, err = ParseAxes(plain, utf8.RuneCountInString(plain))
	}
	return err
}

// AxesShape is the shape that an array of these lengths, slowest first, has by the words of a user on its axes.
func AxesShape(words string, lengths []int64) (lazy.Shape, error) {
	plain, s, err := parseSplit(words)
	if err != nil {
		return lazy.Shape{}, err
	}
	axes, err := ParseAxes(plain, len(lengths))
	if err != nil {
		return lazy.Shape{}, err
	}
	shape, err := axes.Shape(lengths)
	if err != nil || len(s.parts) == 0 {
		return shape, err
	}
	each, err := s.each(shape)
	if err != nil {
		return shape, fmt.Errorf("axes %q: %w", words, err)
	}
	for _, p := range s.parts {
		if p.axis != s.along {
			shape[p.axis] = p.length
		}
	}
	shape[s.along] /= each
	return shape, nil
}

// maxParts is how many pieces a dimension may be put together from again.
const maxParts = 4096

// each is how many planes of a shape belong together: one of the axis that has no length.
func (s split) each(shape lazy.Shape) (int, error) {
	have, each := shape[s.along], 1
	for i, p := range s.parts {
		if slices.ContainsFunc(s.parts[:i], func(q part) bool { return q.axis == p.axis }) {
			return 0, fmt.Errorf("axis %v comes twice: %w", p.axis, ErrUnsupported)
		}
		if each *= max(1, p.length); each > maxParts {
			return 0, fmt.Errorf("more than %d pieces: %w", maxParts, ErrUnsupported)
		}
		if p.axis != s.along && shape[p.axis] > 1 {
			return 0, fmt.Errorf("axis %v comes twice: it has %d voxels already: %w", p.axis, shape[p.axis], ErrUnsupported)
		}
	}
	if have%each != 0 {
		return 0, fmt.Errorf("%d planes do not come out even in groups of %d: %w", have, each, ErrUnsupported)
	}
	return each, nil
}

// of gives the array in which the dimension is split. Nothing is read: voxels come from the planes that hold them.
func (s split) of(a lazy.Array) (lazy.Array, error) {
	each, err := s.each(a.Meta().Shape)
	if err != nil {
		return a, err
	}
	return s.pieces(a, s.parts, 0, a.Meta().Shape[s.along]/each)
}

// pieces puts together along the axes of parts what begins at the plane from; length is that of the axis without one.
func (s split) pieces(a lazy.Array, parts []part, from, length int) (lazy.Array, error) {
	step := 1 // from one index of the axis without a length to the next
	for i := len(s.parts) - 1; s.parts[i].axis != s.along; i-- {
		step *= s.parts[i].length
	}
	if len(parts) == 0 {
		one, err := lazy.Slice(a, s.along, from, from+step*(length-1)+1)
		if err != nil {
			return a, err
		}
		if one, err = lazy.Every(one, s.along, step); err != nil {
			return a, err
		}
		return lazy.Restate(one, a.Meta()), nil // what was said of z holds for each z, not for each plane
	}
	p, inner := parts[0], 1
	if p.axis == s.along {
		return s.pieces(a, parts[1:], from, length)
	}
	for _, q := range parts[1:] {
		if q.length == 0 {
			q.length = length
		}
		inner *= q.length
	}
	var all []lazy.Array
	for i := range p.length {
		one, err := s.pieces(a, parts[1:], from+i*inner, length)
		if err != nil {
			return a, err
		}
		all = append(all, one)
	}
	return lazy.Concat(p.axis, all...)
}

// apply splits every image of a dataset. Coarser levels go as far as they have as many planes as the finest.
func (s split) apply(set *lazy.Dataset, words string) error {
	for i := range set.Images {
		image := &set.Images[i]
		var levels []lazy.Level
		for n, l := range image.Levels {
			if n > 0 && l.Array.Meta().Shape[s.along] != image.Levels[0].Array.Meta().Shape[s.along] {
				break
			}
			a, err := s.of(l.Array)
			if err != nil {
				return fmt.Errorf("axes %q: %w", words, err)
			}
			l.Array = a
			levels = append(levels, l)
		}
		image.Levels, image.Order.Words, image.Assumed = levels, words, ""
		if len(image.Channels) != levels[0].Array.Meta().Shape[lazy.C] {
			image.Channels = nil
		}
	}
	return nil
}

package sequence

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// isPattern tells a pattern of names from an order of axes.
func isPattern(word string) bool { return strings.Contains(word, "{") }

// byPattern reads the axes out of the names as a user says that they are made: "cell_{c}_z{z}.tif". {t}, {z} and {c} stand for
// a number or for words, which are taken in natural order, {} for anything. What is not named so is left out. A pattern
// with a slash is one of the paths below what was opened, others are of the names alone.
func byPattern(pattern string, keys []string) (kept, left []string, g grid, err error) {
	rule, axes, form, err := compile(pattern)
	if err != nil {
		return nil, nil, g, err
	}
	var found [][]string
	for _, k := range keys {
		name := k
		if !strings.Contains(pattern, "/") {
			name = path.Base(k)
		}
		if m := rule.FindStringSubmatch(name); m != nil {
			kept, found = append(kept, k), append(found, m[1:])
		} else {
			left = append(left, k)
		}
	}
	if len(kept) == 0 {
		return nil, nil, g, fmt.Errorf("the pattern %q fits none of %d names; the first is %s: %w", pattern, len(keys), keys[0], loaders.ErrUnsupported)
	}
	fields := make([]field, len(axes))
	numbers := make([][]int, len(kept))
	for i, a := range axes {
		column := make([]string, len(kept))
		for k := range found {
			column[k] = found[k][i]
		}
		fields[i] = field{axis: a, named: true}
		values, ok := counts(column)
		if !ok {
			fields[i].words = slices.Compact(slices.SortedFunc(slices.Values(column), store.NaturalCompare))
			for k, w := range column {
				values[k] = slices.Index(fields[i].words, w)
			}
		}
		for k := range numbers {
			numbers[k] = append(numbers[k], values[k])
		}
	}
	g = place(fields, numbers)
	if g.flat && len(kept) > 1 {
		return nil, nil, g, fmt.Errorf("by the pattern %q two files have one place, or more than half of the places have none: %w", pattern, loaders.ErrUnsupported)
	}
	g.form = form
	return kept, left, g, nil
}

// compile makes a rule for names out of a pattern, with a group for each axis, and gives what stands around them.
func compile(pattern string) (rule *regexp.Regexp, axes []lazy.Axis, form []string, err error) {
	var text strings.Builder
	text.WriteString("^")
	form = []string{""}
	for rest := pattern; rest != ""; {
		before, after, some := strings.Cut(rest, "{")
		text.WriteString(regexp.QuoteMeta(before))
		form[len(form)-1] += before
		if !some {
			break
		}
		word, behind, closed := strings.Cut(after, "}")
		i := strings.Index("tzc", strings.ToLower(word))
		switch {
		case closed && word == "":
			text.WriteString(".*?")
			form[len(form)-1] += "{}"
		case !closed || len(word) != 1 || i < 0 || slices.Contains(axes, lazy.Axis(i)):
			return nil, nil, nil, fmt.Errorf("the pattern %q: within braces stands t, z or c, each once, or nothing: %w", pattern, loaders.ErrUnsupported)
		default:
			text.WriteString("(.+?)")
			axes, form = append(axes, lazy.Axis(i)), append(form, "")
		}
		rest = behind
	}
	rule, err = regexp.Compile(text.String() + "$")
	return rule, axes, form, err
}

// counts are the numbers that all of the words are, and whether all are some.
func counts(words []string) ([]int, bool) {
	out := make([]int, len(words))
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return out, false
		}
		out[i] = n
	}
	return out, true
}

// order is what the names are taken for, for those who may want it otherwise.
func (s *stack) order(g grid, keys []string) lazy.Order {
	o := lazy.Order{Fixed: 2}
	var parts []string
	for _, f := range g.fields {
		o.Axes += f.axis.String()
		first, last := fmt.Sprint(f.values[0]), fmt.Sprint(f.values[len(f.values)-1])
		if f.words != nil {
			first, last = f.words[0], f.words[len(f.words)-1]
		}
		parts = append(parts, fmt.Sprintf("%v %s to %s (%d)", f.axis, first, last, len(f.values)))
	}
	for a := range lazy.Y {
		if s.box[a] > 1 && strings.Contains(o.Axes, a.String()) {
			return lazy.Order{} // the files are colours in channels, which no letters say
		}
	}
	for a := range lazy.Y {
		if s.box[a] > 1 {
			o.Axes += a.String()
			o.Fixed++
		}
	}
	o.Axes += "yx"
	for i, text := range g.form {
		if o.Words += text; i < len(g.form)-1 {
			o.Words += "{" + g.fields[i].axis.String() + "}"
		}
	}
	o.About = strings.Join(parts, ", ")
	if g.flat {
		o.About = "the names say no axes, the files follow each other"
	}
	if o.About += "; " + path.Base(keys[0]); len(keys) > 1 {
		o.About += " to " + path.Base(keys[len(keys)-1])
	}
	missing := 0
	for _, k := range s.cells {
		if k < 0 {
			missing++
		}
	}
	if missing > 0 {
		o.About += fmt.Sprintf("; %d of %d are missing", missing, len(s.cells))
	}
	return o
}

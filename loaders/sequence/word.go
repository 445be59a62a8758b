package sequence

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"lamella/lazy"
)

// mostWords is how many channels names may tell apart by words.
const mostWords = 8

var (
	pieces  = regexp.MustCompile(`[^_\-. ]+|[_\-. ]+`)
	counted = regexp.MustCompile(`^([A-Za-z]*)([0-9]+)$`)
)

// byWord reads the axes out of names in which one word differs beside the numbers, as in exp_DAPI_z01 and exp_GFP_z01. The word
// is assumed to tell channels: numbers behind z or t have to stand beside it, and every place of the grid has to have its
// file, since words tell specimens apart as well.
func byWord(keys []string) (grid, bool) {
	pattern, assumed, ok := wordPattern(keys)
	if !ok {
		return grid{}, false
	}
	_, left, g, err := byPattern(pattern, keys)
	if err != nil || len(left) > 0 {
		return grid{}, false
	}
	size := 1
	for i := range g.fields {
		f := &g.fields[i]
		size *= len(f.values)
		f.named = !slices.Contains(assumed, f.axis)
		if f.axis == lazy.C && len(f.values) > mostWords {
			return grid{}, false
		}
	}
	return g, size == len(keys)
}

// wordPattern is a pattern that fits names of which one piece between signs is a word that differs, and the axes in it
// that no letter names.
func wordPattern(keys []string) (pattern string, assumed []lazy.Axis, ok bool) {
	var rows [][]string
	ext := path.Ext(keys[0])
	for _, k := range keys {
		if strings.ContainsAny(k, "{}") || path.Ext(k) != ext || path.Dir(k) != path.Dir(keys[0]) {
			return "", nil, false
		}
		rows = append(rows, pieces.FindAllString(strings.TrimSuffix(path.Base(k), ext), -1))
		if len(rows[len(rows)-1]) != len(rows[0]) {
			return "", nil, false
		}
	}
	used := map[lazy.Axis]bool{}
	labelled := false
	for i, text := range rows[0] {
		if !slices.ContainsFunc(rows, func(r []string) bool { return r[i] != text }) {
			pattern += text
			continue
		}
		label, number := numbered(rows, i)
		before := label
		if label == "" && i >= 2 {
			before = rows[0][i-2]
		}
		axis, known := words[strings.ToLower(before)]
		switch {
		case !number: // the word
			axis = lazy.C
			assumed = append(assumed, axis)
		case !known || axis == lazy.C:
			return "", nil, false
		default:
			labelled = true
		}
		if used[axis] {
			return "", nil, false
		}
		used[axis] = true
		pattern += label + "{" + axis.String() + "}"
	}
	return pattern + ext, assumed, labelled && used[lazy.C]
}

// numbered reports whether piece i of every name is a number, behind the same letters.
func numbered(rows [][]string, i int) (label string, ok bool) {
	for k, r := range rows {
		m := counted.FindStringSubmatch(r[i])
		if m == nil || k > 0 && m[1] != label {
			return "", false
		}
		label = m[1]
	}
	return label, true
}

package sequence

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"lamella/lazy"
)

// A field is one number that differs from name to name, and what it counts.
type field struct {
	axis   lazy.Axis
	named  bool     // by a letter or word before it
	values []int    // those that occur, rising
	words  []string // for which values stand, where a pattern of the user's finds no numbers
}

// A grid says where the files of a sequence belong.
type grid struct {
	fields []field
	at     []lazy.Index // for each file; only T, Z and C count
	flat   bool         // the names say nothing: the files follow each other along z
	form   []string     // what stands before, between and behind the fields in a name; nil where that is not known
}

// part is a run of digits or of anything else in a name.
type part struct {
	text  string
	digit bool
}

// words are what stands before a number that counts an axis.
var words = map[string]lazy.Axis{
	"z": lazy.Z, "slice": lazy.Z, "sl": lazy.Z, "plane": lazy.Z, "section": lazy.Z, "sec": lazy.Z, "depth": lazy.Z, "zpos": lazy.Z, "layer": lazy.Z,
	"t": lazy.T, "time": lazy.T, "tp": lazy.T, "timepoint": lazy.T, "frame": lazy.T, "fr": lazy.T,
	"c": lazy.C, "ch": lazy.C, "chan": lazy.C, "channel": lazy.C, "w": lazy.C, "wv": lazy.C, "wavelength": lazy.C, "wave": lazy.C,
}

// arrange reads the axes out of the names. Names that differ in more than their numbers, or whose
// numbers cannot be told apart, make a plain stack.
func arrange(keys []string) grid {
	numbers, labels, form, ok := varying(keys)
	if !ok || len(labels) == 0 {
		return flatGrid(len(keys))
	}
	fields := make([]field, len(labels))
	used := map[lazy.Axis]bool{}
	for i, label := range labels {
		if a, known := words[strings.ToLower(label)]; known && !used[a] {
			fields[i].axis, fields[i].named = a, true
			used[a] = true
		}
	}
	for i := len(fields) - 1; i >= 0; i-- {
		if fields[i].named {
			continue
		}
		free := false
		for _, a := range []lazy.Axis{lazy.Z, lazy.T, lazy.C} {
			if !used[a] {
				fields[i].axis, used[a], free = a, true, true
				break
			}
		}
		if !free {
			return flatGrid(len(keys))
		}
	}
	g := place(fields, numbers)
	if !g.flat {
		g.form = form
	}
	return g
}

// place gives every file its index: the rank of its numbers. A grid that is less than half full is no
// grid, and neither is one with two files in one place.
func place(fields []field, numbers [][]int) grid {
	size := 1
	for i := range fields {
		v := make([]int, len(numbers))
		for k := range numbers {
			v[k] = numbers[k][i]
		}
		slices.Sort(v)
		fields[i].values = slices.Compact(v)
		if size *= len(fields[i].values); size > 2*len(numbers) {
			return flatGrid(len(numbers))
		}
	}
	g := grid{fields: fields, at: make([]lazy.Index, len(numbers))}
	seen := map[lazy.Index]bool{}
	for k := range numbers {
		for i, f := range fields {
			g.at[k][f.axis], _ = slices.BinarySearch(f.values, numbers[k][i])
		}
		if seen[g.at[k]] {
			return flatGrid(len(numbers))
		}
		seen[g.at[k]] = true
	}
	return g
}

func flatGrid(n int) grid {
	g := grid{flat: true, at: make([]lazy.Index, n), fields: []field{{axis: lazy.Z}}}
	for i := range n {
		g.at[i][lazy.Z] = i
		g.fields[0].values = append(g.fields[0].values, i)
	}
	return g
}

// varying finds the numbers that differ between the names, the word before each, and what stands around them. It
// reports false if the names differ in anything else.
func varying(keys []string) (numbers [][]int, labels, form []string, ok bool) {
	var first []part
	split := make([][]part, len(keys))
	for i, k := range keys {
		split[i] = parts(strings.TrimSuffix(k, path.Ext(k)))
		if i == 0 {
			first = split[0]
		}
		if len(split[i]) != len(first) {
			return nil, nil, nil, false
		}
		for n, p := range split[i] {
			if p.digit != first[n].digit || !p.digit && p.text != first[n].text {
				return nil, nil, nil, false
			}
		}
	}
	form = []string{""}
	numbers = make([][]int, len(keys))
	for n, p := range first {
		if !p.digit || !slices.ContainsFunc(split, func(s []part) bool { return s[n].text != p.text }) {
			form[len(form)-1] += p.text
			continue
		}
		form = append(form, "")
		label := ""
		if n > 0 {
			label = wordBefore(first[n-1].text)
		}
		labels = append(labels, label)
		for i := range split {
			v, err := strconv.Atoi(split[i][n].text)
			if err != nil {
				return nil, nil, nil, false // more digits than a count has
			}
			numbers[i] = append(numbers[i], v)
		}
	}
	form[len(form)-1] += path.Ext(keys[0])
	return numbers, labels, form, true
}

func parts(name string) []part {
	var out []part
	for i := 0; i < len(name); {
		digit := isDigit(name[i])
		end := i + 1
		for end < len(name) && isDigit(name[end]) == digit {
			end++
		}
		out = append(out, part{name[i:end], digit})
		i = end
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordBefore is the letters at the end of s, with one sign such as "_" or "=" between them and the number.
func wordBefore(s string) string {
	s = strings.TrimRight(s, "_-= .#(")
	end := len(s)
	for end > 0 && (s[end-1]|0x20 >= 'a' && s[end-1]|0x20 <= 'z') {
		end--
	}
	return s[end:]
}

// gaps names the numbers that are left out in the counting of each axis.
func (g grid) gaps() []string {
	var out []string
	for _, f := range g.fields {
		if g.flat || len(f.values) < 3 {
			continue
		}
		step := f.values[1] - f.values[0]
		for i := 1; i < len(f.values); i++ {
			step = min(step, f.values[i]-f.values[i-1])
		}
		var missing []string
		count := 0
		for i := 1; i < len(f.values); i++ {
			for v := f.values[i-1] + step; v < f.values[i] && count < 1<<20; v += step {
				if count++; count <= 5 {
					missing = append(missing, strconv.Itoa(v))
				}
			}
		}
		if count > 5 {
			missing = append(missing, "...")
		}
		if count > 0 && count < len(f.values) {
			out = append(out, fmt.Sprintf("the numbering along %v leaves out %s; the planes that exist follow each other", f.axis, strings.Join(missing, ", ")))
		}
	}
	return out
}

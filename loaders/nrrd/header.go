package nrrd

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lamella/loaders"
	"lamella/loaders/store"
)

// maxHeader is far more than the lines of a header take, a list of some thousand files included.
const maxHeader = 4 << 20

// A header is the lines in front of the voxels. Fields are known by their names without blanks, in small letters:
// "data file" and "datafile" are one (format.html, section 5).
type header struct {
	fields map[string]string
	list   []string // the lines behind "data file: LIST"
	said   loaders.Entries
	end    int64 // where the voxels begin if they are in the same file
}

// known tells whether a file begins with the magic of any version.
func known(head []byte) bool {
	return len(head) >= 8 && bytes.HasPrefix(head, []byte("NRRD000")) && head[7] >= '1' && head[7] <= '9'
}

func readHeader(ctx context.Context, f store.File) (header, error) {
	h := header{fields: map[string]string{}}
	text, err := lines(ctx, f)
	if err != nil {
		return h, err
	}
	if !known(text) {
		return h, fmt.Errorf("it does not begin with NRRD0001 to NRRD0005: %w", loaders.ErrDamaged)
	}
	rest := text
	for first := true; len(rest) > 0; first = false {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		s := strings.TrimRight(string(line), "\r")
		if s == "" {
			h.end = int64(len(text) - len(rest))
			return h, nil
		}
		if first {
			continue
		}
		if s[0] == '#' {
			h.said.Add("comment", s[1:])
			continue
		}
		name, value, ok := strings.Cut(s, ":")
		switch {
		case !ok || !ended && len(text) == maxHeader:
			return h, fmt.Errorf("the line %.60q of the header is no field: %w", s, loaders.ErrDamaged)
		case strings.HasPrefix(value, "="): // a key and a value of the user's own
			h.said.Add(name, unescape.Replace(value[1:]))
			continue
		}
		h.said.Add(strings.TrimSpace(name), value)
		name = strings.ToLower(strings.Join(strings.Fields(name), ""))
		if alias, some := aliases[name]; some {
			name = alias
		}
		value = strings.TrimSpace(value)
		h.fields[name] = value
		if word, _, _ := strings.Cut(value, " "); name == "datafile" && word == "LIST" {
			for _, l := range strings.Split(string(rest), "\n") {
				if l = strings.TrimSpace(l); l != "" {
					h.list = append(h.list, l)
				}
			}
			return h, nil
		}
	}
	if h.fields["datafile"] == "" {
		return h, fmt.Errorf("the header does not end: %w", loaders.ErrDamaged)
	}
	return h, nil
}

// unescape gives the line ends and backslashes that a value of the user's own stands for (section 4).
var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// aliases are other names of fields.
var aliases = map[string]string{"centers": "centerings"}

// lines is the beginning of the file, as far as a header may reach: small reads first, since most are short.
func lines(ctx context.Context, f store.File) ([]byte, error) {
	for n := int64(16 << 10); ; n *= 16 {
		n = min(n, f.Size(), maxHeader)
		p := make([]byte, n)
		if err := f.ReadAt(ctx, p, 0); err != nil {
			return nil, err
		}
		if n == f.Size() || n == maxHeader || bytes.Contains(p, []byte("\n\n")) || bytes.Contains(p, []byte("\n\r\n")) {
			return p, nil
		}
	}
}

// whole reads a field of one whole number.
func (h *header) whole(name string, otherwise int64) (int64, error) {
	text, ok := h.fields[name]
	if !ok {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %.60s is not a whole number: %w", name, text, loaders.ErrDamaged)
	}
	return n, nil
}

// numbers reads a field of n numbers; words that are none, such as "nan" or "???", become NaN. nil if there is no
// such field.
func (h *header) numbers(name string, n int) ([]float64, error) {
	text, ok := h.fields[name]
	if !ok {
		return nil, nil
	}
	words := strings.Fields(text)
	if len(words) != n {
		return nil, fmt.Errorf("%s: %.60s has %d numbers for %d axes: %w", name, text, len(words), n, loaders.ErrDamaged)
	}
	out := make([]float64, n)
	for i, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			v = math.NaN()
		}
		out[i] = v
	}
	return out, nil
}

// words reads a field of n words, nil if there is no such field, or not so many: these are hints.
func (h *header) words(name string, n int) []string {
	if w := strings.Fields(h.fields[name]); len(w) == n {
		return w
	}
	return nil
}

// quoted reads a field of texts in quotes, such as "mm" "mm" "ms".
func (h *header) quoted(name string) []string {
	var out []string
	text := h.fields[name]
	for len(out) < 16 {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			break
		}
		end := strings.IndexByte(text[i+1:], '"')
		if end < 0 {
			break
		}
		out = append(out, strings.TrimSpace(text[i+1:i+1+end]))
		text = text[i+1+end+1:]
	}
	if out == nil {
		out = strings.Fields(text) // some write them without quotes
	}
	return out
}

// vectors reads "(1,0,0) (0, 1, 0) none": one vector an axis, nil for none. false if the field is not there or not
// so.
func (h *header) vectors(name string) ([][]float64, bool) {
	text := strings.TrimSpace(h.fields[name])
	var out [][]float64
	for text != "" && len(out) < 32 {
		if rest, ok := cutFold(text, "none"); ok {
			out, text = append(out, nil), strings.TrimSpace(rest)
			continue
		}
		end := strings.IndexByte(text, ')')
		if text[0] != '(' || end < 0 {
			return nil, false
		}
		var v []float64
		for _, w := range strings.Split(text[1:end], ",") {
			f, err := strconv.ParseFloat(strings.TrimSpace(w), 64)
			if err != nil || math.IsInf(f, 0) || len(v) > 16 {
				f = math.NaN()
			}
			v = append(v, f)
		}
		for _, f := range v {
			if math.IsNaN(f) {
				v = nil // as some write "none"
				break
			}
		}
		out, text = append(out, v), strings.TrimSpace(text[end+1:])
	}
	return out, len(out) > 0
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

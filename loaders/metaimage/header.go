package metaimage

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

// A header is the lines "Key = Value" in front of the voxels, by key in small letters. ElementDataFile is the last.
type header struct {
	fields map[string]string
	list   []string // the lines behind ElementDataFile = LIST
	said   loaders.Entries
	end    int64 // where the voxels of a LOCAL file begin
}

// known tells whether a text begins like a header: its first line has a key that MetaIO knows, and one of those
// that every image has comes soon.
func known(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	name, _, ok := cut(string(line))
	if !ok || !first[strings.ToLower(name)] {
		return false
	}
	text := strings.ToLower(string(head))
	return strings.Contains(text, "dimsize") || strings.Contains(text, "elementtype") || strings.Contains(text, "elementdatafile")
}

// first are the keys that a header may begin with: those of MetaIO's metaObject.cxx and metaImage.cxx.
var first = map[string]bool{
	"objecttype": true, "objectsubtype": true, "comment": true, "ndims": true, "dimsize": true, "binarydata": true, "elementtype": true,
	"transformtype": true, "name": true, "id": true, "parentid": true, "creationdate": true, "modality": true, "elementspacing": true,
	"compresseddata": true, "headersize": true, "binarydatabyteordermsb": true, "elementbyteordermsb": true, "transformmatrix": true,
	"offset": true, "elementnumberofchannels": true, "anatomicalorientation": true, "distanceunits": true,
}

// cut takes a line apart. MetaIO takes = and : for the separator.
func cut(line string) (name, value string, ok bool) {
	i := strings.IndexAny(line, "=:")
	if i < 1 {
		return "", "", false
	}
	name = strings.TrimSpace(line[:i])
	return name, strings.TrimSpace(line[i+1:]), name != "" && !strings.ContainsAny(name, "\x00\t")
}

func readHeader(ctx context.Context, f store.File) (header, error) {
	h := header{fields: map[string]string{}}
	text, err := lines(ctx, f)
	if err != nil {
		return h, err
	}
	for rest := text; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		name, value, ok := cut(string(line))
		if !ok {
			return h, fmt.Errorf("the line %.60q of the header is not Key = Value: %w", line, loaders.ErrDamaged)
		}
		key := strings.ToLower(name)
		h.fields[key] = value
		h.said.Add(name, value)
		if key != "elementdatafile" {
			continue
		}
		h.end = int64(len(text) - len(rest))
		if word, _, _ := strings.Cut(value, " "); strings.EqualFold(word, "LIST") {
			for _, l := range strings.Split(string(rest), "\n") {
				if l = strings.TrimSpace(l); l != "" {
					h.list = append(h.list, l)
				}
			}
		}
		return h, nil
	}
	return h, fmt.Errorf("the header has no line ElementDataFile: %w", loaders.ErrDamaged)
}

// lines is the beginning of the file, as far as a header may reach: small reads first, since most are short.
func lines(ctx context.Context, f store.File) ([]byte, error) {
	for n := int64(16 << 10); ; n *= 16 {
		n = min(n, f.Size(), maxHeader)
		p := make([]byte, n)
		if err := f.ReadAt(ctx, p, 0); err != nil {
			return nil, err
		}
		at := bytes.Index(bytes.ToLower(p), []byte("elementdatafile"))
		whole := n == f.Size() || n == maxHeader
		if whole || at >= 0 && bytes.IndexByte(p[at:], '\n') >= 0 && !bytes.Contains(bytes.ToLower(p[at:]), []byte("list")) {
			return p, nil
		}
	}
}

// numbers reads a field of numbers between blanks; nil if the header has none of these keys.
func (h *header) numbers(keys ...string) ([]float64, error) {
	for _, key := range keys {
		text, ok := h.fields[key]
		if !ok {
			continue
		}
		var out []float64
		for _, w := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return nil, fmt.Errorf("%s = %.60s holds no numbers: %w", key, text, loaders.ErrDamaged)
			}
			if out = append(out, v); len(out) > 256 {
				return nil, fmt.Errorf("%s has more than 256 numbers: %w", key, loaders.ErrDamaged)
			}
		}
		return out, nil
	}
	return nil, nil
}

// whole reads a field of one whole number.
func (h *header) whole(key string, otherwise int64) (int64, error) {
	v, err := h.numbers(key)
	if err != nil || v == nil {
		return otherwise, err
	}
	if len(v) != 1 || v[0] != math.Trunc(v[0]) || math.Abs(v[0]) > 1<<53 {
		return 0, fmt.Errorf("%s = %.60s is not one whole number: %w", key, h.fields[key], loaders.ErrDamaged)
	}
	return int64(v[0]), nil
}

// yes reads a field that is true or false: MetaIO looks at the first letter.
func (h *header) yes(keys ...string) bool {
	for _, key := range keys {
		if v := h.fields[key]; v != "" {
			return strings.ContainsRune("tTyY1", rune(v[0]))
		}
	}
	return false
}

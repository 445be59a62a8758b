package nrrd

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// voxels finds where the voxels of a header are, and gives them as one file of nothing else.
type voxels struct {
	h        *header
	in       loaders.Input
	element  codec.Element
	encoding string
	sizes    []int64 // fastest first
}

// fileCount is how many files a header may spread its voxels over.
const fileCount = 1 << 17

// open takes over f, the file of the header, unless it fails. The field "data file" (section 4, "Detached headers")
// is a name, a pattern with three numbers, or LIST with the names on lines of their own; both of these may end with
// the number of dimensions of each file. Without it the voxels follow the header.
func (v *voxels) open(ctx context.Context, f store.File) (store.File, error) {
	count := int64(1)
	for _, n := range v.sizes {
		count *= n
	}
	value := v.h.fields["datafile"]
	if value == "" {
		return v.part(ctx, f, v.h.end, count)
	}
	names, dims, many, err := v.names(value)
	if err != nil {
		return nil, err
	}
	holding := func(n int64) func(store.File) (store.File, error) {
		return func(data store.File) (store.File, error) { return v.part(ctx, data, 0, n) }
	}
	if !many {
		return v.in.Instead(ctx, f, []string{value}, holding(count))
	}
	each, files := v.perFile(dims, int64(len(names)))
	if int64(len(names)) != files || each*files != count {
		return nil, fmt.Errorf("%d files of %d dimensions are named, %d are needed: %w", len(names), dims, files, loaders.ErrDamaged)
	}
	return v.in.Instead(ctx, f, names, holding(each))
}

// names are the files of a list or a pattern, and how many dimensions each has; false if value is one name.
func (v *voxels) names(value string) (names []string, dims int, many bool, err error) {
	w := strings.Fields(value)
	dims = len(v.sizes) - 1
	var rest []string
	switch {
	case w[0] == "LIST":
		names, rest = v.h.list, w[1:]
		if len(names) > fileCount {
			return nil, 0, true, fmt.Errorf("a list of %d files, at most %d can be opened: %w", len(names), fileCount, loaders.ErrUnsupported)
		}
	case len(w) >= 4 && strings.Contains(w[0], "%"):
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(w[1+i]); err != nil {
				return nil, 0, false, nil // a name with blanks and a percent sign
			}
		}
		if names, err = loaders.Numbered(w[0], n[0], n[1], n[2], fileCount); err != nil {
			return nil, 0, true, err
		}
		rest = w[4:]
	default:
		return nil, 0, false, nil
	}
	if len(rest) > 0 {
		if dims, err = strconv.Atoi(rest[0]); err != nil || dims < 1 || dims > len(v.sizes) {
			return nil, 0, true, fmt.Errorf("data file: %.100s: each file has %s dimensions, the whole %d: %w", value, rest[0], len(v.sizes), loaders.ErrDamaged)
		}
	}
	return names, dims, true, nil
}

// perFile is how many voxels each file of dims dimensions holds, and how many files that makes. Files of as many
// dimensions as the whole are pieces along the slowest of them.
func (v *voxels) perFile(dims int, named int64) (each, files int64) {
	each, files = 1, 1
	for i, n := range v.sizes {
		if i < dims {
			each *= n
		} else {
			files *= n
		}
	}
	if dims == len(v.sizes) && named > 0 && v.sizes[dims-1]%named == 0 {
		each, files = each/named, named
	}
	return each, files
}

// part is count voxels of f, in what begins at the byte from. "line skip" lines are left out first; "byte skip" bytes
// are left out of what is behind them, unpacked if it is packed, and -1 stands for as many as leave the voxels at
// the end (section 5.1.5).
func (v *voxels) part(ctx context.Context, f store.File, from, count int64) (store.File, error) {
	lineSkip, err := v.h.whole("lineskip", 0)
	if err != nil {
		return nil, err
	}
	skip, err := v.h.whole("byteskip", 0)
	if err != nil {
		return nil, err
	}
	if lineSkip < 0 || skip < -1 {
		return nil, fmt.Errorf("line skip: %d, byte skip: %d: %w", lineSkip, skip, loaders.ErrDamaged)
	}
	if from, err = afterLines(ctx, f, from, lineSkip); err != nil {
		return nil, err
	}
	size := count * int64(v.element.Size)
	short := func(have int64) error {
		return fmt.Errorf("%d bytes of voxels from byte %d of %s on, which has %d: %w", size, from, f.Name(), have, loaders.ErrDamaged)
	}
	if from > f.Size() {
		return nil, short(f.Size())
	}
	packing := loaders.Packing(v.encoding)
	packed := v.encoding == "gzip" || v.encoding == "bzip2"
	if !packed && skip > 0 {
		if skip > f.Size()-from {
			return nil, short(f.Size())
		}
		from, skip = from+skip, 0
	}
	data, err := store.Section(f, from, f.Size()-from)
	if err != nil {
		return nil, err
	}
	switch v.encoding {
	case "text":
		return loaders.Text(data, v.element.DType, count)
	case "hex":
		return loaders.Hex(data, size)
	case "raw":
		if size > data.Size() {
			return nil, short(f.Size())
		}
		if skip == -1 {
			return store.Section(data, data.Size()-size, size)
		}
		return store.Section(data, 0, size)
	}
	if skip == -1 {
		return packing.OpenTail(ctx, data, size)
	}
	if skip > 1<<60 {
		return nil, fmt.Errorf("byte skip: %d: %w", skip, loaders.ErrDamaged)
	}
	whole, err := packing.Open(data, skip+size)
	if err != nil {
		return nil, err
	}
	return store.Section(whole, skip, size)
}

// afterLines is where the line begins that is n lines behind the byte from.
func afterLines(ctx context.Context, f store.File, from, n int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for n > 0 && from < f.Size() {
		p := buf[:min(int64(len(buf)), f.Size()-from)]
		if err := f.ReadAt(ctx, p, from); err != nil {
			return 0, err
		}
		for n > 0 {
			i := bytes.IndexByte(p, '\n')
			if i < 0 {
				break
			}
			p, from, n = p[i+1:], from+int64(i)+1, n-1
		}
		if n > 0 {
			from += int64(len(p))
		}
	}
	if n > 0 {
		return 0, fmt.Errorf("line skip: %s ends before that many lines: %w", f.Name(), loaders.ErrDamaged)
	}
	return from, nil
}

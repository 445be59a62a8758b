package metaimage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// voxels finds where the voxels of a header are, and gives them as one file of nothing else.
type voxels struct {
	h       *header
	in      loaders.Input
	element codec.Element
	text    bool // numbers are written in decimal
	shape   lazy.Shape
	dims    []int64 // slowest first, the channels last

	packing loaders.Packing // what open found
}

// open takes over f, the file of the header, unless it fails. ElementDataFile is LOCAL (the voxels follow), LIST
// and the number of dimensions of each file, with the names on lines of their own, a pattern with numbers, or
// one name.
func (v *voxels) open(ctx context.Context, f store.File) (store.File, error) {
	value := v.h.fields["elementdatafile"]
	word, rest, _ := strings.Cut(value, " ")
	count := int64(v.shape.Voxels())
	if strings.EqualFold(word, "LOCAL") {
		return v.part(ctx, f, v.h.end, count)
	}
	names, many, err := patternOf(value, v.dims[0])
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(word, "LIST") {
		names, many = v.h.list, true
		if len(names) > fileCount {
			return nil, fmt.Errorf("a list of %d files, at most %d can be opened: %w", len(names), fileCount, loaders.ErrUnsupported)
		}
	}
	holding := func(n int64) func(store.File) (store.File, error) {
		return func(data store.File) (store.File, error) { return v.part(ctx, data, 0, n) }
	}
	if !many {
		return v.in.Instead(ctx, f, []string{value}, holding(count))
	}
	each, files := v.perFile(rest)
	if int64(len(names)) != files {
		return nil, fmt.Errorf("%d files of %d voxels each are named, %d are needed: %w", len(names), each, files, loaders.ErrDamaged)
	}
	return v.in.Instead(ctx, f, names, holding(each))
}

// perFile is how many voxels, channels counted, each file of a list holds, and how many files that makes: those of as
// many dimensions as the word behind LIST says, of all but the slowest else.
func (v *voxels) perFile(rest string) (each, files int64) {
	dims, channels := v.dims, int64(1)
	if c, _ := v.h.whole("elementnumberofchannels", 1); c > 1 {
		channels, dims = c, dims[:len(dims)-1]
	}
	n, err := strconv.Atoi(strings.TrimRight(strings.TrimSpace(rest), "dD"))
	if err != nil || n < 1 || n > len(dims) {
		n = len(dims) - 1
	}
	each, files = channels, 1
	for i, d := range dims {
		if i < len(dims)-n {
			files *= d
		} else {
			each *= d
		}
	}
	return each, files
}

// part is count values in f, which begin at the byte from unless HeaderSize says otherwise: a number of bytes to skip,
// or -1 for those at the end of the file.
func (v *voxels) part(ctx context.Context, f store.File, from, count int64) (store.File, error) {
	skip, err := v.h.whole("headersize", 0)
	if err != nil {
		return nil, err
	}
	if skip < -1 {
		return nil, fmt.Errorf("HeaderSize = %d: %w", skip, loaders.ErrDamaged)
	}
	size := count * int64(v.element.Size)
	if skip > 0 {
		from = skip
	}
	compressed := v.h.yes("compresseddata")
	if skip == -1 && !compressed && !v.text {
		from = f.Size() - size
	}
	if from < 0 || from > f.Size() || !compressed && !v.text && size > f.Size()-from {
		return nil, fmt.Errorf("%d bytes of voxels from byte %d of %s on, which has %d: %w", size, max(from, 0), f.Name(), f.Size(), loaders.ErrDamaged)
	}
	length := f.Size() - from
	if n, err := v.h.whole("compresseddatasize", 0); err == nil && compressed && n > 0 && n < length {
		if skip == -1 {
			from = f.Size() - n
		}
		length = n
	}
	data, err := store.Section(f, from, length)
	if err != nil {
		return nil, err
	}
	switch {
	case v.text && compressed:
		return nil, fmt.Errorf("numbers as text that are compressed: %w", loaders.ErrUnsupported)
	case v.text:
		return loaders.Text(data, v.element.DType, count)
	case !compressed:
		return store.Section(data, 0, size)
	}
	start := make([]byte, min(16, data.Size()))
	if err := data.ReadAt(ctx, start, 0); err != nil {
		return nil, err
	}
	if v.packing = loaders.PackingOf(start); v.packing != loaders.Zlib && v.packing != loaders.Gzip {
		return nil, fmt.Errorf("CompressedData = True, but what is at byte %d of %s is no zlib stream: %w", from, f.Name(), loaders.ErrDamaged)
	}
	return v.packing.Open(data, size)
}

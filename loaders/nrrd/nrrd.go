// Package nrrd reads NRRD, "nearly raw raster data": .nrrd, and .nhdr with the voxels in other files.
//
//	set, err := nrrd.Driver{}.Open(ctx, in) // sizes: 512 512 40 is x, y and z
//
// The format is that of Gordon Kindlmann's "Definition of NRRD File Format" (teem.sourceforge.net/nrrd/format.html),
// versions 1 to 5. The kinds of the axes tell which are space, time and channels; where they do not, the first
// three are x, y and z. The size of a voxel is the length of its space direction; directions are not applied.
package nrrd

import (
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"strconv"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// Driver reads .nrrd and .nhdr.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "nrrd" }

// Sniff knows a file by its magic.
func (Driver) Sniff(_ context.Context, in loaders.Input) bool { return in.Key != "" && known(in.Head) }

// Open reads the header, and looks whether the files that it names are there and long enough. Blocks, and more than
// five dimensions, are refused with loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "nrrd"}
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return set, fmt.Errorf("nrrd: %w", err)
	}
	h, err := readHeader(ctx, f)
	if err == nil {
		err = h.fill(ctx, &set, f, in)
	}
	if err != nil {
		f.Close()
		return set, fmt.Errorf("nrrd: %s: %w", in.Path, err)
	}
	return set, nil
}

// types are the spellings of the field type (format.html, section 5.1.3).
var types = map[string]string{
	"signed char": "int8", "int8": "int8", "int8_t": "int8",
	"uchar": "uint8", "unsigned char": "uint8", "uint8": "uint8", "uint8_t": "uint8",
	"short": "int16", "short int": "int16", "signed short": "int16", "signed short int": "int16", "int16": "int16", "int16_t": "int16",
	"ushort": "uint16", "unsigned short": "uint16", "unsigned short int": "uint16", "uint16": "uint16", "uint16_t": "uint16",
	"int": "int32", "signed int": "int32", "int32": "int32", "int32_t": "int32",
	"uint": "uint32", "unsigned int": "uint32", "uint32": "uint32", "uint32_t": "uint32",
	"longlong": "int64", "long long": "int64", "long long int": "int64", "signed long long": "int64", "signed long long int": "int64",
	"int64": "int64", "int64_t": "int64",
	"ulonglong": "uint64", "unsigned long long": "uint64", "unsigned long long int": "uint64", "uint64": "uint64", "uint64_t": "uint64",
	"float": "float32", "double": "float64",
}

// element is how a voxel is stored.
func (h *header) element(encoding string) (codec.Element, error) {
	text := strings.ToLower(strings.Join(strings.Fields(h.fields["type"]), " "))
	name, ok := types[text]
	if !ok {
		return codec.Element{}, fmt.Errorf("type: %.60s cannot be shown: %w", text, loaders.ErrUnsupported)
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch e := strings.ToLower(h.fields["endian"]); {
	case e == "big":
		order = binary.BigEndian
	case e == "little" || encoding == "text":
	case name != "int8" && name != "uint8":
		return codec.Element{}, fmt.Errorf("endian: %.60q does not tell the byte order, which is little or big: %w", e, loaders.ErrDamaged)
	}
	return codec.NewElement(name, order)
}

// encodings are the spellings of the field encoding (section 5.1.4).
var encodings = map[string]string{
	"raw": "raw", "txt": "text", "text": "text", "ascii": "text", "hex": "hex", "gz": "gzip", "gzip": "gzip", "bz2": "bzip2", "bzip2": "bzip2",
}

// maxDimensions is NRRD_DIM_MAX of teem.
const maxDimensions = 16

// fill completes a dataset; f is the file of the header.
func (h *header) fill(ctx context.Context, set *lazy.Dataset, f store.File, in loaders.Input) error {
	say := func(format string, a ...any) { set.Warnings = append(set.Warnings, fmt.Sprintf(format, a...)) }
	encoding, ok := encodings[strings.ToLower(h.fields["encoding"])]
	if !ok {
		return fmt.Errorf("encoding: %.60q cannot be read: %w", h.fields["encoding"], loaders.ErrUnsupported)
	}
	e, err := h.element(encoding)
	if err != nil {
		return err
	}
	sizes, err := h.sizes()
	if err != nil {
		return err
	}
	image := lazy.Image{Name: strings.TrimSuffix(path.Base(in.Key), path.Ext(in.Key))}
	named, err := h.axes(len(sizes), in.Axes, &image)
	if err != nil {
		return err
	}
	// The header has the fastest axis first, axes and dims the slowest.
	axes, dims := make(loaders.Axes, len(sizes)), make([]int64, len(sizes))
	for i, n := range sizes {
		axes[len(sizes)-1-i], dims[len(sizes)-1-i] = named[i], n
	}
	flat := loaders.Flat{Axes: axes, Size: e.Size, Meta: lazy.Meta{DType: e.DType}}
	if flat.Meta.Shape, err = axes.Shape(dims); err != nil {
		return err
	}
	image.Order.Axes, image.Metadata = axes.String(), h.said.List()
	image.RGB = h.colour(named, flat.Meta)
	if err := h.place(&flat.Meta, named, sizes, say); err != nil {
		return err
	}
	if !e.Plain() && encoding != "text" {
		flat.Decode = e.Decode
	}
	v := voxels{h: h, in: in, element: e, encoding: encoding, sizes: sizes}
	data, err := v.open(ctx, f)
	if err != nil {
		return err
	}
	flat.File = data
	source, err := loaders.NewFlat(flat)
	if err != nil {
		data.Close()
		return err
	}
	set.Lazy.By, set.Lazy.Note = "plane", "any rows of a plane are read in place"
	switch encoding {
	case "text", "hex":
		set.Lazy.By, set.Lazy.Note = "whole", "numbers as text: a plane needs all before it to be read, once"
	case "gzip", "bzip2":
		set.Lazy.By, set.Lazy.Note = "whole", loaders.Packing(encoding).PackedNote()
	}
	image.Levels = []lazy.Level{{Codec: encoding, Array: lazy.FromSource(source)}}
	set.Images, set.Close = []lazy.Image{image}, data.Close
	return nil
}

// sizes are the lengths of the axes, fastest first.
func (h *header) sizes() ([]int64, error) {
	n, err := h.whole("dimension", -1)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(h.fields["sizes"])
	if n < 1 || n > maxDimensions || int64(len(words)) != n {
		return nil, fmt.Errorf("dimension: %.20s, sizes: %.60s do not fit: %w", h.fields["dimension"], h.fields["sizes"], loaders.ErrDamaged)
	}
	var out []int64
	for _, w := range words {
		size, err := strconv.ParseInt(w, 10, 64)
		if err != nil || size < 1 {
			return nil, fmt.Errorf("sizes: %.60s are not lengths from 1 on: %w", h.fields["sizes"], loaders.ErrDamaged)
		}
		out = append(out, size)
	}
	if len(out) > lazy.Rank {
		return nil, fmt.Errorf("%d dimensions, at most %d can be shown: %w", len(out), lazy.Rank, loaders.ErrUnsupported)
	}
	return out, nil
}

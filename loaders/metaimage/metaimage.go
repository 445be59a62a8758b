// Package metaimage reads MetaImage, the format of ITK and VTK: .mha, and .mhd with the voxels in other files.
//
//	set, err := metaimage.Driver{}.Open(ctx, in) // DimSize = 512 512 40 is x, y and z
//
// The format is that of MetaIO (its documentation, "MetaImage", and metaImage.cxx where that is silent). Lengths
// have the unit that DistanceUnits states; without it they are unknown in micrometres. Directions in space are
// not applied.
package metaimage

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

// Driver reads .mha and .mhd.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "metaimage" }

// Sniff knows the lines of a header by their keys.
func (Driver) Sniff(_ context.Context, in loaders.Input) bool { return in.Key != "" && known(in.Head) }

// Open reads the header, and looks whether the files that it names are there and long enough. Objects that are
// no images, and more than five dimensions, are refused with loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "metaimage"}
	f, err := in.Store.Open(ctx, in.Key)
	if err != nil {
		return set, fmt.Errorf("metaimage: %w", err)
	}
	h, err := readHeader(ctx, f)
	if err == nil {
		err = h.fill(ctx, &set, f, in)
	}
	if err != nil {
		f.Close()
		return set, fmt.Errorf("metaimage: %s: %w", in.Path, err)
	}
	return set, nil
}

// types are the values of ElementType with the sizes that MetaIO gives them (metaTypes.h): a long has 4 bytes.
var types = map[string]string{
	"MET_CHAR": "int8", "MET_ASCII_CHAR": "int8", "MET_UCHAR": "uint8", "MET_SHORT": "int16", "MET_USHORT": "uint16", "MET_INT": "int32",
	"MET_UINT": "uint32", "MET_LONG": "int32", "MET_ULONG": "uint32", "MET_LONG_LONG": "int64", "MET_ULONG_LONG": "uint64",
	"MET_FLOAT": "float32", "MET_DOUBLE": "float64",
}

// fill completes a dataset; f is the file of the header.
func (h *header) fill(ctx context.Context, set *lazy.Dataset, f store.File, in loaders.Input) error {
	say := func(format string, a ...any) { set.Warnings = append(set.Warnings, fmt.Sprintf(format, a...)) }
	if o := h.fields["objecttype"]; o != "" && !strings.EqualFold(o, "Image") {
		return fmt.Errorf("ObjectType = %.60s is no Image: %w", o, loaders.ErrUnsupported)
	}
	name, ok := types[strings.TrimSuffix(strings.ToUpper(h.fields["elementtype"]), "_ARRAY")]
	if !ok {
		return fmt.Errorf("ElementType = %.60s cannot be shown: %w", h.fields["elementtype"], loaders.ErrUnsupported)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if h.yes("elementbyteordermsb", "binarydatabyteordermsb") {
		order = binary.BigEndian
	}
	e, err := codec.NewElement(name, order)
	if err != nil {
		return err
	}
	image := lazy.Image{Name: strings.TrimSuffix(path.Base(in.Key), path.Ext(in.Key))}
	named, axes, dims, err := h.axes(in.Axes, &image)
	if err != nil {
		return err
	}
	image.Order.Axes, image.Metadata = named.String(), h.said.List()
	flat := loaders.Flat{Axes: axes, Size: e.Size, Meta: lazy.Meta{DType: e.DType}}
	if flat.Meta.Shape, err = axes.Shape(dims); err != nil {
		return err
	}
	if err := h.place(&flat.Meta, named, say); err != nil {
		return err
	}
	text := h.fields["binarydata"] != "" && !h.yes("binarydata")
	if !e.Plain() && !text {
		flat.Decode = e.Decode
	}
	v := voxels{h: h, in: in, element: e, text: text, shape: flat.Meta.Shape, dims: dims}
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
	level := lazy.Level{Codec: "raw", Array: lazy.FromSource(source)}
	switch {
	case v.packing != loaders.Plain:
		set.Lazy.By, set.Lazy.Note, level.Codec = "whole", v.packing.PackedNote(), string(v.packing)
	case text:
		set.Lazy.By, set.Lazy.Note, level.Codec = "whole", "numbers as text: a plane needs all before it to be read, once", "text"
	}
	image.Levels = []lazy.Level{level}
	set.Images, set.Close = []lazy.Image{image}, data.Close
	return nil
}

// axes is which axis each dimension of DimSize is, slowest first: x, y, z and a time, which no header names, or
// as loaders.AssumeAxes has five. Behind them come the channels of a voxel, which makes other axes and lengths in
// the file.
func (h *header) axes(order string, image *lazy.Image) (named, axes loaders.Axes, dims []int64, err error) {
	size, err := h.numbers("dimsize")
	if err != nil {
		return nil, nil, nil, err
	}
	n, err := h.whole("ndims", int64(len(size)))
	if err != nil {
		return nil, nil, nil, err
	}
	if int(n) != len(size) || n < 1 {
		return nil, nil, nil, fmt.Errorf("DimSize has %d lengths, NDims is %d: %w", len(size), n, loaders.ErrDamaged)
	}
	for len(size) > 5 && size[len(size)-1] == 1 {
		size = size[:len(size)-1]
	}
	if order != "" {
		named, err = loaders.ParseAxes(order, len(size))
	} else if named, err = loaders.AssumeAxes(len(size)); err == nil && len(size) > 3 {
		image.Assumed = map[int]string{4: "t", 5: "tzc"}[len(size)]
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range named {
		v := size[len(size)-1-i]
		if v != float64(int64(v)) {
			return nil, nil, nil, fmt.Errorf("DimSize = %.60s is not lengths: %w", h.fields["dimsize"], loaders.ErrDamaged)
		}
		axes, dims = append(axes, named[i]), append(dims, int64(v))
	}
	channels, err := h.whole("elementnumberofchannels", 1)
	if err != nil || channels == 1 {
		return named, axes, dims, err
	}
	if at := axes.Find(lazy.C); at >= 0 {
		return nil, nil, nil, fmt.Errorf("%d channels in each voxel beside a dimension of channels: %w", channels, loaders.ErrUnsupported)
	}
	return named, append(axes, lazy.C), append(dims, channels), nil
}

// place fills in sizes and origin; named is which axis each dimension is, slowest first.
func (h *header) place(m *lazy.Meta, named loaders.Axes, say func(string, ...any)) error {
	spacing, err := h.numbers("elementspacing", "elementsize")
	if err != nil {
		return err
	}
	offset, err := h.numbers("offset", "position", "origin")
	if err != nil {
		return err
	}
	matrix, err := h.numbers("transformmatrix", "rotation", "orientation")
	if err != nil {
		return err
	}
	um, spatial := loaders.Micrometres(h.fields["distanceunits"])
	straight, oblique := turned(matrix, len(named))
	if oblique {
		say("TransformMatrix turns the image obliquely in space; it is shown as it is stored.")
	}
	if len(spacing) > 0 && !spatial {
		say("The header does not state the unit of its voxel sizes, so they are unknown in micrometres.")
	}
	for i, v := range spacing[:min(len(spacing), len(named))] {
		a, step := named[len(named)-1-i], loaders.Step(v)
		if step == 0 || v < 0 {
			say("ElementSpacing has %v, which is %s.", v, map[bool]string{true: "taken for unknown", false: "taken without its sign"}[step == 0])
		}
		switch {
		case step == 0 || a == lazy.C:
		case spatial && a != lazy.T:
			m.Scale[a], m.Unit[a] = step*um, "um"
			if straight && i < len(offset) && loaders.Step(offset[i]) > 0 {
				m.Origin[a] = offset[i] * um
			}
		default:
			m.Scale[a] = step
		}
	}
	return nil
}

// turned tells whether the axes of n dimensions lie along those of space in their order and direction, and whether
// they lie along none.
func turned(matrix []float64, n int) (straight, oblique bool) {
	if len(matrix) != n*n {
		return matrix == nil, false
	}
	straight = true
	for i := range n {
		most, all := 0.0, 0.0
		for j := range n {
			v := matrix[i*n+j]
			straight = straight && (v > 0.999999) == (i == j) && (i == j || v*v < 1e-12)
			most, all = max(most, v*v), all+v*v
		}
		oblique = oblique || most < 0.9998*all
	}
	return straight, oblique
}

// fileCount is how many files a header may spread its voxels over.
const fileCount = 1 << 17

// words of ElementDataFile, of which the first may be a pattern with numbers from, to and step behind.
func patternOf(value string, last int64) (names []string, ok bool, err error) {
	w := strings.Fields(value)
	if len(w) == 0 || !strings.Contains(w[0], "%") {
		return nil, false, nil
	}
	from, to, step := 1, int(last), 1
	for i, at := range []*int{&from, &to, &step} {
		if i+1 < len(w) {
			if *at, err = strconv.Atoi(w[i+1]); err != nil {
				return nil, true, fmt.Errorf("ElementDataFile = %.60s has %q for a number: %w", value, w[i+1], loaders.ErrDamaged)
			}
		}
	}
	names, err = loaders.Numbered(w[0], from, to, step, fileCount)
	return names, true, err
}

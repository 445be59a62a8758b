// Package nifti reads NIfTI-1, NIfTI-2 and Analyze 7.5: .nii, .nii.gz, and pairs of .hdr and .img.
//
//	set, err := nifti.Driver{}.Open(ctx, in)         // x, y, z, time and a vector become x, y, z, t and c
//	array := set.Images[0].Levels[0].Array           // scl_slope and scl_inter are applied, in float64
//
// The formats are those of nifti1.h and nifti2.h of the NIfTI Data Format Working Group, and dbh.h of the Mayo
// Clinic. Dimensions keep the order and the direction in which they are stored; where a transform turns them
// in space, a warning says so. A voxel's size is that of pixdim.
package nifti

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// Driver reads all of them.
type Driver struct{}

// Name is the name of the formats.
func (Driver) Name() string { return "nifti" }

// Sniff knows the header by its size and magic, also within gzip; and an .img by the header beside it.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if in.Key == "" {
		return false
	}
	if format, _ := known(loaders.Peek(ctx, in, need)); format != "" {
		return format != "analyze" || hasEnding(in.Key, ".hdr")
	}
	if !hasEnding(in.Key, ".img") {
		return false
	}
	other, err := headerOf(ctx, in)
	if err != nil {
		return false
	}
	format, _ := known(loaders.Peek(ctx, other, need))
	return format != ""
}

// hasEnding is about names with or without .gz behind.
func hasEnding(key, ending string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(key), ".gz"), ending)
}

// headerOf is the input that the header of an .img is.
func headerOf(ctx context.Context, in loaders.Input) (loaders.Input, error) {
	f, key, err := beside(ctx, in, ".hdr")
	if err != nil {
		return in, err
	}
	defer f.Close()
	in.Key, in.Head = key, make([]byte, min(4096, f.Size()))
	return in, f.ReadAt(ctx, in.Head, 0)
}

// beside opens the file of the same name with another ending, as it is or in gzip, and gives its key.
func beside(ctx context.Context, in loaders.Input, ending string) (store.File, string, error) {
	name := in.Key
	if strings.HasSuffix(strings.ToLower(name), ".gz") {
		name = name[:len(name)-3]
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if e := path.Ext(strings.TrimSuffix(in.Key, ".gz")); e == strings.ToUpper(e) {
		ending = strings.ToUpper(ending)
	}
	var first error
	for _, e := range []string{ending, ending + ".gz"} {
		f, err := in.Store.Open(ctx, name+e)
		if err == nil {
			return f, name + e, nil
		}
		if first == nil || !errors.Is(err, fs.ErrNotExist) {
			first = err
		}
	}
	return nil, "", first
}

// Open reads the header alone. Complex numbers, single bits, numbers of 128 bits and more than five dimensions
// are refused with loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set, err := open(ctx, in)
	if err != nil {
		return set, fmt.Errorf("nifti: %s: %w", in.Path, err)
	}
	return set, nil
}

func open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	var set lazy.Dataset
	var data store.File // of a pair
	if hasEnding(in.Key, ".img") && !startsLikeHeader(ctx, in) {
		f, err := in.Store.Open(ctx, in.Key)
		if err != nil {
			return set, err
		}
		data = f
		if in, err = headerOf(ctx, in); err != nil {
			f.Close()
			return set, err
		}
	}
	f, packing, head, err := loaders.Unpack(ctx, in, need)
	var h header
	if err == nil {
		h, err = parse(head)
	}
	if err == nil && h.pair {
		f.Close()
		f, packing, err = voxels(ctx, in, data)
		data = nil
	}
	if data != nil {
		data.Close()
	}
	if err == nil {
		err = fill(&set, &h, f, packing, in)
	}
	if err == nil {
		set.Images[0].Metadata = h.said(head)
	}
	if err != nil && f != nil {
		f.Close()
	}
	return set, err
}

// voxels is the file that has the voxels of a pair, which is data if that was opened, and how it is packed.
func voxels(ctx context.Context, in loaders.Input, data store.File) (store.File, loaders.Packing, error) {
	if data == nil {
		var err error
		if data, _, err = beside(ctx, in, ".img"); err != nil {
			return nil, loaders.Plain, fmt.Errorf("the voxels are in a file beside the header: %w", err)
		}
	}
	start := make([]byte, min(16, data.Size()))
	if err := data.ReadAt(ctx, start, 0); err != nil {
		return data, loaders.Plain, err
	}
	// Voxels may begin like a gzip stream by chance, so that the name has to say so too.
	if loaders.PackingOf(start) == loaders.Gzip && strings.HasSuffix(strings.ToLower(data.Name()), ".gz") {
		return data, loaders.Gzip, nil
	}
	return data, loaders.Plain, nil
}

func startsLikeHeader(ctx context.Context, in loaders.Input) bool {
	format, _ := known(loaders.Peek(ctx, in, need))
	return format == "nifti1" || format == "nifti2"
}

// fill completes a dataset of which f holds the voxels.
func fill(set *lazy.Dataset, h *header, f store.File, packing loaders.Packing, in loaders.Input) error {
	set.Format, set.Lazy.By, set.Lazy.Note = h.format, "plane", "any rows of a plane are read in place"
	say := func(format string, a ...any) { set.Warnings = append(set.Warnings, fmt.Sprintf(format, a...)) }

	k := kinds[h.datatype]
	if h.bitpix != 0 && h.bitpix != k.bits {
		say("bitpix is %d, but datatype %d has %d bits, which are taken.", h.bitpix, h.datatype, k.bits)
	}
	e, err := codec.NewElement(k.name, h.order)
	if err != nil {
		return err
	}
	image := lazy.Image{Name: baseName(in.Key), RGB: k.samples > 1}
	named, axes, dims, err := h.axes(k, in.Axes)
	if err != nil {
		return err
	}
	image.Order.Axes = named.String()
	flat := loaders.Flat{Offset: int64(h.offset), Axes: axes, Size: e.Size, Meta: lazy.Meta{DType: e.DType}}
	if flat.Meta.Shape, err = axes.Shape(dims); err != nil {
		return err
	}
	if !h.pair && flat.Offset < h.size {
		if flat.Offset != 0 {
			say("vox_offset is %d, within the header; the voxels are taken to begin behind it.", flat.Offset)
		}
		flat.Offset = h.size + 4
	}
	if !e.Plain() {
		flat.Decode = e.Decode
	}
	if h.scaled() && k.samples == 1 && !in.Stored {
		flat.Decode, flat.Meta.DType = scaled(e, h.slope, h.inter), lazy.F64
		flat.Part = fmt.Sprintf("scaled by %v plus %v", h.slope, h.inter)
	}
	h.place(&flat.Meta, named, say)

	need := flat.Offset + int64(flat.Meta.Shape.Voxels())*int64(flat.Size)
	if packing != loaders.Plain {
		set.Lazy.By, set.Lazy.Note = "whole", packing.PackedNote()
		if f, err = packing.Open(f, need); err != nil {
			return err
		}
	}
	flat.File = f
	source, err := loaders.NewFlat(flat)
	if err != nil {
		return err
	}
	codecName := "raw"
	if packing != loaders.Plain {
		codecName = string(packing)
	}
	image.Levels = []lazy.Level{{Array: lazy.FromSource(source), Codec: codecName}}
	set.Images, set.Close = []lazy.Image{image}, f.Close
	return nil
}

func baseName(key string) string {
	name := path.Base(key)
	for _, e := range []string{".gz", ".nii", ".hdr", ".img"} {
		if strings.HasSuffix(strings.ToLower(name), e) {
			name = name[:len(name)-len(e)]
		}
	}
	return name
}

// axes is which axis each dimension of the header is, slowest first: a vector, t, z, y and x, of which the last are
// there. Behind them come the samples of a colour, which makes other axes and lengths in the file. Two of these
// along C are refused.
func (h *header) axes(k voxelKind, order string) (named, axes loaders.Axes, dims []int64, err error) {
	n := min(len(h.dims), 5)
	named = loaders.Axes{lazy.C, lazy.T, lazy.Z, lazy.Y, lazy.X}[5-n:]
	if order != "" {
		if named, err = loaders.ParseAxes(order, n); err != nil {
			return nil, nil, nil, err
		}
	}
	for i, a := range named {
		length := h.dims[n-1-i]
		if a == lazy.C && k.samples > 1 {
			if length > 1 {
				return nil, nil, nil, fmt.Errorf("%d vectors of colours: %w", length, loaders.ErrUnsupported)
			}
			continue
		}
		axes, dims = append(axes, a), append(dims, length)
	}
	if k.samples > 1 {
		axes, dims = append(axes, lazy.C), append(dims, int64(k.samples))
	}
	return named, axes, dims, nil
}

// scaled reports whether values are to be scaled: a slope of 0, or one that is no number, means that they are not
// (nifti1.h, "DATA SCALING").
func (h *header) scaled() bool {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	return finite(h.slope) && finite(h.inter) && h.slope != 0 && (h.slope != 1 || h.inter != 0)
}

// scaled decodes voxels and gives slope·v + inter in float64, which holds all that the stored types up to 32 bits do.
func scaled(e codec.Element, slope, inter float64) func(dst, src []byte) {
	return func(dst, src []byte) {
		if e.Size == 8 {
			e.Decode(dst, src)
			loaders.Scale(dst, dst, e.DType, slope, inter)
			return
		}
		e.Decode(src, src)
		loaders.Scale(dst, src, e.DType, slope, inter)
	}
}

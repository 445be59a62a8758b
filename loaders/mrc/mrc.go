// Package mrc reads MRC2014, CCP4 maps and IMOD's stacks: .mrc, .map, .rec, .st, .mrcs, also in gzip or bzip2.
//
//	set, err := mrc.Driver{}.Open(ctx, in) // columns, rows and sections become x, y and z
//
// The format is that of Cheng et al., "MRC2014: Extensions to the MRC format header for electron cryo-microscopy
// and tomography", J. Struct. Biol. 192 (2015), with the additions of IMOD (its page "MRC file format").
// Columns, rows and sections stay x, y and z as they are stored, whichever axes of the cell they are; a
// warning says which, and the sizes of a voxel follow. Lengths are in ångström there, in micrometres here.
package mrc

import (
	"context"
	"fmt"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// Driver reads all of them.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "mrc" }

// Sniff knows a file by "MAP " in its header; what older programs wrote by its name and numbers that can be.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	return in.Key != "" && known(loaders.Peek(ctx, in, headerSize), in.Key)
}

// Open reads the header alone. Complex numbers are refused with loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "mrc"}
	f, packing, head, err := loaders.Unpack(ctx, in, headerSize)
	if err != nil {
		return set, fmt.Errorf("mrc: %w", err)
	}
	if len(head) < headerSize {
		err = fmt.Errorf("the header has %d of %d bytes: %w", len(head), headerSize, loaders.ErrDamaged)
	}
	if err == nil {
		h := read(head)
		if err = h.check(); err == nil {
			err = h.fill(&set, f, packing, in)
		}
		if err == nil {
			set.Images[0].Metadata = h.said(head)
		}
	}
	if err != nil {
		f.Close()
		return set, fmt.Errorf("mrc: %s: %w", in.Path, err)
	}
	return set, nil
}

// fill completes a dataset of which f holds the voxels.
func (h *header) fill(set *lazy.Dataset, f store.File, packing loaders.Packing, in loaders.Input) error {
	set.Lazy.By, set.Lazy.Note = "plane", "any rows of a plane are read in place"
	say := func(format string, a ...any) { set.Warnings = append(set.Warnings, fmt.Sprintf(format, a...)) }
	e, err := codec.NewElement(modes[h.mode].name, h.order)
	if err != nil {
		return err
	}
	if h.mode == 0 {
		is, guessed := h.unsigned()
		if is {
			e.DType = lazy.U8
		}
		if guessed {
			say("Bytes are taken as 0 to 255, since the header says that the largest value is %v.", h.most)
		}
	}
	axes, dims := h.axes(say)
	image := lazy.Image{Name: baseName(in.Key), RGB: h.mode == 16}
	if h.group == 0 && h.n[2] > 1 {
		image.Assumed = "z"
	}
	n := len(axes)
	if h.mode == 16 {
		n--
	}
	if in.Axes != "" {
		given, err := loaders.ParseAxes(in.Axes, n)
		if err != nil {
			return err
		}
		copy(axes, given)
		image.Assumed = ""
	}
	image.Order.Axes = axes[:n].String()
	flat := loaders.Flat{Offset: headerSize + h.ext, Axes: axes, Size: e.Size, Meta: lazy.Meta{DType: e.DType}}
	if flat.Meta.Shape, err = axes.Shape(dims); err != nil {
		return err
	}
	if !e.Plain() {
		flat.Decode = e.Decode
	}
	h.place(&flat.Meta, axes)

	stored := int64(flat.Meta.Shape.Voxels()) * int64(flat.Size)
	if h.mode == 101 {
		stored = (h.n[0] + 1) / 2 * h.n[1] * h.n[2]
	}
	level := lazy.Level{Codec: "raw"}
	if packing != loaders.Plain {
		set.Lazy.By, set.Lazy.Note, level.Codec = "whole", packing.PackedNote(), string(packing)
		if f, err = packing.Open(f, flat.Offset+stored); err != nil {
			return err
		}
	}
	flat.File = f
	if h.mode == 101 {
		if flat.File, err = halves(f, flat.Offset, h.n[0], h.n[1]*h.n[2]); err != nil {
			return err
		}
		flat.Offset = 0
	}
	source, err := loaders.NewFlat(flat)
	if err != nil {
		return err
	}
	level.Array = lazy.FromSource(source)
	image.Levels = []lazy.Level{level}
	set.Images, set.Close = []lazy.Image{image}, f.Close
	return nil
}

// axes is the order of the dimensions, slowest first. Sections of a stack of volumes (MRC2014, word 23 from 401
// on) are MZ to each volume, and those are the times.
func (h *header) axes(say func(string, ...any)) (loaders.Axes, []int64) {
	axes, dims := loaders.Axes{lazy.Z, lazy.Y, lazy.X}, []int64{h.n[2], h.n[1], h.n[0]}
	if mz := h.grid[2]; h.group >= 401 && mz > 0 {
		if h.n[2]%mz == 0 {
			axes, dims = append(loaders.Axes{lazy.T}, axes...), []int64{h.n[2] / mz, mz, h.n[1], h.n[0]}
		} else {
			say("It is a stack of volumes of %d sections each, of which %d are no whole number; it is shown as one volume.", mz, h.n[2])
		}
	}
	if h.permuted() && h.axis != [3]int{1, 2, 3} {
		name := func(i int) string { return string("xyz"[h.axis[i]-1]) }
		say("Columns, rows and sections are stored along %s, %s and %s of the cell; they are shown as x, y and z.", name(0), name(1), name(2))
	}
	if h.mode == 16 {
		axes, dims = append(axes, lazy.C), append(dims, 3)
	}
	return axes, dims
}

// place fills in the sizes of a voxel.
func (h *header) place(m *lazy.Meta, axes loaders.Axes) {
	spatial := axes
	if h.mode == 16 {
		spatial = axes[:len(axes)-1]
	}
	for i := range 3 {
		a := spatial[len(spatial)-1-i]
		if step := h.step(i); step > 0 && a != lazy.T && a != lazy.C {
			m.Scale[a], m.Unit[a] = step*1e-4, "um"
		}
	}
}

func baseName(key string) string {
	name := path.Base(key)
	for _, e := range []string{".gz", ".bz2"} {
		name = strings.TrimSuffix(name, e)
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

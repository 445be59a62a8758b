// Package mgh reads FreeSurfer's volumes: .mgh, and .mgz, which is the same in gzip.
//
//	set, err := mgh.Driver{}.Open(ctx, in) // width, height, depth and frames become x, y, z and t
//
// The format is that of FreeSurfer's wiki page "FsTutorial/MghFormat": a header of 284 bytes, the voxels, and a
// footer, all of it big-endian, lengths in millimetres. Directions in space are not applied.
package mgh

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Driver reads .mgh and .mgz.
type Driver struct{}

// Name is the name of the format.
func (Driver) Name() string { return "mgh" }

const (
	headerSize = 284
	fieldsEnd  = 90 // the rest of the header is zeros
	footerSize = 20
)

// types are the values of the field type: MRI_UCHAR and so on in FreeSurfer's mri.h.
var types = map[uint32]string{0: "uint8", 1: "int32", 3: "float32", 4: "int16", 10: "uint16"}

// Sniff knows a file by its version, 1, by lengths and a type that can be, and by the zeros behind them.
func (Driver) Sniff(ctx context.Context, in loaders.Input) bool {
	if in.Key == "" {
		return false
	}
	head := loaders.Peek(ctx, in, headerSize)
	if len(head) < fieldsEnd || binary.BigEndian.Uint32(head) != 1 {
		return false
	}
	for i := range 4 {
		if int32(binary.BigEndian.Uint32(head[4+4*i:])) < 1 {
			return named(in.Key)
		}
	}
	if _, ok := types[binary.BigEndian.Uint32(head[20:])]; !ok {
		return named(in.Key)
	}
	return named(in.Key) || len(strings.Trim(string(head[fieldsEnd:]), "\x00")) == 0
}

// named reports whether a file is called one of these: then a header that cannot be is told about.
func named(key string) bool {
	k := strings.ToLower(key)
	return strings.HasSuffix(k, ".mgh") || strings.HasSuffix(k, ".mgz") || strings.HasSuffix(k, ".mgh.gz")
}

// Open reads the header, and of an .mgh the footer. Other types of voxels are refused with
// loaders.ErrUnsupported.
func (Driver) Open(ctx context.Context, in loaders.Input) (lazy.Dataset, error) {
	set := lazy.Dataset{Format: "mgh"}
	set.Lazy.By, set.Lazy.Note = "plane", "any rows of a plane are read in place"
	f, packing, head, err := loaders.Unpack(ctx, in, headerSize)
	if err != nil {
		return set, fmt.Errorf("mgh: %w", err)
	}
	flat, err := parse(head, in.Axes)
	need := flat.Offset + int64(flat.Meta.Shape.Voxels())*int64(flat.Size)
	var foot []byte
	if err == nil && packing == loaders.Plain && need < f.Size() {
		// The footer begins with the time between two frames, in milliseconds.
		foot = make([]byte, min(footerSize, f.Size()-need))
		err = f.ReadAt(ctx, foot, need)
		if err == nil && len(foot) >= 4 && flat.Meta.Shape[lazy.T] > 1 {
			if ms := loaders.Step(float64(math.Float32frombits(binary.BigEndian.Uint32(foot)))); ms > 0 {
				flat.Meta.Scale[lazy.T], flat.Meta.Unit[lazy.T] = ms/1000, "s"
			}
		}
	}
	level := lazy.Level{Codec: "raw"}
	if err == nil && packing != loaders.Plain {
		set.Lazy.By, set.Lazy.Note, level.Codec = "whole", packing.PackedNote(), string(packing)
		packed := f
		if f, err = packing.Open(f, need); err != nil {
			f = packed
		}
	}
	if err == nil {
		flat.File = f
		var source lazy.Source
		if source, err = loaders.NewFlat(flat); err == nil {
			level.Array = lazy.FromSource(source)
			name := strings.TrimSuffix(path.Base(in.Key), ".gz")
			image := lazy.Image{Name: strings.TrimSuffix(name, path.Ext(name)), Levels: []lazy.Level{level}, Metadata: said(head, foot)}
			image.Order.Axes = flat.Axes.String()
			set.Images = []lazy.Image{image}
			set.Close = f.Close
			if flat.Meta.Scale[lazy.X] == 0 {
				set.Warnings = append(set.Warnings, "The header does not state how large a voxel is.")
			}
			return set, nil
		}
	}
	f.Close()
	return set, fmt.Errorf("mgh: %s: %w", in.Path, err)
}

func parse(head []byte, order string) (loaders.Flat, error) {
	be := binary.BigEndian
	if len(head) < headerSize {
		return loaders.Flat{}, fmt.Errorf("the header has %d of %d bytes: %w", len(head), headerSize, loaders.ErrDamaged)
	}
	name, ok := types[be.Uint32(head[20:])]
	if !ok {
		return loaders.Flat{}, fmt.Errorf("voxels of type %d cannot be shown: %w", be.Uint32(head[20:]), loaders.ErrUnsupported)
	}
	e, err := codec.NewElement(name, be)
	if err != nil {
		return loaders.Flat{}, err
	}
	axes := loaders.Axes{lazy.T, lazy.Z, lazy.Y, lazy.X}
	if order != "" {
		if axes, err = loaders.ParseAxes(order, 4); err != nil {
			return loaders.Flat{}, err
		}
	}
	var dims []int64
	for i := range axes {
		dims = append(dims, int64(int32(be.Uint32(head[16-4*i:]))))
	}
	flat := loaders.Flat{Offset: headerSize, Axes: axes, Size: e.Size, Meta: lazy.Meta{DType: e.DType}}
	if flat.Meta.Shape, err = axes.Shape(dims); err != nil {
		return loaders.Flat{}, err
	}
	if !e.Plain() {
		flat.Decode = e.Decode
	}
	if int16(be.Uint16(head[28:])) > 0 { // goodRASFlag: else sizes and directions are not set
		for i := range 3 {
			a := axes[3-i]
			if mm := loaders.Step(float64(math.Float32frombits(be.Uint32(head[30+4*i:])))); mm > 0 && a != lazy.T && a != lazy.C {
				flat.Meta.Scale[a], flat.Meta.Unit[a] = mm*1000, "um"
			}
		}
	}
	return flat, nil
}

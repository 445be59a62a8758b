package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Create begins a TIFF at path that ImageJ and Fiji open as a hyperstack with its voxel size, channels,
// colours and contrast limits: uncompressed, one strip a plane, planes in ImageJ's order (channels
// fastest, then z, then time). Above 4 GB it becomes a BigTIFF.
//
// ImageJ has pixels of uint8, uint16 and float32, and RGB of uint8; it converts int16, int32, uint32 and
// float64 as it reads. int8 it takes for uint8, and 64-bit integers it does not read. All of them are
// valid TIFF that other programs read as they are.
func Create(path string, d loaders.Description) (loaders.Writer, error) {
	w, err := newWriter(path, d)
	if err != nil {
		return nil, err
	}
	w.first = append(w.first, asciiTag(tagDescription, imageJText(d, w.samples)))
	if w.samples == 1 {
		w.first = append(w.first, imageJTags(d)...)
	}
	x, y := 1/d.Meta.Scale[lazy.X], 1/d.Meta.Scale[lazy.Y]
	w.every = append(w.every, rationalTag(tagXResolution, x), rationalTag(tagYResolution, y), shortTag(tagResolutionUnit, 1))
	return w.begin(path, d.Overwrite)
}

// CreateOME begins an OME-TIFF (OME model 2016-06) at path: uncompressed, one strip a plane, its
// metadata in the first description. OME has no 64-bit integers.
func CreateOME(path string, d loaders.Description) (loaders.Writer, error) {
	w, err := newWriter(path, d)
	if err != nil {
		return nil, err
	}
	text, err := omeText(d, w.samples)
	if err != nil {
		return nil, fmt.Errorf("tiff: writing %s: %w", path, err)
	}
	w.first = append(w.first, asciiTag(tagDescription, text))
	unit, perUnit := uint16(1), 1.0
	if d.Meta.Scale[lazy.X] > 0 && d.Meta.Scale[lazy.Y] > 0 {
		unit, perUnit = 3, 10000 // pixels per centimetre
	}
	w.every = append(w.every, rationalTag(tagXResolution, perUnit/d.Meta.Scale[lazy.X]),
		rationalTag(tagYResolution, perUnit/d.Meta.Scale[lazy.Y]), shortTag(tagResolutionUnit, unit))
	return w.begin(path, d.Overwrite)
}

// A writer puts planes behind each other as they come. Since nothing is compressed, all offsets are
// known before the first voxel, and the file is written from front to back:
//
//	header  first directory and its values  planes  the other directories
type writer struct {
	draft   *loaders.Draft
	path    string
	meta    lazy.Meta
	samples int   // of a pixel: 3 or 4 for colour pictures, else 1
	rows    int   // of one cell
	planes  int64 // pages
	bytes   int64 // of one plane
	every   []tag // tags of every directory
	first   []tag // of the first alone
	big     bool
	data    int64 // where the first plane begins
	next    lazy.Index
	done    bool
	swapped []byte
}

// cellBytes is how much is asked for at a time.
const cellBytes = 16 << 20

func newWriter(path string, d loaders.Description) (*writer, error) {
	m := d.Meta
	if !m.DType.Valid() || m.Shape.Whole().Empty() {
		return nil, fmt.Errorf("tiff: writing %s: shape %v of %v", path, m.Shape, m.DType)
	}
	w := &writer{path: path, meta: m, samples: 1}
	if n := m.Shape[lazy.C]; d.RGB && (n == 3 || n == 4) && (m.DType == lazy.U8 || m.DType == lazy.U16) {
		w.samples = n
	}
	bytes, ok := product(uint64(m.Shape[lazy.Y]), uint64(m.Shape[lazy.X]), uint64(w.samples), uint64(m.DType.Size()))
	pages, ok2 := product(uint64(m.Shape[lazy.T]), uint64(m.Shape[lazy.Z]), uint64(m.Shape[lazy.C]/w.samples))
	_, ok3 := product(bytes, pages)
	if !ok || !ok2 || !ok3 || m.Shape[lazy.Y] > math.MaxUint32 || m.Shape[lazy.X] > math.MaxUint32 {
		return nil, fmt.Errorf("tiff: writing %s: shape %v is too large for a file: %w", path, m.Shape, loaders.ErrUnsupported)
	}
	w.bytes, w.planes = int64(bytes), int64(pages)
	row := m.Shape[lazy.X] * w.samples * m.DType.Size()
	w.rows = max(1, min(m.Shape[lazy.Y], cellBytes/row))
	w.every = w.pixelTags()
	if lut := paletteTag(d); lut != nil {
		w.every = slices.DeleteFunc(w.every, func(t tag) bool { return t.id == tagPhotometric })
		w.every = append(w.every, shortTag(tagPhotometric, palette), *lut)
	}
	return w, nil
}

// pixelTags says how the planes are stored.
func (w *writer) pixelTags() []tag {
	bits, formats := make([]uint16, w.samples), make([]uint16, w.samples)
	format := uint16(unsignedSample)
	switch w.meta.DType {
	case lazy.I8, lazy.I16, lazy.I32, lazy.I64:
		format = signedSample
	case lazy.F32, lazy.F64:
		format = floatSample
	}
	for i := range bits {
		bits[i], formats[i] = uint16(8*w.meta.DType.Size()), format
	}
	photometric := uint16(minIsBlack)
	if w.samples > 1 {
		photometric = rgbColour
	}
	tags := []tag{
		longTag(tagSubfileType, 0),
		longTag(tagWidth, uint32(w.meta.Shape[lazy.X])),
		longTag(tagHeight, uint32(w.meta.Shape[lazy.Y])),
		shortTag(tagBits, bits...),
		shortTag(tagCompression, rawData),
		shortTag(tagPhotometric, photometric),
		shortTag(tagSamples, uint16(w.samples)),
		longTag(tagRowsPerStrip, uint32(w.meta.Shape[lazy.Y])),
		shortTag(tagPlanar, 1),
		shortTag(tagSampleFormat, formats...),
	}
	if w.samples == 4 {
		tags = append(tags, shortTag(tagExtraSamples, 2)) // alpha, not multiplied in
	}
	return tags
}

// paletteTag is the LUT of a single channel of uint8, for which every reader knows palettes.
func paletteTag(d loaders.Description) *tag {
	if d.Meta.DType != lazy.U8 || d.Meta.Shape[lazy.C] != 1 || len(d.Channels) != 1 || len(d.Channels[0].LUT) != 256 {
		return nil
	}
	v := make([]uint16, 768)
	for i, colour := range d.Channels[0].LUT {
		for k := range colour {
			v[256*k+i] = uint16(colour[k]) * 257
		}
	}
	t := shortTag(tagColorMap, v...)
	return &t
}

// classicLimit is the largest file whose offsets have 32 bits.
var classicLimit int64 = math.MaxUint32

// begin writes what stands before the planes.
func (w *writer) begin(path string, overwrite bool) (loaders.Writer, error) {
	w.big = w.bytes*w.planes+w.planes*1024+tagBytes(w.first)+1<<20 > classicLimit
	head := w.directory(w.headerSize(), 0, true) // to see how long it is
	w.data = (w.headerSize() + int64(len(head)) + 15) &^ 15
	next := int64(0)
	if w.planes > 1 {
		next = w.tail()
	}
	head = w.directory(w.headerSize(), next, true)
	draft, err := loaders.Create(path, overwrite)
	if err != nil {
		return nil, err
	}
	w.draft = draft
	out := append(w.header(), head...)
	out = append(out, make([]byte, w.data-int64(len(out)))...)
	if _, err := draft.Write(out); err != nil {
		draft.Abort()
		return nil, fmt.Errorf("tiff: writing %s: %w", path, err)
	}
	return w, nil
}

// tail is where the second directory begins.
func (w *writer) tail() int64 { return (w.data + w.bytes*w.planes + 15) &^ 15 }

// Grid is rows of one plane, with all samples of a colour picture.
func (w *writer) Grid() lazy.Shape {
	return lazy.Shape{1, 1, w.samples, w.rows, w.meta.Shape[lazy.X]}
}

// Write appends one cell; another than the next is refused.
func (w *writer) Write(ctx context.Context, b *lazy.Block) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	want := lazy.At(w.next, w.Grid()).Intersect(w.meta.Shape.Whole())
	if w.done || b.Region != want || b.DType != w.meta.DType {
		return fmt.Errorf("tiff: writing %s: got %v of %v, expected %v of %v", w.path, b.DType, b.Region, w.meta.DType, want)
	}
	if _, err := loaders.WriteContext(ctx, w.draft, w.stored(b)); err != nil {
		return fmt.Errorf("tiff: writing %s: %w", w.path, err)
	}
	for _, a := range []lazy.Axis{lazy.Y, lazy.C, lazy.Z, lazy.T} {
		if w.next[a] = b.Region.Max[a]; w.next[a] < w.meta.Shape[a] {
			return nil
		}
		w.next[a] = 0
	}
	w.done = true
	return nil
}

// stored is the bytes of b as they stand in the file: samples side by side, low byte first.
func (w *writer) stored(b *lazy.Block) []byte {
	raw, size := b.Bytes(), b.DType.Size()
	native := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	if w.samples == 1 && (native || size == 1) {
		return raw
	}
	out := room(&w.swapped, len(raw))
	n := b.Len() / w.samples
	for s := range w.samples {
		from := raw[s*n*size:]
		for i := range n {
			copy(out[(i*w.samples+s)*size:][:size], from[i*size:])
		}
	}
	if !native {
		codec.Swap(out, size)
	}
	return out
}

// Close writes the other directories and gives the file its name.
func (w *writer) Close() error {
	if !w.done {
		w.Abort()
		return fmt.Errorf("tiff: writing %s: closed before the last voxel", w.path)
	}
	at := w.data + w.bytes*w.planes
	buf := make([]byte, w.tail()-at)
	at = w.tail()
	for p := int64(1); p < w.planes; p++ {
		size := int64(len(w.page(p, at, 0)))
		next := at + size
		if p == w.planes-1 {
			next = 0
		}
		buf = append(buf, w.page(p, at, next)...)
		at += size
		if len(buf) > cellBytes || next == 0 {
			if _, err := w.draft.Write(buf); err != nil {
				w.Abort()
				return fmt.Errorf("tiff: writing %s: %w", w.path, err)
			}
			buf = buf[:0]
		}
	}
	return w.draft.Commit()
}

// Abort leaves nothing.
func (w *writer) Abort() { w.draft.Abort() }

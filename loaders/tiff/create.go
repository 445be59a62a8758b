package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Create begins a TIFF at path that ImageJ and Fiji open as a hyperstack with its voxel size, channels,
// colours and contrast limits: uncompressed, one strip a plane, planes in ImageJ's order (channels
// fastest, then z, then time).
//
// ImageJ has pixels of uint8, uint16 and float32, and RGB of uint8; it converts int16, int32, uint32 and
// float64 as it reads. int8 it takes for uint8, and 64-bit integers it does not read. All of them are
// valid TIFF that other programs read as they are.
//
// Above 4 GB ImageJ keeps to classic TIFF: one directory, whose description counts the planes, and the planes
// behind each other as far as they go. It reads no BigTIFF, so that is how they are written here. Programs that do
// not know ImageJ see the first plane alone; for them there is CreateOME. What ImageJ does not read anyway, 64-bit
// integers and planes of 2 GB and more, becomes a BigTIFF.
func Create(path string, d loaders.Description) (loaders.Writer, error) {
	if d.Layout != (loaders.Layout{}) {
		return nil, fmt.Errorf("tiff: writing %s: ImageJ's TIFF has no compression, versions or shards to choose: %w; .ome.tif has the first", path, loaders.ErrUnsupported)
	}
	d.Meta = d.Meta.Calibrated()
	w, err := newWriter(path, d)
	if err != nil {
		return nil, err
	}
	w.first = append(w.first, asciiTag(tagDescription, imageJText(d, w.samples)))
	w.first = append(w.first, imageJTags(d, w.samples)...)
	x, y := 1/d.Meta.Scale[lazy.X], 1/d.Meta.Scale[lazy.Y]
	w.every = append(w.every, rationalTag(tagXResolution, x), rationalTag(tagYResolution, y), shortTag(tagResolutionUnit, 1))
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
	alone   bool  // there is one directory, whose description counts the planes
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
	w := &writer{path: path, meta: m, samples: samplesOf(d)}
	bytes, ok := product(uint64(m.Shape[lazy.Y]), uint64(m.Shape[lazy.X]), uint64(w.samples), uint64(m.DType.Size()))
	pages, ok2 := product(uint64(m.Shape[lazy.T]), uint64(m.Shape[lazy.Z]), uint64(m.Shape[lazy.C]/w.samples))
	_, ok3 := product(bytes, pages)
	if !ok || !ok2 || !ok3 || m.Shape[lazy.Y] > math.MaxUint32 || m.Shape[lazy.X] > math.MaxUint32 {
		return nil, fmt.Errorf("tiff: writing %s: shape %v is too large for a file: %w", path, m.Shape, loaders.ErrUnsupported)
	}
	w.bytes, w.planes = int64(bytes), int64(pages)
	row := m.Shape[lazy.X] * w.samples * m.DType.Size()
	w.rows = max(1, min(m.Shape[lazy.Y], cellBytes/row))
	w.every = append(pixelTags(d, w.samples), longTag(tagWidth, uint32(m.Shape[lazy.X])), longTag(tagHeight, uint32(m.Shape[lazy.Y])),
		longTag(tagSubfileType, 0), shortTag(tagCompression, rawData), longTag(tagRowsPerStrip, uint32(m.Shape[lazy.Y])))
	return w, nil
}

// samplesOf is how many samples the pixels of an image have: those of a colour picture lie side by side.
func samplesOf(d loaders.Description) int {
	m := d.Meta
	if n := m.Shape[lazy.C]; d.RGB && (n == 3 || n == 4) && (m.DType == lazy.U8 || m.DType == lazy.U16) {
		return n
	}
	return 1
}

// pixelTags says what the pixels of every directory are.
func pixelTags(d loaders.Description, samples int) []tag {
	bits, formats := make([]uint16, samples), make([]uint16, samples)
	format := uint16(unsignedSample)
	switch d.Meta.DType {
	case lazy.I8, lazy.I16, lazy.I32, lazy.I64:
		format = signedSample
	case lazy.F32, lazy.F64:
		format = floatSample
	}
	for i := range bits {
		bits[i], formats[i] = uint16(8*d.Meta.DType.Size()), format
	}
	tags := []tag{shortTag(tagBits, bits...), shortTag(tagSamples, uint16(samples)), shortTag(tagPlanar, 1), shortTag(tagSampleFormat, formats...)}
	if samples == 4 {
		tags = append(tags, shortTag(tagExtraSamples, 2)) // alpha, not multiplied in
	}
	lut := paletteTag(d)
	switch {
	case samples > 1:
		tags = append(tags, shortTag(tagPhotometric, rgbColour))
	case lut != nil:
		tags = append(tags, shortTag(tagPhotometric, palette), *lut)
	default:
		tags = append(tags, shortTag(tagPhotometric, minIsBlack))
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

// javaLimit is the largest plane that ImageJ holds, in bytes.
const javaLimit = math.MaxInt32

// begin writes what stands before the planes.
func (w *writer) begin(path string, overwrite bool) (loaders.Writer, error) {
	if w.bytes*w.planes+w.planes*1024+tagBytes(w.first)+1<<20 > classicLimit {
		known := w.meta.DType.Size() < 8 || w.meta.DType.Float()
		w.alone = known && w.planes > 1 && w.bytes < javaLimit
		w.big = !w.alone
	}
	head := w.directory(w.headerSize(), 0, true) // to see how long it is
	w.data = (w.headerSize() + int64(len(head)) + 15) &^ 15
	next := int64(0)
	if w.planes > 1 && !w.alone {
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
		spread(out[s*size:], raw[s*n*size:][:n*size], size, w.samples*size)
	}
	if !native {
		codec.Swap(out, size)
	}
	return out
}

// spread puts values of size bytes at every step bytes of dst.
func spread(dst, src []byte, size, step int) {
	for i := range len(src) / size {
		copy(dst[i*step:][:size], src[i*size:])
	}
}

// Close writes the other directories and gives the file its name.
func (w *writer) Close() error {
	if !w.done {
		w.Abort()
		return fmt.Errorf("tiff: writing %s: closed before the last voxel", w.path)
	}
	if w.alone {
		return w.draft.Commit()
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

package dicom

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"unsafe"

	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// samples are those of some rows of a frame, in the machine's byte order.
type samples struct {
	bytes  []byte
	planar bool // all of one sample, then all of the next
	rgb    bool // colours that were to be converted are red, green and blue already
	stored int64
}

// rows reads the rows from y0 up to y1 of a frame. Packed frames are decoded whole.
func (o *object) rows(ctx context.Context, frame, y0, y1 int) (samples, error) {
	var s samples
	var err error
	switch {
	case o.packed != nil:
		s, err = o.unpack(ctx, frame)
		if err != nil {
			return s, err
		}
		if y0 != 0 || y1 != o.format.rows {
			return s, fmt.Errorf("rows %d to %d of a packed frame cannot be read alone", y0, y1)
		}
	case o.format.allocated == 1:
		return o.bitRows(ctx, frame, y0, y1)
	default:
		s, err = o.plainRows(ctx, frame, y0, y1)
		if err != nil {
			return s, err
		}
		var order binary.ByteOrder = binary.LittleEndian
		if o.syntax.big {
			order = binary.BigEndian
		}
		codec.Native(s.bytes, o.format.allocated/8, order)
	}
	switch f := o.format; f.allocated {
	case 8:
		trim(s.bytes, f)
	case 16:
		trim(view[uint16](s.bytes), f)
	case 32:
		trim(view[uint32](s.bytes), f)
	case 64:
		trim(view[uint64](s.bytes), f)
	}
	return s, nil
}

// plainRows reads pixels that are stored as they are.
func (o *object) plainRows(ctx context.Context, frame, y0, y1 int) (samples, error) {
	f := o.format
	row := int64(f.columns) * int64(f.bitsPerPixel()) / 8
	size, _ := f.storedBytes(1)
	at := int64(frame) * size
	s := samples{planar: f.planar, bytes: make([]byte, row*int64(y1-y0))}
	s.stored = int64(len(s.bytes))
	if !f.planar {
		err := o.fetch(ctx, s.bytes, at+int64(y0)*row)
		if f.halved && err == nil {
			s.bytes = double(s.bytes)
		}
		return s, err
	}
	row /= int64(f.samples)
	part := row * int64(y1-y0)
	for k := range int64(f.samples) {
		if err := o.fetch(ctx, s.bytes[k*part:(k+1)*part], at+(k*int64(f.rows)+int64(y0))*row); err != nil {
			return s, err
		}
	}
	return s, nil
}

// bitRows reads pixels of one bit, the lowest of a byte first; frames follow each other without a gap
// (PS3.5, 8.1.1, and annex D).
func (o *object) bitRows(ctx context.Context, frame, y0, y1 int) (samples, error) {
	f := o.format
	first := (int64(frame)*int64(f.rows) + int64(y0)) * int64(f.columns)
	n := int64(y1-y0) * int64(f.columns)
	packed := make([]byte, (first+n+7)/8-first/8)
	if err := o.fetch(ctx, packed, first/8); err != nil {
		return samples{}, err
	}
	s := samples{bytes: make([]byte, n), stored: int64(len(packed))}
	for i := range s.bytes {
		bit := first%8 + int64(i)
		s.bytes[i] = packed[bit/8] >> (bit % 8) & 1
	}
	return s, nil
}

// fetch fills p from a place of the pixels on, which is counted in bytes. Samples of 8 bits or less
// that are written as words of 16 stand in the other order in files of big endian (PS3.5, 8.1.1).
func (o *object) fetch(ctx context.Context, p []byte, at int64) error {
	if !o.words {
		return o.raw(ctx, p, o.at+at)
	}
	first, end := at&^1, (at+int64(len(p))+1)&^1
	words := make([]byte, end-first)
	if err := o.raw(ctx, words, o.at+first); err != nil {
		return err
	}
	codec.Swap(words, 2)
	copy(p, words[at-first:])
	return nil
}

// raw fills p from a place of the data set on. Of a deflated file all that stands before is inflated
// and thrown away, so that nothing of it has to be kept.
func (o *object) raw(ctx context.Context, p []byte, at int64) error {
	if !o.syntax.deflated {
		return o.file.ReadAt(ctx, p, at)
	}
	packed := io.NewSectionReader(store.ReaderAt(ctx, o.file), o.data, o.file.Size()-o.data)
	r := flate.NewReader(bufio.NewReader(packed))
	if _, err := io.CopyN(io.Discard, r, at); err != nil {
		return o.inflated(ctx, err)
	}
	_, err := io.ReadFull(r, p)
	return o.inflated(ctx, err)
}

func (o *object) inflated(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("its deflated data end early or are damaged (%w): %w", err, loaders.ErrDamaged)
}

// double gives every pixel its own differences of colour: Y1 Y2 Cb Cr become Y1 Cb Cr Y2 Cb Cr.
func double(p []byte) []byte {
	out := make([]byte, 0, len(p)/4*6)
	for ; len(p) >= 4; p = p[4:] {
		out = append(out, p[0], p[2], p[3], p[1], p[2], p[3])
	}
	return out
}

// view is bytes as values of E.
func view[E uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | float32 | float64](p []byte) []E {
	var e E
	n := len(p) / int(unsafe.Sizeof(e))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(p))), n)
}

package dicom

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"lamella/loaders"
	"lamella/loaders/codec"
)

var little binary.ByteOrder = binary.LittleEndian

// unpack decodes a frame whole.
func (o *object) unpack(ctx context.Context, frame int) (samples, error) {
	src, err := o.packedFrame(ctx, frame)
	if err != nil {
		return samples{}, err
	}
	if err := ctx.Err(); err != nil {
		return samples{}, err
	}
	s := samples{stored: int64(len(src))}
	switch o.syntax.codec {
	case rleCodec:
		s.planar = true
		s.bytes, err = o.format.rle(src)
	case jpegCodec:
		s.bytes, s.rgb, err = o.format.jpeg(src)
	case j2kCodec:
		s.bytes, s.rgb, err = o.format.jpeg2000(src)
	default:
		s.bytes, err = o.format.jpegLS(src)
	}
	switch {
	case err == nil || errors.Is(err, loaders.ErrUnsupported):
	case o.syntax.codec == rleCodec || errors.Is(err, codec.ErrCorrupt) || errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: %w", err, loaders.ErrDamaged)
	default:
		err = fmt.Errorf("%w; unpack it with \"gdcmconv --raw IN OUT\": %w", err, loaders.ErrUnsupported)
	}
	return s, err
}

// rle decodes PS3.5, annex G: a header of 64 bytes with the number of segments and where they begin,
// one segment for each byte of each sample, the highest byte first, each packed as PackBits does.
func (f format) rle(src []byte) ([]byte, error) {
	const header = 64
	size := f.allocated / 8
	want := f.samples * size
	if len(src) < header || size == 0 {
		return nil, fmt.Errorf("rle: %d bytes hold no header", len(src))
	}
	if n := int(little.Uint32(src)); n != want || n > 15 {
		return nil, fmt.Errorf("rle: %d segments instead of %d", n, want)
	}
	pixels := f.rows * f.columns
	out, plane := make([]byte, pixels*want), make([]byte, pixels)
	for k := range want {
		from, to := int64(little.Uint32(src[4+4*k:])), int64(len(src))
		if k+1 < want {
			to = int64(little.Uint32(src[8+4*k:]))
		}
		if from < header || from > to || to > int64(len(src)) {
			return nil, fmt.Errorf("rle: segment %d lies at bytes %d to %d of %d", k, from, to, len(src))
		}
		n, err := codec.PackBits(plane, src[from:to])
		if err == nil && n < pixels {
			err = fmt.Errorf("%d of %d bytes", n, pixels)
		}
		if err != nil {
			return nil, fmt.Errorf("rle: segment %d: %w", k, err)
		}
		at := k / size * pixels * size
		for i, v := range plane {
			out[at+i*size+size-1-k%size] = v
		}
	}
	codec.Native(out, size, little)
	return out, nil
}

// fits says why a stream does not hold a frame of this format.
func (f format) fits(width, height, components, depth int) error {
	if width != f.columns || height != f.rows || components != f.samples || depth > f.allocated || f.allocated != 8 && f.allocated != 16 {
		return fmt.Errorf("a stream of %d x %d pixels of %d samples of %d bits for frames of %d x %d pixels of %d samples of %d bits: %w",
			width, height, components, depth, f.columns, f.rows, f.samples, f.allocated, codec.ErrCorrupt)
	}
	return nil
}

// jpeg decodes a stream of T.81. Where the object says that its colours are red, green and blue, and
// the stream says that it converted them, they are converted back.
func (f format) jpeg(src []byte) (out []byte, rgb bool, err error) {
	j, err := codec.ParseJPEG(src)
	if err != nil {
		return nil, false, err
	}
	if err := f.fits(j.Width, j.Height, len(j.Components), j.Bits); err != nil {
		return nil, false, fmt.Errorf("jpeg: %w", err)
	}
	n := j.Width * j.Height * len(j.Components)
	if j.Progressive && j.Bits > 8 {
		return nil, false, fmt.Errorf("progressive jpeg of %d bits; unpack it with \"dcmdjpeg IN OUT\" of DCMTK: %w", j.Bits, loaders.ErrUnsupported)
	}
	if j.Lossless || j.Bits > 8 {
		wide := make([]uint16, n)
		if err := j.DecodeWide(wide); err != nil {
			return nil, false, err
		}
		return f.narrow(wide), j.RGB(), nil
	}
	out = make([]byte, n)
	if err := j.Decode(out); err != nil {
		return nil, false, err
	}
	if j.Adobe == 1 && f.samples == 3 && f.photometric == "RGB" {
		codec.YCbCrToRGB(out)
	}
	if f.allocated == 16 {
		wide := make([]uint16, n)
		for i, v := range out {
			wide[i] = uint16(v)
		}
		out = f.narrow(wide)
	}
	return out, j.RGB(), nil
}

// jpegLS decodes a stream of T.87.
func (f format) jpegLS(src []byte) ([]byte, error) {
	j, err := codec.ParseJPEGLS(src)
	if err != nil {
		return nil, err
	}
	if err := f.fits(j.Width, j.Height, j.Components, j.Bits); err != nil {
		return nil, fmt.Errorf("jpeg-ls: %w", err)
	}
	wide := make([]uint16, j.Width*j.Height*j.Components)
	if err := j.Decode(wide); err != nil {
		return nil, err
	}
	return f.narrow(wide), nil
}

// jpeg2000 decodes a codestream of T.800, which turns mixed colours back itself.
func (f format) jpeg2000(src []byte) (out []byte, rgb bool, err error) {
	j, err := codec.ParseJPEG2000(src)
	if err != nil {
		return nil, false, err
	}
	if err := f.fits(j.Width, j.Height, j.Components, j.Bits); err != nil {
		return nil, false, fmt.Errorf("jpeg 2000: %w", err)
	}
	wide := make([]uint16, j.Width*j.Height*j.Components)
	if err := j.Decode(wide); err != nil {
		return nil, false, err
	}
	return f.narrow(wide), false, nil
}

// narrow is samples as they are allocated.
func (f format) narrow(wide []uint16) []byte {
	if f.allocated == 16 {
		out := make([]byte, 2*len(wide))
		copy(view[uint16](out), wide)
		return out
	}
	out := make([]byte, len(wide))
	for i, v := range wide {
		out[i] = byte(v)
	}
	return out
}

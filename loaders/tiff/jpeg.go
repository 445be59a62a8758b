package tiff

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"

	"lamella/loaders"
)

// decodeJPEG fills dst, rows x segW pixels of segSamples bytes, from one JPEG stream and the tables
// that it shares with others (TIFF Technical Note 2). YCbCr becomes RGB; other components are taken
// as they are.
func decodeJPEG(dst, stored, tables []byte, l *layout, rows int) error {
	stored = joinTables(stored, tables)
	config, err := jpeg.DecodeConfig(bytes.NewReader(stored))
	if err != nil {
		return fmt.Errorf("jpeg: %w: %w", loaders.ErrDamaged, err)
	}
	if config.Width < l.segW || config.Height < rows || config.Width > l.segW+64 || config.Height > rows+64 {
		return fmt.Errorf("jpeg of %d x %d pixels in a %s of %d x %d: %w", config.Width, config.Height, l.segment(), l.segW, rows, loaders.ErrDamaged)
	}
	picture, err := jpeg.Decode(bytes.NewReader(stored))
	if err != nil {
		return fmt.Errorf("jpeg: %w: %w", loaders.ErrDamaged, err)
	}
	samples := l.segSamples()
	switch p := picture.(type) {
	case *image.Gray:
		if samples == 1 {
			copyRows(dst, l.segW, p.Pix, p.Stride, rows)
			return nil
		}
	case *image.YCbCr:
		if samples == 3 && l.photometric == yCbCr {
			toRGB(dst, p, l.segW, rows)
			return nil
		}
		if samples == 3 {
			interleave(dst, p, l.segW, rows)
			return nil
		}
	case *image.RGBA: // the stream itself says that its components are red, green and blue
		if samples == 3 {
			for i := range rows * l.segW {
				copy(dst[3*i:][:3], p.Pix[i/l.segW*p.Stride+i%l.segW*4:])
			}
			return nil
		}
	case *image.CMYK:
		if samples == 4 {
			copyRows(dst, 4*l.segW, p.Pix, p.Stride, rows)
			for i := range dst {
				dst[i] = ^dst[i] // the decoder turns ink round, as files with Adobe's marker want it shown
			}
			return nil
		}
	}
	return fmt.Errorf("jpeg of another number of components than the %d samples: %w", samples, loaders.ErrDamaged)
}

// joinTables puts shared tables into a stream. They come as a stream of their own, whose end falls
// away together with the start of the other.
func joinTables(stored, tables []byte) []byte {
	n := len(tables)
	if n < 4 || len(stored) < 2 {
		return stored
	}
	if tables[n-2] == 0xFF && tables[n-1] == 0xD9 {
		n -= 2
	}
	return append(append(make([]byte, 0, n+len(stored)), tables[:n]...), stored[2:]...)
}

func copyRows(dst []byte, n int, src []byte, stride, rows int) {
	for y := range rows {
		copy(dst[y*n:][:n], src[y*stride:])
	}
}

// interleave takes the three components as they are.
func interleave(dst []byte, p *image.YCbCr, width, rows int) {
	for y := range rows {
		out := dst[3*y*width:][:3*width]
		for x := range width {
			c := p.COffset(x, y)
			out[3*x], out[3*x+1], out[3*x+2] = p.Y[y*p.YStride+x], p.Cb[c], p.Cr[c]
		}
	}
}

// toRGB converts by the rule of JFIF 1.02 (ITU-R BT.601 with full range), rounded to nearest.
func toRGB(dst []byte, p *image.YCbCr, width, rows int) {
	for y := range rows {
		out := dst[3*y*width:][:3*width]
		luma := p.Y[y*p.YStride:]
		for x := range width {
			c := p.COffset(x, y)
			yy, cb, cr := int32(luma[x])<<16+1<<15, int32(p.Cb[c])-128, int32(p.Cr[c])-128
			out[3*x] = clamp8((yy + 91881*cr) >> 16)
			out[3*x+1] = clamp8((yy - 22554*cb - 46802*cr) >> 16)
			out[3*x+2] = clamp8((yy + 116130*cb) >> 16)
		}
	}
}

func clamp8(v int32) byte { return byte(max(0, min(255, v))) }

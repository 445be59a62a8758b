package tiff

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"

	"lamella/loaders"
	"lamella/loaders/codec"
)

// decodeJPEG fills dst, rows x segW pixels of segSamples bytes, from one JPEG stream and the tables
// that it shares with others (TIFF Technical Note 2). YCbCr becomes RGB; other components are taken
// as they are.
func decodeJPEG(dst, stored, tables []byte, l *layout, rows int) error {
	streams := [][]byte{stored}
	if len(tables) > 0 {
		streams = [][]byte{tables, stored}
	}
	j, err := codec.ParseJPEG(streams...)
	if err != nil {
		return fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
	}
	n := l.segSamples()
	if len(j.Components) != n {
		return fmt.Errorf("jpeg of %d components instead of %d: %w", len(j.Components), n, loaders.ErrDamaged)
	}
	if j.Width < l.segW || j.Height < rows || j.Width > l.segW+64 || j.Height > rows+64 {
		return fmt.Errorf("jpeg of %d x %d pixels in a %s of %d x %d: %w", j.Width, j.Height, l.segment(), l.segW, rows, loaders.ErrDamaged)
	}
	pixels := dst
	if j.Width != l.segW || j.Height != rows {
		pixels = make([]byte, j.Width*j.Height*n)
	}
	if j.Progressive {
		err = progressive(pixels, joinTables(stored, tables), n)
	} else {
		err = j.Decode(pixels)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
	}
	if len(pixels) != len(dst) {
		for y := range rows {
			copy(dst[y*l.segW*n:][:l.segW*n], pixels[y*j.Width*n:])
		}
	}
	if n == 3 && l.photometric == yCbCr {
		codec.YCbCrToRGB(dst)
	}
	return nil
}

// progressive decodes the rare kind of stream that codec leaves to the standard library.
func progressive(dst, stream []byte, samples int) error {
	picture, err := jpeg.Decode(bytes.NewReader(stream))
	if err != nil {
		return err
	}
	b := picture.Bounds()
	switch p := picture.(type) {
	case *image.Gray:
		for i := 0; samples == 1 && i < len(dst); i++ {
			dst[i] = p.Pix[i/b.Dx()*p.Stride+i%b.Dx()]
		}
	case *image.YCbCr:
		for i := 0; samples == 3 && i < len(dst)/3; i++ {
			x, y := i%b.Dx(), i/b.Dx()
			c := p.COffset(x, y)
			dst[3*i], dst[3*i+1], dst[3*i+2] = p.Y[y*p.YStride+x], p.Cb[c], p.Cr[c]
		}
	default:
		return fmt.Errorf("progressive jpeg of %d components: %w", samples, loaders.ErrUnsupported)
	}
	return nil
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

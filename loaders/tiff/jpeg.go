package tiff

import (
	"fmt"

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
	if err := j.Decode(pixels); err != nil {
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

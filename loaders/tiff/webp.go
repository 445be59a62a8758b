package tiff

import (
	"bytes"
	"fmt"

	"golang.org/x/image/webp"

	"lamella/loaders/codec"
)

// decodeWebP fills dst, rows x segW pixels of 3 or 4 bytes, from one WebP picture.
func decodeWebP(dst, src []byte, l *layout, rows int) (int, error) {
	config, err := webp.DecodeConfig(bytes.NewReader(src))
	if err != nil {
		return 0, err
	}
	if config.Width != l.segW || config.Height < min(rows, l.height) || config.Height > rows {
		return 0, fmt.Errorf("picture of %d x %d pixels in a %s of %d x %d", config.Width, config.Height, l.segment(), l.segW, rows)
	}
	n := config.Width * config.Height * l.segSamples()
	return n, codec.WebP(dst[:n], l.segSamples(), src)
}

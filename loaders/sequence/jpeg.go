package sequence

import (
	"context"
	"fmt"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// maxJPEGHead is how much of a file may stand before the pixels: colour profiles and previews do.
const maxJPEGHead = 4 << 20

// readJPEG reads the header of a JPEG by our own decoder. It reports false for those that the standard
// library has to decode: inks.
func readJPEG(ctx context.Context, f store.File) (shape, bool) {
	for n := int64(64 << 10); ; n *= 8 {
		head := make([]byte, min(n, f.Size()))
		if f.ReadAt(ctx, head, 0) != nil {
			return shape{}, false
		}
		j, err := codec.ParseJPEG(head)
		if err != nil && n < maxJPEGHead && n < f.Size() {
			continue // it may go on behind what was read
		}
		if err != nil || len(j.Components) != 1 && len(j.Components) != 3 {
			return shape{}, false
		}
		samples := len(j.Components)
		s := shape{width: j.Width, height: j.Height, samples: samples, dtype: lazy.U8, rgb: samples == 3, codec: "jpeg"}
		s.decode = func(_ context.Context, raw []byte, dst *lazy.Block) error { return decodeJPEG(raw, dst) }
		return s, true
	}
}

func decodeJPEG(raw []byte, dst *lazy.Block) error {
	j, err := codec.ParseJPEG(raw)
	if err != nil {
		return fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
	}
	n := len(j.Components)
	out := lazy.View[uint8](dst)
	if n*j.Width*j.Height != len(out) {
		return fmt.Errorf("jpeg of %d x %d pixels: its header has changed: %w", j.Width, j.Height, loaders.ErrDamaged)
	}
	if n == 1 {
		err = j.Decode(out)
	} else {
		pixels := make([]byte, len(out))
		if err = j.Decode(pixels); err == nil {
			toPlanes(out, pixels, !j.RGB())
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
	}
	return nil
}

// toPlanes spreads pixels of three samples over three planes, converted from YCbCr (JFIF 1.02) or as
// they are.
func toPlanes(out, pixels []byte, convert bool) {
	if convert {
		codec.YCbCrToRGB(pixels)
	}
	n := len(pixels) / 3
	red, green, blue := out[:n], out[n:2*n], out[2*n:]
	for i := range n {
		red[i], green[i], blue[i] = pixels[3*i], pixels[3*i+1], pixels[3*i+2]
	}
}

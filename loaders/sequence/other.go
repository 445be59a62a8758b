package sequence

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"io"

	"golang.org/x/image/webp"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// A format is one kind of picture that a library decodes.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var others = map[string]format{
	"jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"gif":  {gif.DecodeConfig, gif.Decode},
	"webp": {webp.DecodeConfig, webp.Decode},
}

// readOther reads the header of anything but a PNG.
func readOther(ctx context.Context, f store.File, kind string) (shape, error) {
	how := others[kind]
	in := bufio.NewReader(io.NewSectionReader(store.ReaderAt(ctx, f), 0, f.Size()))
	c, err := how.config(in)
	if err != nil {
		return shape{}, fmt.Errorf("%s: %w: %w", kind, loaders.ErrDamaged, err)
	}
	s := shape{width: c.Width, height: c.Height, samples: 3, dtype: lazy.U8, codec: kind, rgb: true}
	switch m := c.ColorModel.(type) {
	case color.Palette:
		s.samples, s.rgb = 1, false
		for _, entry := range m {
			r, g, b, _ := entry.RGBA()
			s.lut = append(s.lut, [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)})
		}
	default:
		switch c.ColorModel {
		case color.GrayModel:
			s.samples, s.rgb = 1, false
		case color.CMYKModel:
			s.samples, s.rgb = 4, false
		case color.NRGBAModel, color.NYCbCrAModel:
			s.samples = 4
		}
	}
	if kind == "webp" {
		return webpShape(ctx, f, s)
	}
	s.decode = func(_ context.Context, raw []byte, dst *lazy.Block) error {
		picture, err := how.decode(bytes.NewReader(raw))
		if err != nil {
			return fmt.Errorf("%s: %w: %w", kind, loaders.ErrDamaged, err)
		}
		return spread(dst, picture)
	}
	return s, nil
}

// webpShape is the shape of a WebP picture, which a lossless one without opacity does not tell in its colours.
func webpShape(ctx context.Context, f store.File, s shape) (shape, error) {
	head := make([]byte, min(25, f.Size()))
	if err := f.ReadAt(ctx, head, 0); err != nil {
		return shape{}, err
	}
	if !codec.WebPOpacity(head) {
		s.samples = 3
	}
	s.decode = func(_ context.Context, raw []byte, dst *lazy.Block) error {
		p := image.NewNRGBA(image.Rect(0, 0, s.width, s.height))
		if err := codec.WebP(p.Pix, 4, raw); err != nil {
			return fmt.Errorf("%w: %w", loaders.ErrDamaged, err)
		}
		return spread(dst, p)
	}
	return s, nil
}

// spread copies the samples of a decoded picture to the planes of dst.
func spread(dst *lazy.Block, picture image.Image) error {
	r := dst.Region
	width, height, samples := r.Len(lazy.X), r.Len(lazy.Y), r.Len(lazy.C)
	if b := picture.Bounds(); b.Dx() != width || b.Dy() != height {
		return fmt.Errorf("decodes to %d x %d pixels instead of %d x %d: %w", b.Dx(), b.Dy(), width, height, loaders.ErrDamaged)
	}
	out := lazy.View[uint8](dst)
	// copyFrom takes the first samples of the per bytes of each pixel.
	copyFrom := func(pix []uint8, stride, per int) error {
		if samples > per {
			return fmt.Errorf("decodes to %d samples instead of %d: %w", per, samples, loaders.ErrDamaged)
		}
		for s := range samples {
			for y := range height {
				row := out[(s*height+y)*width:][:width]
				in := pix[y*stride+s:]
				for x := range row {
					row[x] = in[x*per]
				}
			}
		}
		return nil
	}
	switch p := picture.(type) {
	case *image.Gray:
		return copyFrom(p.Pix, p.Stride, 1)
	case *image.Paletted:
		return copyFrom(p.Pix, p.Stride, 1)
	case *image.RGBA:
		return copyFrom(p.Pix, p.Stride, 4)
	case *image.NRGBA:
		return copyFrom(p.Pix, p.Stride, 4)
	case *image.CMYK:
		return copyFrom(p.Pix, p.Stride, 4)
	}
	// YCbCr, with or without alpha: the model's own conversion.
	for y := range height {
		for x := range width {
			c := color.NRGBAModel.Convert(picture.At(picture.Bounds().Min.X+x, picture.Bounds().Min.Y+y)).(color.NRGBA)
			for s, v := range [4]uint8{c.R, c.G, c.B, c.A} {
				if s < samples {
					out[(s*height+y)*width+x] = v
				}
			}
		}
	}
	return nil
}

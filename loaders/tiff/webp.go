package tiff

import (
	"bytes"
	"fmt"
	"image"

	"golang.org/x/image/webp"
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
	picture, err := webp.Decode(bytes.NewReader(src))
	if err != nil {
		return 0, err
	}
	samples := l.segSamples()
	rows = min(rows, config.Height)
	switch p := picture.(type) {
	case *image.YCbCr:
		if samples == 3 {
			videoToRGB(dst, p, l.segW, rows)
			return 3 * rows * l.segW, nil
		}
	case *image.NYCbCrA:
		if samples == 4 {
			rgb := make([]byte, 3*rows*l.segW)
			videoToRGB(rgb, &p.YCbCr, l.segW, rows)
			for i := range rows * l.segW {
				copy(dst[4*i:], rgb[3*i:][:3])
				dst[4*i+3] = p.A[i/l.segW*p.AStride+i%l.segW]
			}
			return 4 * rows * l.segW, nil
		}
	case *image.NRGBA:
		for i := range rows * l.segW {
			copy(dst[samples*i:][:samples], p.Pix[i/l.segW*p.Stride+i%l.segW*4:])
		}
		return samples * rows * l.segW, nil
	}
	return 0, fmt.Errorf("picture without the %d samples of the page", samples)
}

// videoToRGB converts by ITU-R BT.601 with the video range 16 to 235, as WebP lossy has it (RFC 9649
// section 2.5), rounded to nearest.
func videoToRGB(dst []byte, p *image.YCbCr, width, rows int) {
	for y := range rows {
		out := dst[3*y*width:][:3*width]
		for x := range width {
			c := p.COffset(x, y)
			yy, cb, cr := 76309*(int32(p.Y[y*p.YStride+x])-16)+1<<15, int32(p.Cb[c])-128, int32(p.Cr[c])-128
			out[3*x] = clamp8((yy + 104597*cr) >> 16)
			out[3*x+1] = clamp8((yy - 25675*cb - 53279*cr) >> 16)
			out[3*x+2] = clamp8((yy + 132201*cb) >> 16)
		}
	}
}

func clamp8(v int32) byte { return byte(max(0, min(255, v))) }

package codec

import (
	"bytes"
	"fmt"
	"image"

	"golang.org/x/image/webp"
)

// WebP decodes one picture (RFC 9649) into pixels of 3 or 4 bytes, red, green, blue and opacity, which is 255 where the
// picture has none. dst has to measure width x height x samples. The colours of a lossy picture are enlarged
// and converted as libwebp does it, to the bit.
func WebP(dst []byte, samples int, src []byte) error {
	picture, err := webp.Decode(bytes.NewReader(src))
	if err != nil {
		return fmt.Errorf("codec: webp: %w", err)
	}
	b := picture.Bounds()
	if samples != 3 && samples != 4 || len(dst) != b.Dx()*b.Dy()*samples {
		return fmt.Errorf("codec: webp: %d bytes for %d x %d pixels of %d samples", len(dst), b.Dx(), b.Dy(), samples)
	}
	alpha := func(int, int) byte { return 255 }
	switch p := picture.(type) {
	case *image.YCbCr:
		videoToRGB(dst, samples, p)
	case *image.NYCbCrA:
		videoToRGB(dst, samples, &p.YCbCr)
		alpha = func(x, y int) byte { return p.A[y*p.AStride+x] }
	case *image.NRGBA:
		for i := range b.Dx() * b.Dy() {
			copy(dst[samples*i:][:samples], p.Pix[i/b.Dx()*p.Stride+i%b.Dx()*4:])
		}
		return nil
	default:
		return fmt.Errorf("codec: webp: a picture of type %T", picture)
	}
	if samples == 4 {
		for i := range b.Dx() * b.Dy() {
			dst[4*i+3] = alpha(i%b.Dx(), i/b.Dx())
		}
	}
	return nil
}

// WebPOpacity reports whether a picture states that it has an opacity, by its first 25 bytes: RIFF  length (4)  WEBP,
// then VP8X  length (4)  flags, or VP8L  length (4)  2F  width and height less one, 14 bits each, and a bit.
func WebPOpacity(head []byte) bool {
	if len(head) < 25 {
		return false
	}
	switch string(head[12:16]) {
	case "VP8X":
		return head[20]&0x10 != 0
	case "VP8L":
		return head[24]&0x10 != 0
	}
	return false
}

// videoToRGB writes the colours of pixels of step bytes. A colour covers four pixels; at each it is the mean of the four
// nearest, weighted by 9, 3, 3 and 1 (libwebp's fancy upsampling, rounded in two steps).
func videoToRGB(dst []byte, step int, p *image.YCbCr) {
	width, height := p.Rect.Dx(), p.Rect.Dy()
	rows := (height + 1) / 2
	for y := range height {
		near := y / 2
		far := min(max(0, near-1+2*(y&1)), rows-1)
		row := func(c []byte, y int) []byte { return c[y*p.CStride:][:(width+1)/2] }
		u, v := [2][]byte{row(p.Cb, near), row(p.Cb, far)}, [2][]byte{row(p.Cr, near), row(p.Cr, far)}
		luma, out := p.Y[y*p.YStride:][:width], dst[y*width*step:]
		for x, l := range luma {
			videoPixel(out[x*step:], int(l), enlarged(u, x), enlarged(v, x))
		}
	}
}

// enlarged is the colour of pixel x between a near row of colours and a far one.
func enlarged(c [2][]byte, x int) int {
	near := x / 2
	far := near - 1 + 2*(x&1)
	if far < 0 || far >= len(c[0]) {
		return (3*int(c[0][near]) + int(c[1][near]) + 2) >> 2
	}
	a, b, d, e := int(c[0][near]), int(c[0][far]), int(c[1][near]), int(c[1][far])
	return ((a+b+d+e+8+2*(b+d))>>3 + a) >> 1
}

// videoPixel converts by ITU-R BT.601 with the video range 16 to 235, in libwebp's steps.
func videoPixel(out []byte, y, u, v int) {
	high := func(v, factor int) int { return v * factor >> 8 }
	clip := func(v int) byte { return byte(max(0, min(255, v>>6))) }
	l := high(y, 19077)
	out[0] = clip(l + high(v, 26149) - 14234)
	out[1] = clip(l - high(u, 6419) - high(v, 13320) + 8708)
	out[2] = clip(l + high(u, 33050) - 17685)
}

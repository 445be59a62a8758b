package sequence

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// A bitmap is what stands before the pixels of a BMP file, in all versions of its header: those of OS/2, and those of
// Windows from 3 on (BITMAPCOREHEADER to BITMAPV5HEADER in Microsoft's documentation of GDI).
type bitmap struct {
	width, height int
	topDown       bool
	depth         int // bits of a pixel
	packing       uint32
	start         int // of the pixels
	palette       [][3]uint8
	masks         [4]uint32 // of red, green, blue and opacity in pixels of 16 and 32 bits
}

// Values of the field compression.
const (
	bmpPlain      = 0
	bmpRLE8       = 1
	bmpRLE4       = 2
	bmpMasks      = 3
	bmpAlphaMasks = 6
)

// readBMP reads the header of a BMP. Pictures of up to 8 bits give their indices.
func readBMP(ctx context.Context, f store.File) (shape, error) {
	head := make([]byte, min(2048, f.Size()))
	if err := f.ReadAt(ctx, head, 0); err != nil {
		return shape{}, err
	}
	b, err := parseBMP(head)
	if err != nil {
		return shape{}, err
	}
	s := shape{width: b.width, height: b.height, samples: 3, rgb: true, dtype: lazy.U8, codec: "bmp", lut: b.palette}
	switch {
	case b.depth <= 8:
		s.samples, s.rgb = 1, false
	case b.masks[3] != 0:
		s.samples = 4
	}
	s.decode = func(_ context.Context, raw []byte, dst *lazy.Block) error {
		if err := b.decode(lazy.View[uint8](dst), raw); err != nil {
			return fmt.Errorf("bmp: %w: %w", err, loaders.ErrDamaged)
		}
		return nil
	}
	return s, nil
}

// parseBMP reads the file's header, BM  length (4)  0 (4)  start (4), and the picture's:
//
//	14  4  its length; 12 for OS/2, which has two bytes for each number, and three for each colour
//	18  4  width      22  4  height, negative for rows from the top      26  2  1      28  2  bits of a pixel
//	30  4  packing    34  12 ...      46  4  colours    50  4 ...         54  4 masks of 4
func parseBMP(head []byte) (*bitmap, error) {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("bmp: %s: %w", fmt.Sprintf(format, args...), loaders.ErrUnsupported)
	}
	if len(head) < 26 {
		return nil, fmt.Errorf("bmp: a header of %d bytes: %w", len(head), loaders.ErrDamaged)
	}
	two := func(at int) int { return int(binary.LittleEndian.Uint16(head[at:])) }
	four := func(at int) uint32 { return binary.LittleEndian.Uint32(head[at:]) }
	length, entry, colours := int(four(14)), 4, 0
	b := &bitmap{start: int(four(10))}
	switch {
	case length == 12:
		b.width, b.height, b.depth, entry = two(18), two(20), two(24), 3
	case length < 40 || length > 124 || len(head) < 14+length:
		return nil, refuse("a header of %d bytes", length)
	default:
		b.width, b.height, b.depth = int(int32(four(18))), int(int32(four(22))), two(28)
		b.packing, colours = four(30), int(min(four(46), 256))
		if b.height < 0 {
			b.height, b.topDown = -b.height, true
		}
	}
	at := 14 + length // of the palette
	switch b.depth {
	case 1, 2, 4, 8, 24:
	case 16:
		b.masks = [4]uint32{0x7C00, 0x3E0, 0x1F}
	case 32:
		b.masks = [4]uint32{0xFF0000, 0xFF00, 0xFF}
	default:
		return nil, refuse("%d bits a pixel", b.depth)
	}
	switch masked := b.packing == bmpMasks || b.packing == bmpAlphaMasks; {
	case b.packing == bmpPlain, b.packing == bmpRLE8 && b.depth == 8 && !b.topDown, b.packing == bmpRLE4 && b.depth == 4 && !b.topDown:
	case masked && (b.depth == 16 || b.depth == 32) && len(head) >= 70:
		n := 3
		if length >= 56 || b.packing == bmpAlphaMasks {
			n = 4
		}
		for i := range n {
			b.masks[i] = four(54 + 4*i)
		}
	default:
		return nil, refuse("pixels of %d bits in packing %d", b.depth, b.packing)
	}
	if b.depth <= 8 {
		if colours == 0 || colours > 1<<b.depth {
			colours = 1 << b.depth
		}
		for i := 0; i < colours && at+entry <= min(len(head), b.start); i, at = i+1, at+entry {
			b.palette = append(b.palette, [3]uint8{head[at+2], head[at+1], head[at]})
		}
	}
	return b, nil
}

// decode fills one plane for each sample.
func (b *bitmap) decode(out, raw []byte) error {
	if b.start < 26 || b.start > len(raw) {
		return fmt.Errorf("pixels from byte %d of %d on", b.start, len(raw))
	}
	data := raw[b.start:]
	if b.packing == bmpRLE8 || b.packing == bmpRLE4 {
		return b.unpack(out, data)
	}
	stride := (b.width*b.depth + 31) / 32 * 4
	plane := b.width * b.height
	for y := range b.height {
		from := y
		if !b.topDown {
			from = b.height - 1 - y
		}
		if (from+1)*stride > len(data) {
			return fmt.Errorf("%d bytes of pixels instead of %d", len(data), b.height*stride)
		}
		row, to := data[from*stride:][:stride], out[y*b.width:]
		switch {
		case b.depth <= 8:
			for x := range b.width {
				bit := x * b.depth
				to[x] = row[bit/8] >> (8 - b.depth - bit%8) & (1<<b.depth - 1)
			}
		case b.depth == 24:
			for x := range b.width {
				to[x], to[x+plane], to[x+2*plane] = row[3*x+2], row[3*x+1], row[3*x]
			}
		default:
			for s := range len(out) / plane {
				b.masked(to[s*plane:], row, b.masks[s])
			}
		}
	}
	return nil
}

// masked takes one sample of each pixel of a row, and makes 8 bits of it.
func (b *bitmap) masked(to, row []byte, mask uint32) {
	if mask == 0 {
		return
	}
	low, bytes := bits.TrailingZeros32(mask), b.depth/8
	most := uint64(mask >> low)
	for x := range b.width {
		v := uint32(binary.LittleEndian.Uint16(row[bytes*x:]))
		if bytes == 4 {
			v = binary.LittleEndian.Uint32(row[4*x:])
		}
		to[x] = byte(uint64(v&mask>>low) * 255 / most)
	}
}

// unpack decodes runs from the lowest row up: a number and an index (of two pixels, for 4 bits); or 0 and 0 for
// the end of a row, 1 for that of the picture, 2 for a leap to the right and up, n for n indices as they are, filled up
// to an even number of bytes. What is leapt over is index 0.
func (b *bitmap) unpack(out, src []byte) error {
	clear(out)
	x, y := 0, b.height-1
	put := func(v byte) {
		if x < b.width && y >= 0 {
			out[y*b.width+x] = v
		}
		x++
	}
	nibble := func(v byte, i int) byte {
		if b.packing == bmpRLE8 {
			return v
		}
		return v >> (4 - 4*(i&1)) & 15
	}
	for len(src) >= 2 && y >= 0 {
		n, v := int(src[0]), src[1]
		src = src[2:]
		switch {
		case n > 0:
			for i := range n {
				put(nibble(v, i))
			}
		case v == 0:
			x, y = 0, y-1
		case v == 1:
			return nil
		case v == 2:
			if len(src) < 2 {
				return fmt.Errorf("a leap that is cut")
			}
			x, y, src = x+int(src[0]), y-int(src[1]), src[2:]
		default:
			size := int(v)
			if b.packing == bmpRLE4 {
				size = (size + 1) / 2
			}
			if size > len(src) {
				return fmt.Errorf("%d pixels that are cut", v)
			}
			for i := range int(v) {
				if b.packing == bmpRLE8 {
					put(src[i])
				} else {
					put(nibble(src[i/2], i))
				}
			}
			src = src[min(len(src), size+size&1):]
		}
	}
	if y > 0 {
		return fmt.Errorf("ends %d rows before the top", y+1)
	}
	return nil
}

package sequence

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/store"
)

// pngMagic begins every PNG (ISO/IEC 15948, section 5.2).
const pngMagic = "\x89PNG\r\n\x1a\n"

// A pngFile is the header of a PNG. Its samples are given as they are stored: packed ones unpacked,
// palette indices as indices.
type pngFile struct {
	width, height int
	depth         int // bits of a sample
	samples       int
	interlaced    bool
	lut           [][3]uint8
}

// readPNG reads the chunks before the pixels:
//
//	magic (8)  { length (4)  kind (4)  data  checksum (4) } ...
//	IHDR: width (4)  height (4)  depth (1)  colour (1)  0 (1)  0 (1)  interlace (1)
func readPNG(ctx context.Context, f store.File) (shape, error) {
	head := make([]byte, 33)
	if err := f.ReadAt(ctx, head, 0); err != nil {
		return shape{}, err
	}
	be := binary.BigEndian
	if string(head[12:16]) != "IHDR" || be.Uint32(head[8:]) != 13 {
		return shape{}, fmt.Errorf("PNG without a header: %w", loaders.ErrDamaged)
	}
	p := pngFile{width: int(be.Uint32(head[16:])), height: int(be.Uint32(head[20:])), depth: int(head[24]), interlaced: head[28] == 1}
	colour := head[25]
	p.samples = map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
	valid := map[byte]string{0: "1 2 4 8 16", 2: "8 16", 3: "1 2 4 8", 4: "8 16", 6: "8 16"}[colour]
	if p.samples == 0 || !holds(valid, p.depth) || head[26] != 0 || head[27] != 0 || head[28] > 1 {
		return shape{}, fmt.Errorf("PNG of colour type %d with %d bits, interlace %d: %w", colour, p.depth, head[28], loaders.ErrDamaged)
	}
	if colour == 3 {
		lut, err := readPalette(ctx, f)
		if err != nil {
			return shape{}, err
		}
		p.lut = lut
	}
	s := shape{width: p.width, height: p.height, samples: p.samples, dtype: lazy.U8, rgb: p.samples >= 3, lut: p.lut, codec: "png", decode: p.decode}
	if p.depth == 16 {
		s.dtype = lazy.U16
	}
	return s, nil
}

func holds(list string, n int) bool {
	for _, word := range bytes.Fields([]byte(list)) {
		if string(word) == fmt.Sprint(n) {
			return true
		}
	}
	return false
}

// maxBefore is how many chunks may stand before the palette.
const maxBefore = 1000

func readPalette(ctx context.Context, f store.File) ([][3]uint8, error) {
	at := int64(33)
	for range maxBefore {
		head := make([]byte, 8)
		if err := f.ReadAt(ctx, head, at); err != nil {
			return nil, err
		}
		n := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "PLTE":
			if n > 768 || n%3 != 0 {
				return nil, fmt.Errorf("PNG palette of %d bytes: %w", n, loaders.ErrDamaged)
			}
			raw := make([]byte, n)
			if err := f.ReadAt(ctx, raw, at+8); err != nil {
				return nil, err
			}
			lut := make([][3]uint8, n/3)
			for i := range lut {
				lut[i] = [3]uint8(raw[3*i:])
			}
			return lut, nil
		case "IDAT", "IEND":
			return nil, fmt.Errorf("PNG without its palette: %w", loaders.ErrDamaged)
		}
		at += 12 + n
	}
	return nil, fmt.Errorf("PNG without its palette: %w", loaders.ErrDamaged)
}

// decode fills dst, one plane for each sample, from the whole file.
func (p pngFile) decode(ctx context.Context, raw []byte, dst *lazy.Block) error {
	z, err := zlib.NewReader(&pixelChunks{rest: raw[33:]})
	if err != nil {
		return fmt.Errorf("PNG pixels: %w: %w", loaders.ErrDamaged, err)
	}
	defer z.Close()
	if !p.interlaced {
		return p.pass(ctx, z, dst, 0, 0, 1, 1)
	}
	for _, a := range adam7 {
		if err := p.pass(ctx, z, dst, a[0], a[1], a[2], a[3]); err != nil {
			return err
		}
	}
	return nil
}

// adam7 is the first column and row, and the distances between columns and rows, of each pass of an
// interlaced picture (section 8.2).
var adam7 = [7][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

// pass decodes the rows of one pass.
func (p pngFile) pass(ctx context.Context, in io.Reader, dst *lazy.Block, x0, y0, dx, dy int) error {
	columns, rows := (p.width-x0+dx-1)/dx, (p.height-y0+dy-1)/dy
	if columns <= 0 || rows <= 0 {
		return nil
	}
	n := (columns*p.samples*p.depth + 7) / 8
	step := max(1, p.samples*p.depth/8)
	last, row := make([]byte, n+1), make([]byte, n+1) // the first byte is the filter
	for i := range rows {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(in, row); err != nil {
			return fmt.Errorf("PNG ends in row %d of %d: %w: %w", y0+i*dy, p.height, loaders.ErrDamaged, err)
		}
		if err := unfilter(row[0], row[1:], last[1:], step); err != nil {
			return err
		}
		p.place(dst, row[1:], columns, y0+i*dy, x0, dx)
		last, row = row, last
	}
	return nil
}

// place spreads one row of samples over the planes of dst.
func (p pngFile) place(dst *lazy.Block, row []byte, columns, y, x0, dx int) {
	plane := p.width * p.height
	for s := range p.samples {
		at := s*plane + y*p.width + x0
		switch {
		case p.depth == 16:
			out := lazy.View[uint16](dst)[at:]
			for i := range columns {
				out[i*dx] = binary.BigEndian.Uint16(row[2*(i*p.samples+s):])
			}
		case p.depth == 8 && p.samples == 1 && dx == 1:
			copy(lazy.View[uint8](dst)[at:], row[:columns])
		case p.depth == 8:
			out := lazy.View[uint8](dst)[at:]
			for i := range columns {
				out[i*dx] = row[i*p.samples+s]
			}
		default:
			out := lazy.View[uint8](dst)[at:]
			for i := range columns {
				bit := i * p.depth
				out[i*dx] = row[bit/8] >> (8 - p.depth - bit%8) & (1<<p.depth - 1)
			}
		}
	}
}

// pixelChunks reads the data of the IDAT chunks as one stream.
type pixelChunks struct {
	rest []byte // of the file
	data []byte // of the present chunk
}

func (c *pixelChunks) Read(p []byte) (int, error) {
	for len(c.data) == 0 {
		if len(c.rest) < 12 {
			return 0, io.ErrUnexpectedEOF
		}
		n, kind := int(binary.BigEndian.Uint32(c.rest)), string(c.rest[4:8])
		if kind == "IEND" {
			return 0, io.EOF
		}
		body := c.rest[8:]
		whole := n <= len(body)
		n = min(n, len(body))
		if kind == "IDAT" {
			c.data = body[:n] // of a cut file, what is left: the rows say where it ends
		}
		if !whole || n+4 > len(body) {
			c.rest = nil
		} else {
			c.rest = body[n+4:]
		}
	}
	n := copy(p, c.data)
	c.data = c.data[n:]
	return n, nil
}

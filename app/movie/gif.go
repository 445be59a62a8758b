package movie

import (
	"bufio"
	"compress/lzw"
	"image"
	"io"
)

// A gifWriter writes an animated GIF (GIF89a, with the loop of Netscape's extension). Each frame has the 256 colours
// that suit it best.
type gifWriter struct {
	out   *bufio.Writer
	size  image.Point
	delay int // hundredths of a second; browsers show what is below 2 more slowly
	begun bool
}

func newGIF(out io.Writer, size image.Point, perSecond float64) *gifWriter {
	return &gifWriter{out: bufio.NewWriter(out), size: size, delay: delay(perSecond, 100)}
}

func (g *gifWriter) short(n int) { g.out.Write([]byte{byte(n), byte(n >> 8)}) }

// Add writes a frame.
func (g *gifWriter) Add(frame *image.RGBA) error {
	if err := fits(frame, g.size); err != nil {
		return err
	}
	if !g.begun {
		g.begun = true
		g.out.WriteString("GIF89a")
		g.short(g.size.X)
		g.short(g.size.Y)
		g.out.Write([]byte{0x70, 0, 0}) // 8 bits a part, no colours in common
		g.out.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
	}
	colors, pixels := quantized(frame)
	g.out.Write([]byte{0x21, 0xf9, 4, 0})
	g.short(g.delay)
	g.out.Write([]byte{0, 0, 0x2c, 0, 0, 0, 0})
	g.short(g.size.X)
	g.short(g.size.Y)
	g.out.WriteByte(0x87) // 256 colours of its own
	var table [768]byte
	for i, c := range colors {
		copy(table[3*i:], c[:])
	}
	g.out.Write(table[:])
	g.out.WriteByte(8)
	blocks := &blocks{out: g.out}
	l := lzw.NewWriter(blocks, lzw.LSB, 8)
	if _, err := l.Write(pixels); err != nil {
		return err
	}
	if err := l.Close(); err != nil {
		return err
	}
	return blocks.end()
}

// Close ends the movie.
func (g *gifWriter) Close() error {
	g.out.WriteByte(0x3b)
	return g.out.Flush()
}

// blocks cuts a stream into the blocks of at most 255 bytes of a GIF.
type blocks struct {
	out *bufio.Writer
	buf [255]byte
	n   int
}

func (b *blocks) Write(p []byte) (int, error) {
	for _, v := range p {
		b.buf[b.n] = v
		if b.n++; b.n == len(b.buf) {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

func (b *blocks) flush() error {
	b.out.WriteByte(byte(b.n))
	_, err := b.out.Write(b.buf[:b.n])
	b.n = 0
	return err
}

func (b *blocks) end() error {
	if b.n > 0 {
		if err := b.flush(); err != nil {
			return err
		}
	}
	return b.out.WriteByte(0)
}

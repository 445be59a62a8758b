package sequence

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"

	"lamella/lazy"
	"lamella/loaders"
)

// CreatePNG begins a PNG at path that holds the values of one plane as they are: of one channel in grey, or of a colour
// picture, in 8 or 16 bits. Other types and numbers of channels, of which a PNG holds none, are refused. It is written
// row by row.
func CreatePNG(path string, d loaders.Description) (loaders.Writer, error) {
	s := d.Meta.Shape
	c := s[lazy.C]
	switch {
	case d.Meta.DType != lazy.U8 && d.Meta.DType != lazy.U16:
		return nil, fmt.Errorf("png: writing %s: a PNG holds uint8 or uint16, not %v: %w; write .tif or .npy, or choose a type by dtype= of a filter", path, d.Meta.DType, loaders.ErrUnsupported)
	case s[lazy.T] != 1 || s[lazy.Z] != 1:
		return nil, fmt.Errorf("png: writing %s: a PNG holds one plane, not %d: %w; choose one, or write .tif", path, s[lazy.T]*s[lazy.Z], loaders.ErrUnsupported)
	case c != 1 && !(d.RGB && (c == 3 || c == 4)):
		return nil, fmt.Errorf("png: writing %s: a PNG holds one channel or a colour picture, not %d channels: %w; choose one by --c, or write .tif", path, c, loaders.ErrUnsupported)
	case s.Whole().Empty() || s[lazy.Y] > 1<<31-1 || s[lazy.X] > 1<<31-1:
		return nil, fmt.Errorf("png: writing %s: %d x %d pixels: %w", path, s[lazy.X], s[lazy.Y], loaders.ErrUnsupported)
	}
	draft, err := loaders.Create(path, d.Overwrite)
	if err != nil {
		return nil, err
	}
	w := &pngWriter{path: path, draft: draft, meta: d.Meta, out: bufio.NewWriterSize(draft, 64<<10)}
	bits := byte(8 * d.Meta.DType.Size())
	colour := map[int]byte{1: 0, 3: 2, 4: 6}[c]
	io.WriteString(w.out, pngMagic)
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(s[lazy.X])), uint32(s[lazy.Y]))
	w.chunk("IHDR", append(header, bits, colour, 0, 0, 0))
	if note := noteOf(d.Recipe); note != nil {
		w.chunk("iTXt", note)
	}
	w.idat = bufio.NewWriterSize(pixelWriter{w}, 64<<10)
	w.pack, _ = zlib.NewWriterLevel(w.idat, zlib.BestSpeed) // which is known
	w.row = make([]byte, 1+s[lazy.X]*c*d.Meta.DType.Size())
	return w, nil
}

// pngWriter takes rows with all their samples. Errors of the file stay in its buffer, which gives them at the end.
type pngWriter struct {
	path  string
	draft *loaders.Draft
	meta  lazy.Meta
	out   *bufio.Writer
	idat  *bufio.Writer // of what IDAT chunks hold
	pack  *zlib.Writer
	row   []byte // the filter and the samples
	done  int    // rows
}

// Grid is rows, about a megabyte of them.
func (w *pngWriter) Grid() lazy.Shape {
	s := w.meta.Shape
	return lazy.Shape{1, 1, s[lazy.C], min(s[lazy.Y], max(1, 1<<20/len(w.row))), s[lazy.X]}
}

// Write appends rows; others than the next are refused.
func (w *pngWriter) Write(ctx context.Context, b *lazy.Block) error {
	want := w.meta.Shape.Whole().With(lazy.Y, w.done, min(w.meta.Shape[lazy.Y], w.done+w.Grid()[lazy.Y]))
	if b.DType != w.meta.DType || b.Region != want {
		return fmt.Errorf("png: writing %s: got %v of %v, expected %v of %v", w.path, b.DType, b.Region, w.meta.DType, want)
	}
	size, samples := b.DType.Size(), w.meta.Shape[lazy.C]
	step := size * samples
	for y := b.Region.Min[lazy.Y]; y < b.Region.Max[lazy.Y]; y++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for s := range samples {
			w.place(b, lazy.Index{0, 0, s, y, 0}, w.row[1+s*size:], step)
		}
		w.row[0] = 1 // each byte is stored as its difference to the pixel on the left
		for i := len(w.row) - 1; i > step; i-- {
			w.row[i] -= w.row[i-step]
		}
		if _, err := w.pack.Write(w.row); err != nil {
			return fmt.Errorf("png: writing %s: %w", w.path, err)
		}
	}
	w.done = b.Region.Max[lazy.Y]
	return nil
}

// place puts the samples of a row at every step bytes, high byte first.
func (w *pngWriter) place(b *lazy.Block, at lazy.Index, to []byte, step int) {
	from, n := b.Offset(at), w.meta.Shape[lazy.X]
	if b.DType == lazy.U8 {
		for i, v := range lazy.View[uint8](b)[from : from+n] {
			to[i*step] = v
		}
		return
	}
	for i, v := range lazy.View[uint16](b)[from : from+n] {
		binary.BigEndian.PutUint16(to[i*step:], v)
	}
}

// Close writes the end and gives the file its name.
func (w *pngWriter) Close() error {
	err := w.pack.Close()
	if err == nil {
		err = w.idat.Flush()
	}
	w.chunk("IEND", nil)
	if err == nil {
		err = w.out.Flush()
	}
	if err == nil && w.done != w.meta.Shape[lazy.Y] {
		err = fmt.Errorf("%d of %d rows were written", w.done, w.meta.Shape[lazy.Y])
	}
	if err != nil {
		w.draft.Abort()
		return fmt.Errorf("png: writing %s: %w", w.path, err)
	}
	return w.draft.Commit()
}

// Abort leaves nothing.
func (w *pngWriter) Abort() { w.draft.Abort() }

func (w *pngWriter) chunk(kind string, data []byte) error {
	_, err := w.out.Write(pngChunk(kind, data))
	return err
}

// pixelWriter makes an IDAT chunk of each piece of the stream of pixels.
type pixelWriter struct{ *pngWriter }

func (w pixelWriter) Write(p []byte) (int, error) { return len(p), w.chunk("IDAT", p) }

// pngChunk is the bytes of a chunk (ISO/IEC 15948, section 5.3).
func pngChunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

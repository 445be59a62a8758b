package movie

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// An apngWriter writes an animated PNG (PNG, third edition, W3C 2025): a picture that programs which know nothing of
// movies show the first frame of.
type apngWriter struct {
	out      io.WriteSeeker
	size     image.Point
	delay    int // thousandths of a second
	frames   int
	sequence uint32
	control  int64 // where the number of frames stands
	buf      bytes.Buffer
}

func newAPNG(out io.WriteSeeker, size image.Point, perSecond float64) *apngWriter {
	return &apngWriter{out: out, size: size, delay: delay(perSecond, 1000)}
}

// chunk writes a chunk of a PNG.
func (a *apngWriter) chunk(kind string, data []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	head = append(head, kind...)
	sum := crc32.NewIEEE()
	sum.Write(head[4:])
	sum.Write(data)
	for _, part := range [][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum.Sum32())} {
		if _, err := a.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// animation is the chunk that says how many frames there are; they repeat for ever.
func (a *apngWriter) animation() []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(a.frames)), 0)
}

// Add writes a frame: what the encoder of a single picture gives, under other names.
func (a *apngWriter) Add(frame *image.RGBA) error {
	if err := fits(frame, a.size); err != nil {
		return err
	}
	a.buf.Reset()
	if err := png.Encode(&a.buf, frame); err != nil {
		return err
	}
	p := a.buf.Bytes()
	if a.frames == 0 {
		if _, err := a.out.Write(p[:33]); err != nil { // signature and header
			return err
		}
		at, err := a.out.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		a.control = at
		if err := a.chunk("acTL", a.animation()); err != nil {
			return err
		}
	}
	control := binary.BigEndian.AppendUint32(nil, a.sequence)
	for _, v := range []uint32{uint32(a.size.X), uint32(a.size.Y), 0, 0} {
		control = binary.BigEndian.AppendUint32(control, v)
	}
	control = binary.BigEndian.AppendUint16(control, uint16(a.delay))
	control = append(binary.BigEndian.AppendUint16(control, 1000), 0, 0)
	a.sequence++
	if err := a.chunk("fcTL", control); err != nil {
		return err
	}
	for rest := p[33:]; len(rest) >= 12; {
		n := int(binary.BigEndian.Uint32(rest))
		kind, data := string(rest[4:8]), rest[8:8+n]
		if kind == "IDAT" {
			if a.frames > 0 {
				kind, data = "fdAT", append(binary.BigEndian.AppendUint32(nil, a.sequence), data...)
				a.sequence++
			}
			if err := a.chunk(kind, data); err != nil {
				return err
			}
		}
		rest = rest[12+n:]
	}
	a.frames++
	return nil
}

// Close writes the end and, at the beginning, how many frames there are.
func (a *apngWriter) Close() error {
	if a.frames == 0 {
		return errors.New("movie: there are no frames")
	}
	if err := a.chunk("IEND", nil); err != nil {
		return err
	}
	if _, err := a.out.Seek(a.control, io.SeekStart); err != nil {
		return err
	}
	return a.chunk("acTL", a.animation())
}

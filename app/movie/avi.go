package movie

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math"
)

// An aviWriter writes an AVI (Microsoft's RIFF, version 1) of JPEG pictures, which ImageJ, VLC and PowerPoint read.
type aviWriter struct {
	out    io.WriteSeeker
	size   image.Point
	rate   float64
	index  []byte // a line of 16 bytes a frame
	at     int64  // bytes written
	buf    bytes.Buffer
	frames int
	most   int // bytes of the largest frame
}

// Places in the file. The header is as long whatever the movie is.
const (
	aviHeader = 224 // up to the first frame
	aviMovi   = 220 // where the list's name stands, from which the index counts
	aviMost   = 1<<31 - 1<<20
	quality   = 92
)

func newAVI(out io.WriteSeeker, size image.Point, perSecond float64) (*aviWriter, error) {
	a := &aviWriter{out: out, size: size, rate: perSecond}
	n, err := out.Write(a.header())
	a.at = int64(n)
	return a, err
}

// Add writes a frame. A movie of more than 2 GB is refused, which is what version 1 holds.
func (a *aviWriter) Add(frame *image.RGBA) error {
	if err := fits(frame, a.size); err != nil {
		return err
	}
	a.buf.Reset()
	if err := jpeg.Encode(&a.buf, frame, &jpeg.Options{Quality: quality}); err != nil {
		return err
	}
	n := a.buf.Len()
	if a.at+int64(n)+int64(len(a.index)) > aviMost {
		return fmt.Errorf("movie: an AVI holds 2 GB, which %d frames fill; write fewer or smaller ones", a.frames)
	}
	a.index = append(a.index, "00dc"...)
	for _, v := range []uint32{0x10, uint32(a.at - aviMovi), uint32(n)} {
		a.index = binary.LittleEndian.AppendUint32(a.index, v)
	}
	if n%2 == 1 {
		a.buf.WriteByte(0)
	}
	head := binary.LittleEndian.AppendUint32([]byte("00dc"), uint32(n))
	for _, part := range [][]byte{head, a.buf.Bytes()} {
		m, err := a.out.Write(part)
		if a.at += int64(m); err != nil {
			return err
		}
	}
	a.frames, a.most = a.frames+1, max(a.most, n)
	return nil
}

// Close writes the index, and then the header with what is known by now.
func (a *aviWriter) Close() error {
	if a.frames == 0 {
		return errors.New("movie: there are no frames")
	}
	end := a.at
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32([]byte("idx1"), uint32(len(a.index))), a.index} {
		n, err := a.out.Write(part)
		if a.at += int64(n); err != nil {
			return err
		}
	}
	if _, err := a.out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	h := a.header()
	binary.LittleEndian.PutUint32(h[4:], uint32(a.at-8))
	binary.LittleEndian.PutUint32(h[aviMovi-4:], uint32(end-aviMovi))
	_, err := a.out.Write(h)
	return err
}

// header is everything before the first frame; the lengths of the whole are filled in at the end.
func (a *aviWriter) header() []byte {
	var h []byte
	text := func(s string) { h = append(h, s...) }
	long := func(v ...uint32) {
		for _, n := range v {
			h = binary.LittleEndian.AppendUint32(h, n)
		}
	}
	scale := uint32(1000)
	rate := uint32(math.Round(a.rate * 1000))
	w, ht, n, most := uint32(a.size.X), uint32(a.size.Y), uint32(a.frames), uint32(a.most)
	text("RIFF")
	long(0)
	text("AVI LIST")
	long(192) // of the header list
	text("hdrlavih")
	long(56, uint32(math.Round(1e6/a.rate)), uint32(float64(most)*a.rate), 0, 0x10, n, 0, 1, most, w, ht, 0, 0, 0, 0)
	text("LIST")
	long(116) // of the stream's list
	text("strlstrh")
	long(56)
	text("vidsMJPG")
	long(0, 0, 0, scale, rate, 0, n, most, math.MaxUint32, 0)
	h = binary.LittleEndian.AppendUint16(h, 0)
	h = binary.LittleEndian.AppendUint16(h, 0)
	h = binary.LittleEndian.AppendUint16(h, uint16(w))
	h = binary.LittleEndian.AppendUint16(h, uint16(ht))
	text("strf")
	long(40, 40, w, ht)
	h = binary.LittleEndian.AppendUint16(h, 1)
	h = binary.LittleEndian.AppendUint16(h, 24)
	text("MJPG")
	long(3*w*ht, 0, 0, 0, 0)
	text("LIST")
	long(4)
	text("movi")
	return h
}

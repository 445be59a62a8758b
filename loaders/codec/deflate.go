package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// Zlib decodes one zlib stream (RFC 1950), its checksum included.
func Zlib(dst, src []byte) (int, error) {
	if n, ok := zlibAtOnce(dst, src); ok {
		return n, nil
	}
	r, _ := zlibs.Get().(io.ReadCloser)
	var err error
	if r == nil {
		r, err = zlib.NewReader(bytes.NewReader(src))
	} else {
		err = r.(zlib.Resetter).Reset(bytes.NewReader(src), nil)
	}
	if err != nil {
		return 0, fmt.Errorf("codec: zlib: %w", ended(err))
	}
	n, err := fill(dst, r)
	zlibs.Put(r)
	if err != nil {
		err = fmt.Errorf("codec: zlib: after %d bytes: %w", n, err)
	}
	return n, err
}

// Gzip decodes the members of a gzip file (RFC 1952), checksums included.
func Gzip(dst, src []byte) (int, error) {
	if n, ok := gzipAtOnce(dst, src); ok {
		return n, nil
	}
	r, _ := gzips.Get().(*gzip.Reader)
	var err error
	if r == nil {
		r, err = gzip.NewReader(bytes.NewReader(src))
	} else {
		err = r.Reset(bytes.NewReader(src))
	}
	if err != nil {
		return 0, fmt.Errorf("codec: gzip: %w", ended(err))
	}
	n, err := fill(dst, r)
	gzips.Put(r)
	if err != nil {
		err = fmt.Errorf("codec: gzip: after %d bytes: %w", n, err)
	}
	return n, err
}

// Readers are recycled, since each holds a window of 32 KiB, or tables.
var (
	zlibs, gzips sync.Pool
	inflaters    = sync.Pool{New: func() any { return new(inflater) }}
)

// zlibAtOnce decodes a whole stream of no more bytes than dst has, and nothing else.
//
//	0  1  method 8, window      1  1  flags; the two are a multiple of 31      2  Deflate      4 Adler-32
func zlibAtOnce(dst, src []byte) (int, bool) {
	if len(src) < 6 || src[0]&15 != 8 || src[0]>>4 > 7 || src[1]&32 != 0 || binary.BigEndian.Uint16(src)%31 != 0 {
		return 0, false
	}
	n, read, ok := inflateAll(dst, src[2:])
	if !ok || len(src)-2-read < 4 || binary.BigEndian.Uint32(src[2+read:]) != adler32.Checksum(dst[:n]) {
		return 0, false
	}
	return n, true
}

// gzipAtOnce decodes a file of one member with a plain header.
//
//	0  2  1F 8B      2  1  method 8      3  1  flags      4  6  time, level, system      10  Deflate      4 CRC-32      4 length
func gzipAtOnce(dst, src []byte) (int, bool) {
	if len(src) < 18 || src[0] != 0x1F || src[1] != 0x8B || src[2] != 8 || src[3] != 0 {
		return 0, false
	}
	n, read, ok := inflateAll(dst, src[10:])
	end := src[10:][read:]
	if !ok || len(end) != 8 || binary.LittleEndian.Uint32(end) != crc32.ChecksumIEEE(dst[:n]) || binary.LittleEndian.Uint32(end[4:]) != uint32(n) {
		return 0, false
	}
	return n, true
}

func inflateAll(dst, src []byte) (written, read int, ok bool) {
	f := inflaters.Get().(*inflater)
	written, read, ok = f.inflate(dst, src)
	f.src = nil
	inflaters.Put(f)
	if ok {
		clear(dst[written:min(len(dst), written+8)]) // a match is copied by eights
	} else {
		clear(dst)
	}
	return written, read, ok
}

// fill reads dst and then on to the end, where checksums are verified: data that give all that was
// asked for, and more, may be damaged data.
func fill(dst []byte, r io.Reader) (int, error) {
	n := 0
	for n < len(dst) {
		m, err := r.Read(dst[n:])
		n += m
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, ended(err)
		}
	}
	more, err := io.CopyN(io.Discard, r, maxMore)
	switch {
	case err != nil && err != io.EOF:
		return n, ended(err)
	case more > 0:
		return n, ErrLong
	}
	return n, nil
}

// maxMore is how far behind what was asked for the end is looked for: enough for a strip that was
// filled up, too little for a bomb to take long.
const maxMore = 16 << 20

// ended calls an end in the middle by its name: libraries report it as io.EOF at some places.
func ended(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

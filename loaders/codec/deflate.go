package codec

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// Zlib decodes one zlib stream (RFC 1950), its checksum included.
func Zlib(dst, src []byte) (int, error) {
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

// Readers are recycled, since each holds a window of 32 KiB.
var zlibs, gzips sync.Pool

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

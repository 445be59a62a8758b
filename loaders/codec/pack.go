package codec

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// PackZlib appends src to dst as one zlib stream (RFC 1950), packed for speed. The same bytes give the same stream. It may be
// called from many goroutines.
func PackZlib(dst, src []byte) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w, _ := zlibPackers.Get().(*zlib.Writer)
	if w == nil {
		w, _ = zlib.NewWriterLevel(out, zlib.BestSpeed) // which is known
	} else {
		w.Reset(out)
	}
	defer zlibPackers.Put(w)
	_, err := w.Write(src)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return dst, fmt.Errorf("codec: zlib: packing: %w", err)
	}
	return out.Bytes(), nil
}

// Writers are recycled, since each holds some hundred kilobytes of tables.
var zlibPackers sync.Pool

// PackZstd appends src to dst as one Zstandard frame (RFC 8878) that states its length. The same bytes give the
// same frame. It may be called from many goroutines.
func PackZstd(dst, src []byte) ([]byte, error) {
	e, err := zstdEncoder()
	if err != nil {
		return dst, fmt.Errorf("codec: zstd: packing: %w", err)
	}
	return e.EncodeAll(src, dst), nil
}

package codec

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// zstdDecoder serves any number of callers at once. It never writes more than the capacity it is given.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
})

// Zstd decodes Zstandard frames (RFC 8878), checksums included. Of frames that hold more than dst
// takes nothing is decoded.
func Zstd(dst, src []byte) (int, error) {
	d, err := zstdDecoder()
	if err != nil {
		return 0, fmt.Errorf("codec: zstd: %w", err)
	}
	out, err := d.DecodeAll(src, dst[:0:len(dst)])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return 0, fmt.Errorf("codec: zstd: %w", ErrLong)
	case err != nil:
		return 0, fmt.Errorf("codec: zstd: %w", err)
	}
	if unsafe.SliceData(out) != unsafe.SliceData(dst) {
		copy(dst, out)
	}
	return len(out), nil
}

package codec

import (
	"fmt"
	"io"
)

// PackBits decodes Apple's byte runs (TIFF 6.0, section 9): a count n of 0 to 127 stands before n+1
// bytes, one of -127 to -1 before a byte that is repeated 1-n times, and -128 means nothing. Data
// that go on when dst is full are not looked at.
func PackBits(dst, src []byte) (int, error) {
	out := 0
	for out < len(dst) && len(src) > 0 {
		n := int(int8(src[0]))
		src = src[1:]
		switch {
		case n >= 0:
			n = min(n+1, len(dst)-out)
			if n > len(src) {
				out += copy(dst[out:], src)
				return out, fmt.Errorf("codec: packbits: after %d bytes: %w", out, io.ErrUnexpectedEOF)
			}
			out += copy(dst[out:], src[:n])
			src = src[n:]
		case n > -128:
			if len(src) == 0 {
				return out, fmt.Errorf("codec: packbits: after %d bytes: %w", out, io.ErrUnexpectedEOF)
			}
			run := dst[out : out+min(1-n, len(dst)-out)]
			for i := range run {
				run[i] = src[0]
			}
			out += len(run)
			src = src[1:]
		}
	}
	return out, nil
}

package codec

import (
	"fmt"
	"io"
)

// LZF decodes LibLZF's format as h5py stores it. A byte below 32 is followed by that many and one more
// bytes as they are. Others repeat what was written: the upper three bits and 2 are the length, or if
// all are set another byte adds to it; the lower five bits and a byte are the distance less 1.
func LZF(dst, src []byte) (int, error) {
	out, in := 0, 0
	bad := func(what error) (int, error) {
		return out, fmt.Errorf("codec: lzf: after %d bytes: %w", out, what)
	}
	for in < len(src) {
		control := int(src[in])
		in++
		if control < 32 {
			n := control + 1
			if n > len(src)-in {
				return bad(io.ErrUnexpectedEOF)
			}
			if n > len(dst)-out {
				return bad(ErrLong)
			}
			copy(dst[out:], src[in:in+n])
			out, in = out+n, in+n
			continue
		}
		n := control>>5 + 2
		if n == 9 {
			if in == len(src) {
				return bad(io.ErrUnexpectedEOF)
			}
			n += int(src[in])
			in++
		}
		if in == len(src) {
			return bad(io.ErrUnexpectedEOF)
		}
		from := out - (control&31<<8 | int(src[in])) - 1
		in++
		if from < 0 {
			return bad(ErrCorrupt)
		}
		if n > len(dst)-out {
			return bad(ErrLong)
		}
		// The two may overlap: then what was just written is repeated.
		for i := range n {
			dst[out+i] = dst[from+i]
		}
		out += n
	}
	return out, nil
}

package codec

import (
	"fmt"
	"io"
)

// Matches of BloscLZ: shorter distances are stated in 13 bits, longer ones in 16 bits beyond these.
const (
	blosclzNear = 1<<13 - 1
	blosclzMark = 31 << 8 // high bits of the distance that announce, with a low byte of 255, a long one
)

// blosclz decodes Blosc's own compressor, a relative of FastLZ. A control byte below 32 stands before
// that many bytes and one more. Any other holds the length of a match in its three high bits (7 means
// that further bytes are added, as long as they are 255) and the high bits of its distance; the low
// byte of the distance follows. The first control byte is always one of bytes.
func blosclz(dst, src []byte) (int, error) {
	in, out := 0, 0
	for in < len(src) {
		control := int(src[in])
		if in == 0 {
			control &= 31
		}
		in++
		if control < 32 {
			n := control + 1
			if in+n > len(src) || out+n > len(dst) {
				return out, fmt.Errorf("blosclz: %d bytes at %d do not fit: %w", n, in, ErrCorrupt)
			}
			copy(dst[out:out+n], src[in:])
			in, out = in+n, out+n
			continue
		}
		length := control>>5 + 2
		if control>>5 == 7 {
			for {
				if in >= len(src) {
					return out, io.ErrUnexpectedEOF
				}
				more := int(src[in])
				in++
				if length += more; more != 255 {
					break
				}
			}
		}
		if in >= len(src) {
			return out, io.ErrUnexpectedEOF
		}
		high, low := control&31<<8, int(src[in])
		in++
		distance := high + low + 1
		if high == blosclzMark && low == 255 {
			if in+2 > len(src) {
				return out, io.ErrUnexpectedEOF
			}
			distance = int(src[in])<<8 + int(src[in+1]) + blosclzNear + 1
			in += 2
		}
		if distance > out || length > len(dst)-out {
			return out, fmt.Errorf("blosclz: a match of %d bytes %d before %d does not fit: %w", length, distance, out, ErrCorrupt)
		}
		repeat(dst, out, distance, length)
		out += length
	}
	return out, nil
}

// repeat copies what stands distance before out to out; where both overlap, the copy repeats itself.
func repeat(dst []byte, out, distance, length int) {
	from := out - distance
	for length > 0 {
		n := copy(dst[out:out+min(length, out-from)], dst[from:])
		out, length = out+n, length-n
	}
}

package codec

import (
	"encoding/binary"
	"math/bits"
)

// Native turns values of size 1, 2, 4 or 8 bytes each from the given byte order into the machine's,
// in place. It panics on another size and leaves bytes after the last whole value alone.
func Native(p []byte, size int, order binary.ByteOrder) {
	if size > 1 && order.Uint16([]byte{1, 0}) != binary.NativeEndian.Uint16([]byte{1, 0}) {
		Swap(p, size)
	}
}

// Swap reverses the bytes of each value of 1, 2, 4 or 8 bytes, in place.
func Swap(p []byte, size int) {
	if size == 1 {
		return
	}
	n := len(p) / size * size
	words := view[uint64](p[:n])
	tail := p[n/8*8 : n]
	switch size {
	case 2:
		const low = 0x00ff00ff00ff00ff
		for i, w := range words {
			words[i] = w&low<<8 | w>>8&low
		}
	case 4:
		for i, w := range words {
			words[i] = bits.RotateLeft64(bits.ReverseBytes64(w), 32)
		}
	case 8:
		for i, w := range words {
			words[i] = bits.ReverseBytes64(w)
		}
	default:
		panic("codec: Swap of values that are not 1, 2, 4 or 8 bytes long")
	}
	for ; len(tail) > 0; tail = tail[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			tail[i], tail[j] = tail[j], tail[i]
		}
	}
}

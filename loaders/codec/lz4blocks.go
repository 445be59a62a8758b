package codec

import (
	"encoding/binary"
	"fmt"
	"io"
)

// LZ4Blocks decodes the framing of HDF5's LZ4 filter (registered as 32004), high bytes first: the size
// in all (8), the size of a block (4), and of each block its packed size (4) and its bytes, which are
// as they are when they did not get shorter.
func LZ4Blocks(dst, src []byte) (int, error) {
	size, block, src, err := blocksHeader(dst, src)
	if err != nil {
		return 0, fmt.Errorf("codec: lz4: %w", err)
	}
	out := 0
	for out < size {
		n := min(block, size-out)
		var packed []byte
		if packed, src, err = nextBlock(src); err != nil {
			return out, fmt.Errorf("codec: lz4: after %d bytes: %w", out, err)
		}
		if len(packed) == n {
			copy(dst[out:], packed)
		} else if got, err := lz4Block(dst[out:out+n], packed); err != nil || got != n {
			return out, fmt.Errorf("codec: lz4: a block of %d bytes gives %d: %w", n, got, ErrCorrupt)
		}
		out += n
	}
	return out, nil
}

// blocksHeader reads the sizes in front of data in blocks.
func blocksHeader(dst, src []byte) (size, block int, rest []byte, err error) {
	if len(src) < 12 {
		return 0, 0, nil, io.ErrUnexpectedEOF
	}
	all, each := binary.BigEndian.Uint64(src), binary.BigEndian.Uint32(src[8:])
	switch {
	case all > uint64(len(dst)):
		return 0, 0, nil, fmt.Errorf("states %d bytes: %w", all, ErrLong)
	case each == 0 && all > 0 || each > 1<<30:
		return 0, 0, nil, fmt.Errorf("blocks of %d bytes: %w", each, ErrCorrupt)
	}
	return int(all), int(each), src[12:], nil
}

// nextBlock splits off a block with its size in front.
func nextBlock(src []byte) (packed, rest []byte, err error) {
	if len(src) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := binary.BigEndian.Uint32(src)
	if src = src[4:]; uint64(n) > uint64(len(src)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return src[:n], src[n:], nil
}

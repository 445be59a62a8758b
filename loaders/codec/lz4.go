package codec

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/pierrec/lz4/v4"
)

// LZ4 decodes numcodecs' framing of LZ4: the size in four bytes, low byte first, and one LZ4 block.
func LZ4(dst, src []byte) (int, error) {
	if len(src) < 4 {
		return 0, fmt.Errorf("codec: lz4: %w", io.ErrUnexpectedEOF)
	}
	size := int(int32(binary.LittleEndian.Uint32(src)))
	if size > len(dst) {
		return 0, fmt.Errorf("codec: lz4: states %d bytes: %w", size, ErrLong)
	}
	if size <= 0 {
		return 0, fmt.Errorf("codec: lz4: states %d bytes: %w", size, ErrCorrupt)
	}
	n, err := lz4Block(dst[:size], src[4:])
	if err == nil && n != size {
		err = fmt.Errorf("%d bytes of the stated %d: %w", n, size, ErrCorrupt)
	}
	if err != nil {
		err = fmt.Errorf("codec: lz4: %w", err)
	}
	return n, err
}

// lz4Block decodes a bare LZ4 block, which does not state its size.
func lz4Block(dst, src []byte) (int, error) {
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return n, nil
}

package codec

import "fmt"

// Bitshuffle undoes the filter of that name (registered for HDF5 as 32008): values are taken in blocks,
// within which the bits of equal rank lie together, and the blocks may be packed one by one. The last
// values, fewer than eight, are as they are.
type Bitshuffle struct {
	TypeSize int    // bytes of one value
	Block    int    // values of a block, a multiple of 8; 0 is the filter's own choice
	Packer   string // "lz4" or "zstd"
}

// block is how many values make a block: as many as fit into 8 KiB, at least 128.
func (b Bitshuffle) block() int {
	if b.Block > 0 {
		return b.Block
	}
	return max(8192/b.TypeSize/8*8, 128)
}

// Unshuffle undoes the shuffle alone. dst and src have the same length and do not overlap.
func (b Bitshuffle) Unshuffle(dst, src []byte) error {
	block := b.block() * b.TypeSize
	tmp := make([]byte, min(block, len(src)))
	for len(src) >= 8*b.TypeSize {
		n := min(block, len(src)/(8*b.TypeSize)*(8*b.TypeSize))
		UnshuffleBits(dst[:n], src[:n], tmp[:n], b.TypeSize)
		dst, src = dst[n:], src[n:]
	}
	copy(dst, src)
	return nil
}

// Unpack decodes packed blocks. In front of them are, high bytes first, the size in all (8) and that of
// a block in bytes (4); each block has its packed size (4) in front.
func (b Bitshuffle) Unpack(dst, src []byte) (int, error) {
	size, block, src, err := blocksHeader(dst, src)
	if err != nil {
		return 0, fmt.Errorf("codec: bitshuffle: %w", err)
	}
	eight := 8 * b.TypeSize
	if block == 0 {
		block = b.block() * b.TypeSize
	}
	if block%eight != 0 {
		return 0, fmt.Errorf("codec: bitshuffle: blocks of %d bytes for values of %d: %w", block, b.TypeSize, ErrCorrupt)
	}
	decode := lz4Block
	if b.Packer == "zstd" {
		decode = Zstd
	}
	room := min(block, size)
	tmp, shuffled := make([]byte, room), make([]byte, room)
	out := 0
	for size-out >= eight {
		n := min(block, (size-out)/eight*eight)
		var packed []byte
		if packed, src, err = nextBlock(src); err != nil {
			return out, fmt.Errorf("codec: bitshuffle: after %d bytes: %w", out, err)
		}
		if got, err := decode(shuffled[:n], packed); err != nil || got != n {
			return out, fmt.Errorf("codec: bitshuffle: a block of %d bytes gives %d: %w", n, got, ErrCorrupt)
		}
		UnshuffleBits(dst[out:out+n], shuffled[:n], tmp[:n], b.TypeSize)
		out += n
	}
	if len(src) < size-out {
		return out, fmt.Errorf("codec: bitshuffle: the last %d bytes are missing: %w", size-out, ErrCorrupt)
	}
	copy(dst[out:size], src)
	return size, nil
}

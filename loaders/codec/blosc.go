package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/snappy"
)

// A BloscHeader is the first 16 bytes of a Blosc buffer (README_CHUNK_FORMAT of c-blosc, version 1).
type BloscHeader struct {
	Size     int // bytes when decoded
	Block    int // bytes in each block, the last may have fewer
	TypeSize int // bytes of one value, for the shuffle
	Codec    string
	Shuffle  string // "", "byte" or "bit"

	packed int // bytes of the whole buffer
	flags  byte
}

// Flags of a Blosc header.
const (
	bloscByteShuffle = 1 << 0
	bloscStored      = 1 << 1
	bloscBitShuffle  = 1 << 2
	bloscOneStream   = 1 << 4 // the bytes of a value's parts are not packed apart from each other

	bloscHeader = 16
)

var bloscCodecs = []string{"blosclz", "lz4", "snappy", "zlib", "zstd"}

// ParseBlosc reads the header of a buffer.
func ParseBlosc(src []byte) (BloscHeader, error) { return ParseBloscHead(src, len(src)) }

// ParseBloscHead reads the header of a buffer of size bytes that begins with src.
func ParseBloscHead(src []byte, size int) (BloscHeader, error) {
	if len(src) < bloscHeader {
		return BloscHeader{}, fmt.Errorf("codec: blosc: header: %w", io.ErrUnexpectedEOF)
	}
	if src[0] < 1 || src[0] > 2 {
		return BloscHeader{}, fmt.Errorf("codec: blosc: format version %d is not 1 or 2: %w", src[0], ErrCorrupt)
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(src[at:])) }
	h := BloscHeader{Size: u32(4), Block: u32(8), TypeSize: int(src[3]), packed: u32(12), flags: src[2]}
	if c := int(h.flags >> 5); c < len(bloscCodecs) {
		h.Codec = bloscCodecs[c]
	} else {
		return h, fmt.Errorf("codec: blosc: compressor %d is not known: %w", c, ErrCorrupt)
	}
	switch {
	case h.flags&bloscByteShuffle != 0 && h.TypeSize > 1:
		h.Shuffle = "byte"
	case h.flags&bloscBitShuffle != 0:
		h.Shuffle = "bit"
	}
	const most = 1<<31 - 1
	if h.Size > most || h.packed > most || h.packed < bloscHeader || h.TypeSize == 0 || h.Size > 0 && (h.Block == 0 || h.Block > h.Size) {
		return h, fmt.Errorf("codec: blosc: header states %d bytes in blocks of %d, packed to %d: %w", h.Size, h.Block, h.packed, ErrCorrupt)
	}
	if h.packed > size {
		return h, fmt.Errorf("codec: blosc: %d bytes of the stated %d: %w", size, h.packed, io.ErrUnexpectedEOF)
	}
	return h, nil
}

// Blosc decodes a Blosc buffer. Of a buffer that states more bytes than dst takes nothing is decoded.
func Blosc(dst, src []byte) (int, error) {
	h, err := ParseBlosc(src)
	if err != nil {
		return 0, err
	}
	if h.Size > len(dst) {
		return 0, fmt.Errorf("codec: blosc: states %d bytes: %w", h.Size, ErrLong)
	}
	return h.Size, h.decode(dst[:h.Size], src, 0)
}

// BloscRange decodes the bytes of a Blosc buffer from off on that fill dst, and only the blocks that
// hold some of them. total is what the whole buffer has to decode to; another size is an error. Of src, which is size
// bytes or ends where BloscSpan says, what is neither in the table of blocks nor in the span is not looked at.
func BloscRange(dst, src []byte, size, off, total int) error {
	h, err := ParseBloscHead(src, size)
	if err != nil {
		return err
	}
	if err := h.holds(off, len(dst), total); err != nil {
		return err
	}
	return h.decode(dst, src, off)
}

// holds says whether the buffer decodes to total bytes, and n from off on are some of them.
func (h BloscHeader) holds(off, n, total int) error {
	if h.Size != total || off < 0 || n > total-off {
		return fmt.Errorf("codec: blosc: states %d bytes, %d were expected: %w", h.Size, total, ErrCorrupt)
	}
	return nil
}

// BloscSpan is where in a Blosc buffer those blocks lie that hold the n bytes from off on of what it decodes to, which is
// total. head is the first BloscHead bytes of the buffer, of size bytes, or all of a shorter one; when it does not hold
// the table of blocks, or they cannot be read apart, the span is the whole buffer.
//
// Blocks may lie in any order (c-blosc writes each as its thread gets there), so a block ends where the next one
// begins, whichever that is.
func BloscSpan(head []byte, size, off, n, total int) (from, to int, err error) {
	h, err := ParseBloscHead(head, size)
	if err != nil {
		return 0, 0, err
	}
	if err := h.holds(off, n, total); err != nil {
		return 0, 0, err
	}
	blocks := 0
	if h.Block > 0 {
		blocks = (h.Size + h.Block - 1) / h.Block
	}
	switch {
	case h.flags&bloscStored != 0 && h.packed == bloscHeader+h.Size:
		return bloscHeader + off, bloscHeader + off + n, nil
	case n == 0 || h.flags&bloscStored != 0 || len(head) < bloscHeader+4*blocks:
		return 0, h.packed, nil
	}
	start := func(k int) int { return int(binary.LittleEndian.Uint32(head[bloscHeader+4*k:])) }
	first, last := off/h.Block, (off+n-1)/h.Block
	from, most := h.packed, 0
	for k := first; k <= last; k++ {
		from, most = min(from, start(k)), max(most, start(k))
	}
	to = h.packed
	for k := range blocks {
		if s := start(k); s > most {
			to = min(to, s)
		}
	}
	if from < bloscHeader+4*blocks || from >= to {
		return 0, 0, fmt.Errorf("codec: blosc: blocks %d to %d begin at %d to %d of %d: %w", first, last, from, most, h.packed, ErrCorrupt)
	}
	return from, to, nil
}

// BloscHead is how much of a buffer BloscSpan looks at: the header and the table of a thousand blocks.
const BloscHead = 4 << 10

// decode fills dst with the bytes from off on.
func (h BloscHeader) decode(dst, src []byte, off int) error {
	if len(dst) == 0 {
		return nil
	}
	src = src[:min(h.packed, len(src))]
	if h.flags&bloscStored != 0 {
		if h.packed != bloscHeader+h.Size {
			return fmt.Errorf("codec: blosc: %d bytes are stored in %d: %w", h.Size, h.packed, ErrCorrupt)
		}
		if len(src) < bloscHeader+off+len(dst) {
			return fmt.Errorf("codec: blosc: %d bytes of the stated %d: %w", len(src), h.packed, io.ErrUnexpectedEOF)
		}
		copy(dst, src[bloscHeader+off:])
		return nil
	}
	blocks := (h.Size + h.Block - 1) / h.Block
	if len(src) < bloscHeader+4*blocks {
		return fmt.Errorf("codec: blosc: table of %d blocks: %w", blocks, io.ErrUnexpectedEOF)
	}
	tmp := bloscScratch.Get().(*bloscBuffers)
	defer bloscScratch.Put(tmp)
	for k := off / h.Block; k*h.Block < off+len(dst); k++ {
		first, last := k*h.Block, min((k+1)*h.Block, h.Size)
		start := int(binary.LittleEndian.Uint32(src[bloscHeader+4*k:]))
		if start < bloscHeader+4*blocks || start > len(src) {
			return fmt.Errorf("codec: blosc: block %d begins at %d of %d: %w", k, start, len(src), ErrCorrupt)
		}
		n := last - first
		direct := first >= off && last <= off+len(dst)
		var to []byte
		if direct {
			to = dst[first-off : last-off]
		} else {
			to = grown(&tmp.part, n)
		}
		if err := h.block(to, src[start:], tmp); err != nil {
			return fmt.Errorf("codec: blosc: block %d: %s: %w", k, h.Codec, err)
		}
		if !direct {
			from := max(off, first)
			copy(dst[from-off:], to[from-first:])
		}
	}
	return nil
}

// bloscBuffers are what one decoding needs beside its destination: a block as it was shuffled, the
// planes of its bits, and a block of which only a part is wanted.
type bloscBuffers struct{ shuffled, planes, part []byte }

var bloscScratch = sync.Pool{New: func() any { return new(bloscBuffers) }}

// grown is the first n bytes of a buffer that is made larger when it is too short.
func grown(p *[]byte, n int) []byte {
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	return (*p)[:n]
}

// block decodes one block: its streams one after the other, then the shuffle.
func (h BloscHeader) block(dst, src []byte, tmp *bloscBuffers) error {
	to := dst
	if h.Shuffle != "" {
		to = grown(&tmp.shuffled, len(dst))
	}
	streams := 1
	if h.flags&bloscOneStream == 0 && h.TypeSize <= 16 && h.Block/h.TypeSize >= 128 && len(dst) == h.Block {
		streams = h.TypeSize
	}
	each := len(dst) / streams
	for s := range streams {
		part := to[s*each : (s+1)*each]
		if s == streams-1 {
			part = to[s*each:]
		}
		if len(src) < 4 {
			return io.ErrUnexpectedEOF
		}
		n := int(binary.LittleEndian.Uint32(src))
		if src = src[4:]; n > len(src) {
			return io.ErrUnexpectedEOF
		}
		if err := h.stream(part, src[:n]); err != nil {
			return err
		}
		src = src[n:]
	}
	switch h.Shuffle {
	case "byte":
		Unshuffle(dst, to, h.TypeSize)
	case "bit":
		UnshuffleBits(dst, to, grown(&tmp.planes, len(dst)), h.TypeSize)
	}
	return nil
}

// stream decodes one stream, which is stored as it is when it did not get shorter.
func (h BloscHeader) stream(dst, src []byte) error {
	if len(src) == len(dst) {
		copy(dst, src)
		return nil
	}
	var n int
	var err error
	switch h.Codec {
	case "blosclz":
		n, err = blosclz(dst, src)
	case "lz4":
		n, err = lz4Block(dst, src)
	case "snappy":
		n, err = snappyBlock(dst, src)
	case "zlib":
		n, err = Zlib(dst, src)
	default:
		n, err = Zstd(dst, src)
	}
	if err == nil && n != len(dst) {
		err = fmt.Errorf("%d bytes instead of %d: %w", n, len(dst), ErrCorrupt)
	}
	return err
}

func snappyBlock(dst, src []byte) (int, error) {
	n, err := snappy.DecodedLen(src)
	if err == nil && n > len(dst) {
		err = ErrLong
	}
	if err == nil {
		_, err = snappy.Decode(dst[:n], src)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return n, nil
}

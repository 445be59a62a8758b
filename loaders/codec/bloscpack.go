package codec

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// bloscBlock is how many bytes are packed at a time: few enough to stay in the processor's cache, and
// for a reader to decode a plane without the whole chunk.
const bloscBlock = 256 << 10

// A BloscPacker writes Blosc buffers that c-blosc, and so every Zarr reader, decodes. The same bytes
// give the same buffer. Its methods may be called from many goroutines.
type BloscPacker struct {
	Codec    string // "lz4" or "zstd"
	TypeSize int    // bytes of one value: their parts are shuffled apart when it is 2 or more
}

// Pack appends src, which is less than 2 GiB, to dst as one Blosc buffer.
func (p BloscPacker) Pack(dst, src []byte) ([]byte, error) {
	if len(src) >= 1<<31-bloscHeader || p.TypeSize < 1 || p.TypeSize > 255 {
		return dst, fmt.Errorf("codec: blosc: cannot pack %d bytes of values of %d", len(src), p.TypeSize)
	}
	format := byte(0)
	for i, name := range bloscCodecs {
		if name == p.Codec {
			format = byte(i)
		}
	}
	block := max(p.TypeSize, min(bloscBlock, len(src))/p.TypeSize*p.TypeSize)
	block = min(block, len(src))
	blocks := 0
	if len(src) > 0 {
		blocks = (len(src) + block - 1) / block
	}
	dst = roomy(dst, bloscHeader+8*blocks+len(src)+lz4.CompressBlockBound(block)-block)
	base := len(dst)
	flags := format<<5 | bloscOneStream
	if p.TypeSize > 1 {
		flags |= bloscByteShuffle
	}
	dst = append(dst, 2, 1, flags, byte(p.TypeSize))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(block))
	dst = binary.LittleEndian.AppendUint32(dst, 0) // the packed size, known at the end
	dst = append(dst, make([]byte, 4*blocks)...)   // where each begins
	tmp := bloscScratch.Get().(*bloscBuffers)
	defer bloscScratch.Put(tmp)
	for k := range blocks {
		raw := src[k*block : min((k+1)*block, len(src))]
		if p.TypeSize > 1 {
			shuffled := grown(&tmp.shuffled, len(raw))
			Shuffle(shuffled, raw, p.TypeSize)
			raw = shuffled
		}
		binary.LittleEndian.PutUint32(dst[base+bloscHeader+4*k:], uint32(len(dst)-base))
		var err error
		if dst, err = p.stream(dst, raw); err != nil {
			return dst[:base], fmt.Errorf("codec: blosc: %s: %w", p.Codec, err)
		}
	}
	if len(dst)-base >= bloscHeader+len(src) {
		// Packing gained nothing: the bytes are stored as they are, without blocks.
		dst = append(dst[:base+bloscHeader], src...)
		dst[base+2] |= bloscStored
	}
	binary.LittleEndian.PutUint32(dst[base+12:], uint32(len(dst)-base))
	return dst, nil
}

// roomy is p with room for n more bytes. slices.Grow would clear them, and so have the system hand out memory for what
// packing saves.
func roomy(p []byte, n int) []byte {
	if cap(p)-len(p) >= n {
		return p
	}
	return append(make([]byte, 0, len(p)+n), p...)
}

// stream appends the length of one packed block and the block, or the block itself if it did not
// get shorter.
func (p BloscPacker) stream(dst, raw []byte) ([]byte, error) {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	from := len(dst)
	switch p.Codec {
	case "lz4":
		c := lz4Packers.Get().(*lz4.Compressor)
		defer lz4Packers.Put(c)
		n, err := c.CompressBlock(raw, dst[from:from+lz4.CompressBlockBound(len(raw))])
		if err != nil {
			return dst, err
		}
		dst = dst[:from+n]
	case "zstd":
		e, err := zstdEncoder()
		if err != nil {
			return dst, err
		}
		dst = e.EncodeAll(raw, dst)
	default:
		return dst, fmt.Errorf("no packer of this name")
	}
	if n := len(dst) - from; n == 0 || n >= len(raw) {
		dst = append(dst[:from], raw...)
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-from))
	return dst, nil
}

// On noisy images the fastest level of zstd packs as tightly as the slower ones, in a third of the time.
var (
	lz4Packers  = sync.Pool{New: func() any { return new(lz4.Compressor) }}
	zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false))
	})
)

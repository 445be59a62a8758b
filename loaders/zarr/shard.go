package zarr

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"lamella/loaders"
	"lamella/loaders/codec"
	"lamella/loaders/store"
)

// A shard is one level of sharding: a chunk that is a grid of smaller chunks with an index of where
// each lies (Zarr v3, sharding codec, version 1.0). Lengths are by dimension of the array.
type shard struct {
	cells   []int // inner chunks along each dimension
	order   []int // dimensions in the order in which the index runs, slowest first
	atStart bool
	crc     bool
	endian  binary.ByteOrder
}

// maxIndex is the most bytes that an index may have: four million inner chunks.
const maxIndex = 64 << 20

// indexSize is the bytes of the index: offset and length of each inner chunk, and the checksum.
func (s shard) indexSize() int64 {
	n := int64(16)
	for _, c := range s.cells {
		n *= int64(c)
	}
	if s.crc {
		n += 4
	}
	return n
}

// A span is a range of bytes of a file.
type span struct{ at, size int64 }

// find is where in the shard, which lies at in, the inner chunk at the position cell lies. It gives
// false when that chunk is not stored.
func (s shard) find(ctx context.Context, f store.File, in span, cell []int) (span, bool, error) {
	size := s.indexSize()
	if size > in.size {
		return span{}, false, fmt.Errorf("shard of %d bytes: its index takes %d: %w", in.size, size, loaders.ErrDamaged)
	}
	start := in.at
	if !s.atStart {
		start += in.size - size
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	index := sized(buffer, int(size))
	if err := f.ReadAt(ctx, index, start); err != nil {
		return span{}, false, err
	}
	if s.crc {
		var err error
		if index, err = codec.TrailingSum(index, codec.CRC32C); err != nil {
			return span{}, false, fmt.Errorf("shard index: %w", err)
		}
	}
	entry := 0
	for _, d := range s.order {
		entry = entry*s.cells[d] + cell[d]
	}
	at, n := s.endian.Uint64(index[16*entry:]), s.endian.Uint64(index[16*entry+8:])
	if at == math.MaxUint64 && n == math.MaxUint64 {
		return span{}, false, nil
	}
	if at > uint64(in.size) || n > uint64(in.size)-at {
		return span{}, false, fmt.Errorf("shard index: %d bytes at %d of a shard of %d: %w", n, at, in.size, loaders.ErrDamaged)
	}
	return span{in.at + int64(at), int64(n)}, true, nil
}

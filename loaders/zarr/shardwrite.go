package zarr

import (
	"encoding/binary"
	"math"

	"lamella/lazy"
	"lamella/loaders/codec"
)

// shards are the files that wait for more chunks. Chunks stand in a shard in the order in which they come, and
// the index behind them (Zarr v3, sharding codec, version 1.0), so nothing is written twice; what is kept in memory
// is where each chunk lies.
type shards struct {
	open map[string]*openShard
}

type openShard struct {
	index []uint64 // offset and length of each chunk, the largest number where there is none
	size  uint64
	left  int // chunks to come
}

// put adds a chunk of a level to the shard that the key names.
func (s *shards) put(to *growing, key string, l level, r lazy.Region, chunk []byte) error {
	file := lazy.Cell(r.Min, l.shard())
	o := s.open[key]
	if o == nil {
		o = &openShard{index: make([]uint64, 2*l.cells.Voxels()), left: file.Intersect(l.Meta.Shape.Whole()).Cells(l.chunk)}
		for i := range o.index {
			o.index[i] = math.MaxUint64
		}
		if s.open == nil {
			s.open = map[string]*openShard{}
		}
		s.open[key] = o
	}
	at := 0
	for _, a := range stored {
		at = at*l.cells[a] + (r.Min[a]-file.Min[a])/l.chunk[a]
	}
	o.index[2*at], o.index[2*at+1] = o.size, uint64(len(chunk))
	o.size += uint64(len(chunk))
	if o.left--; o.left == 0 {
		delete(s.open, key)
		chunk = append(chunk, o.tail()...)
	}
	return to.add(key, chunk)
}

// tail is the index and its checksum.
func (o *openShard) tail() []byte {
	var p []byte
	for _, v := range o.index {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return binary.LittleEndian.AppendUint32(p, codec.CRC32C(p))
}

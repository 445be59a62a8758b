package zarr

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"slices"

	"lamella/lazy"
	"lamella/loaders/codec"
)

// shards are the files that wait for more chunks. Chunks stand in a shard in the order of their indices, with the
// index behind them (Zarr v3, sharding codec, version 1.0), so that its bytes are the same whatever the order in which
// they come. They wait in a draft; what is kept in memory is where each of them lies.
type shards struct {
	open map[string]*openShard
}

type openShard struct {
	draft string
	index []uint64 // offset and length of each chunk, the largest number where there is none
	size  uint64
	sum   uint32
	last  int // the chunk that came last
	mixed bool
	left  int // chunks to come
}

// put adds a chunk of a level to the shard that the key names, and says whether that has its name now.
func (s *shards) put(ctx context.Context, to site, key string, l level, r lazy.Region, chunk []byte) (whole bool, err error) {
	file := lazy.Cell(r.Min, l.shard())
	o := s.open[key]
	if o == nil {
		o = &openShard{index: make([]uint64, 2*l.cells.Voxels()), last: -1, left: file.Intersect(l.Meta.Shape.Whole()).Cells(l.chunk)}
		for i := range o.index {
			o.index[i] = math.MaxUint64
		}
		f, err := to.draft()
		if err != nil {
			return false, err
		}
		o.draft = f.Name()
		if err := f.Close(); err != nil {
			return false, err
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
	o.mixed = o.mixed || at < o.last
	o.last = at
	o.left--
	if err := o.add(to, chunk); err != nil || o.left > 0 {
		return false, err
	}
	delete(s.open, key)
	if o.mixed {
		if o, err = o.sorted(to); err != nil {
			return false, err
		}
	}
	if err := o.add(to, o.tail()); err != nil {
		return false, err
	}
	return true, to.seal(ctx, o.draft, key, note{o.sum, int64(o.size)})
}

// add writes more of the draft.
func (o *openShard) add(to site, p []byte) error {
	if err := to.mine(); err != nil {
		return err
	}
	f, err := os.OpenFile(o.draft, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	if e := f.Close(); err == nil {
		err = e
	}
	o.size += uint64(len(p))
	o.sum = crc32.Update(o.sum, castagnoli, p)
	return err
}

// sorted is the shard with its chunks in order.
func (o *openShard) sorted(to site) (*openShard, error) {
	from, err := os.Open(o.draft)
	if err != nil {
		return nil, err
	}
	defer os.Remove(o.draft)
	defer from.Close()
	f, err := to.draft()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := &openShard{draft: f.Name(), index: slices.Clone(o.index)}
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	for i := 0; i < len(o.index); i += 2 {
		if o.index[i] == math.MaxUint64 {
			continue
		}
		chunk := sized(p, int(o.index[i+1]))
		if _, err := from.ReadAt(chunk, int64(o.index[i])); err != nil {
			return nil, err
		}
		if _, err := f.Write(chunk); err != nil {
			return nil, err
		}
		out.index[i] = out.size
		out.size += uint64(len(chunk))
		out.sum = crc32.Update(out.sum, castagnoli, chunk)
	}
	return out, nil
}

// tail is the index and its checksum.
func (o *openShard) tail() []byte {
	var p []byte
	for _, v := range o.index {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return binary.LittleEndian.AppendUint32(p, codec.CRC32C(p))
}

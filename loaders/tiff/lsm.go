package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"lamella/lazy"
	"lamella/loaders/store"
)

// lsm reads a Zeiss LSM file: planes of T and Z as pages, channels as their samples, between them
// thumbnails that are marked as reduced. Tag 34412 holds, always with the low byte first,
//
//	0 magic (4)  8 X  12 Y  16 Z  20 channels  24 T (4 each)
//	40 voxel size x, y, z in metres (8 each)  108 offset of the channel colours (4)
//	112 time interval in seconds (8)
//
// The thumbnails are the second series, as tifffile counts. It gives nil if the tag makes no sense.
func (t *file) lsm(ctx context.Context, r *reader, e entry) ([]*series, error) {
	raw, err := r.bytes(ctx, e, 512)
	if err != nil || len(raw) < 120 || binary.LittleEndian.Uint16(raw) != 0x494C {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.warnings = append(t.warnings, "the LSM information is damaged; the pages are shown as they come")
		return nil, nil
	}
	raw = append([]byte(nil), raw...)
	var planes, thumbs []*page
	for _, p := range t.pages {
		switch {
		case p.bad != nil:
		case p.reduced():
			thumbs = append(thumbs, p)
		case len(planes) == 0 || planes[0].layout.alike(p.layout):
			planes = append(planes, p)
		}
	}
	if len(planes) == 0 {
		return nil, nil
	}
	for _, list := range [][]*page{planes, thumbs} {
		if err := t.unwrap(ctx, list); err != nil {
			return nil, err
		}
	}
	dims := lsmDims(raw, len(planes))
	s := &series{dims: dims, levels: [][]plane{pagesOf(planes)}, separate: true}
	for i, a := range []lazy.Axis{lazy.X, lazy.Y, lazy.Z} {
		metres := math.Float64frombits(binary.LittleEndian.Uint64(raw[40+8*i:]))
		if size := length(metres * 1e6); size != 0 {
			s.meta.Scale[a], s.meta.Unit[a] = size, "um"
		}
	}
	if step := length(math.Float64frombits(binary.LittleEndian.Uint64(raw[112:]))); step != 0 {
		s.meta.Scale[lazy.T], s.meta.Unit[lazy.T] = step, "s"
	}
	at := int64(binary.LittleEndian.Uint32(raw[108:]))
	s.channels = lsmChannels(ctx, t.File, at, planes[0].layout.samples)
	found := []*series{s}
	if len(thumbs) > 0 {
		kept := thumbs[:0]
		for _, p := range thumbs {
			if p.layout.alike(thumbs[0].layout) {
				kept = append(kept, p)
			}
		}
		found = append(found, &series{name: "thumbnails", dims: lsmDims(raw, len(kept)), levels: [][]plane{pagesOf(kept)}})
	}
	return found, nil
}

// lsmDims is the axes of n planes: time, z, and before them positions or tiles if there are any.
func lsmDims(raw []byte, n int) []dim {
	z, t := int(binary.LittleEndian.Uint32(raw[16:])), int(binary.LittleEndian.Uint32(raw[24:]))
	if z < 1 || t < 1 || z > n || t > n || n%(z*t) != 0 {
		return []dim{{n: n}}
	}
	return []dim{{n: n / (z * t)}, {'t', t}, {'z', z}}
}

// unwrap mends two habits of LSM files: offsets are cut to 32 bits beyond 4 GB, and the lengths of
// compressed strips are those of the decoded ones.
func (t *file) unwrap(ctx context.Context, pages []*page) error {
	for _, p := range pages {
		if p.layout.compression != rawData {
			p.counts = entry{}
			p.index.Store(nil)
		}
	}
	if t.Size() < 1<<32 {
		return nil
	}
	last, wrap := uint64(0), uint64(0)
	for _, p := range pages {
		p.index.Store(nil)
		x, err := t.index(ctx, p)
		if err != nil {
			return err
		}
		for i, off := range x.offsets {
			if off < last {
				wrap += 1 << 32
			}
			last = off
			x.offsets[i] = off + wrap
		}
		p.offsets.inline = false // the index counts from now on
	}
	return nil
}

// lsmChannels reads the names and colours of the channels:
//
//	0 size of the block  4 number of colours  8 of names  12 offset of colours  16 of names (4 each)
//
// colours are red, green, blue and 0; a name is its length (4) and the letters with a zero.
func lsmChannels(ctx context.Context, f store.File, at int64, n int) []lazy.Channel {
	channels := make([]lazy.Channel, n)
	head := make([]byte, 24)
	if at <= 0 || f.ReadAt(ctx, head, at) != nil {
		return channels
	}
	field := func(i int) uint32 { return binary.LittleEndian.Uint32(head[4*i:]) }
	size := field(0)
	if size < 24 || size > 1<<16 || int64(size) > f.Size()-at {
		return channels
	}
	block := make([]byte, size)
	if f.ReadAt(ctx, block, at) != nil {
		return channels
	}
	if from := field(3); from < size {
		for i, b := 0, block[from:]; i < min(n, int(field(1))) && len(b) >= 4; i, b = i+1, b[4:] {
			channels[i].Color = fmt.Sprintf("#%02x%02x%02x", b[0], b[1], b[2])
		}
	}
	if from := field(4); from < size {
		for i, b := 0, block[from:]; i < min(n, int(field(2))) && len(b) > 4; i++ {
			k := binary.LittleEndian.Uint32(b)
			if k == 0 || k > uint32(len(b)-4) {
				break
			}
			channels[i].Name = readable(string(trimZeros(b[4 : 4+k])))
			b = b[4+k:]
		}
	}
	return channels
}

func trimZeros(b []byte) []byte {
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}

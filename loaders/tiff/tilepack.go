package tiff

import (
	"encoding/binary"
	"fmt"
	"sync"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// A tilePacker makes the bytes of tiles. It may be used from many goroutines.
type tilePacker struct {
	compression uint16
	predicts    bool // the differences of neighbours are stored (predictor 2)
	samples     int
	press       func(dst, src []byte) ([]byte, error)
}

// packerFor is the packer that a layout asks for. Integers are stored as differences, which pack better; real numbers
// are not, since not every reader knows their predictor.
func packerFor(l loaders.Layout, d lazy.DType, samples int) (tilePacker, error) {
	p := tilePacker{samples: samples, predicts: !d.Float()}
	if l.Version != "" || l.Shard != (lazy.Shape{}) {
		return p, fmt.Errorf("OME-TIFF has no versions or shards to choose: %w; .ome.zarr has them", loaders.ErrUnsupported)
	}
	switch l.Compression {
	case "", "deflate":
		p.compression, p.press = deflate, codec.PackZlib
	case "zstd":
		p.compression, p.press = zstd, codec.PackZstd
	case "none":
		p.compression, p.predicts = rawData, false
		p.press = func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }
	default:
		return p, fmt.Errorf("the compression %q in OME-TIFF: %w; deflate, zstd and none can be written", l.Compression, loaders.ErrUnsupported)
	}
	return p, nil
}

// pack makes the tile of a block whose first pixel is at y, x. A tile is always whole: beyond the picture its last
// column and row go on, which packs to little.
func (p tilePacker) pack(b *lazy.Block, y, x int, tile [2]int) ([]byte, error) {
	size := b.DType.Size()
	pixel := p.samples * size
	line := tile[1] * pixel
	buffer := tileBuffers.Get().(*[]byte)
	defer tileBuffers.Put(buffer)
	raw := room(buffer, tile[0]*line)
	width := min(tile[1], b.Region.Max[lazy.X]-x)
	rows := min(tile[0], b.Region.Max[lazy.Y]-y)
	for r := range rows {
		to := raw[r*line:][:line]
		for s := range p.samples {
			at := b.Region.Min
			at[lazy.C], at[lazy.Y], at[lazy.X] = at[lazy.C]+s, y+r, x
			from := b.Bytes()[b.Offset(at)*size:][:width*size]
			if p.samples == 1 {
				copy(to, from)
			} else {
				spread(to[s*size:], from, size, pixel)
			}
		}
		for at := width * pixel; at < line; at += pixel {
			copy(to[at:at+pixel], to[at-pixel:])
		}
	}
	for r := rows; r < tile[0]; r++ {
		copy(raw[r*line:][:line], raw[(r-1)*line:])
	}
	if p.predicts {
		difference(raw, line, p.samples, size)
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		codec.Swap(raw, size)
	}
	return p.press(nil, raw)
}

var tileBuffers = sync.Pool{New: func() any { return new([]byte) }}

// difference puts in place of each value its difference from the same sample of the pixel before (TIFF 6.0,
// section 14), row by row, in the machine's byte order.
func difference(p []byte, line, samples, size int) {
	e := binary.NativeEndian
	for ; len(p) >= line; p = p[line:] {
		row := p[:line]
		switch size {
		case 1:
			for i := len(row) - 1; i >= samples; i-- {
				row[i] -= row[i-samples]
			}
		case 2:
			for i := len(row) - 2; i >= 2*samples; i -= 2 {
				e.PutUint16(row[i:], e.Uint16(row[i:])-e.Uint16(row[i-2*samples:]))
			}
		case 4:
			for i := len(row) - 4; i >= 4*samples; i -= 4 {
				e.PutUint32(row[i:], e.Uint32(row[i:])-e.Uint32(row[i-4*samples:]))
			}
		}
	}
}

package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// A j2kTile is what the packets of one tile fill: components, resolutions, bands, precincts, blocks.
type j2kTile struct {
	x0, y0, x1, y1 int
	comps          [][]j2kResolution
	body           []byte
}

type j2kResolution struct {
	x0, y0, x1, y1 int
	px, py         uint // exponents of precincts
	across, down   int  // precincts
	bands          []j2kBand
}

type j2kBand struct {
	kind           int
	x0, y0, x1, y1 int
	planes         int     // Mb: bit planes
	step           float64 // of a coefficient, for the irreversible transform
	precincts      []j2kPrecinct
}

type j2kPrecinct struct {
	across, down int
	blocks       []j2kBlock
	in, zero     tagTree
}

type j2kBlock struct {
	x0, y0, x1, y1 int
	included       bool
	planes         int // that are all 0
	passes         int
	lengthBits     int
	data           []byte
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func ceilShift(a int, n uint) int { return int((int64(a) + int64(1)<<n - 1) >> n) }

// maxJ2KBlocks bounds what a header may claim.
const maxJ2KBlocks = 1 << 20

// tile lays out tile number n (T.800, annex B).
func (j *JPEG2000) tile(n int) (*j2kTile, error) {
	wide := ceilDiv(j.x1-j.tx, j.tw)
	p, q := n%wide, n/wide
	t := &j2kTile{
		x0: max(j.tx+p*j.tw, j.x0), y0: max(j.ty+q*j.th, j.y0),
		x1: min(j.tx+(p+1)*j.tw, j.x1), y1: min(j.ty+(q+1)*j.th, j.y1),
	}
	if t.x0 >= t.x1 || t.y0 >= t.y1 {
		return nil, fmt.Errorf("tile %d does not exist: %w", n, ErrCorrupt)
	}
	count := 0
	for c := range j.Components {
		var all []j2kResolution
		for r := range j.coding[c].levels + 1 {
			res, err := j.resolution(t, c, r, &count)
			if err != nil {
				return nil, err
			}
			all = append(all, res)
		}
		t.comps = append(t.comps, all)
	}
	return t, nil
}

func (j *JPEG2000) resolution(t *j2kTile, c, r int, count *int) (j2kResolution, error) {
	k := j.coding[c]
	up := uint(k.levels - r)
	res := j2kResolution{x0: ceilShift(t.x0, up), y0: ceilShift(t.y0, up), x1: ceilShift(t.x1, up), y1: ceilShift(t.y1, up), px: 15, py: 15}
	if k.precincts != nil {
		res.px, res.py = uint(k.precincts[r]&15), uint(k.precincts[r]>>4)
	}
	if res.x1 > res.x0 && res.y1 > res.y0 {
		res.across = ceilShift(res.x1, res.px) - res.x0>>res.px
		res.down = ceilShift(res.y1, res.py) - res.y0>>res.py
	}
	kinds, level := []int{bandHL, bandLH, bandHH}, up+1
	px, py := res.px-1, res.py-1
	if r == 0 {
		kinds, level, px, py = []int{bandLL}, up, res.px, res.py
	}
	for i, kind := range kinds {
		b := j2kBand{kind: kind}
		shift := func(v, high int) int {
			if level == 0 {
				return v
			}
			return ceilShift(v-high<<(level-1), level)
		}
		hx, hy := kind&1, kind>>1
		b.x0, b.x1, b.y0, b.y1 = shift(t.x0, hx), shift(t.x1, hx), shift(t.y0, hy), shift(t.y1, hy)
		band := 0
		if r > 0 {
			band = 3*(r-1) + 1 + i
		}
		exponent, mantissa := j.quant[c].step(band, r)
		b.planes = j.quant[c].guard + exponent - 1
		gain := []int{0, 1, 1, 2}[kind]
		b.step = math.Ldexp(1+float64(mantissa)/2048, j.Bits+gain-exponent)
		for q := range res.down {
			for p := range res.across {
				x0, y0 := (res.x0>>res.px+p)<<px, (res.y0>>res.py+q)<<py
				m, err := j.precinct(k, b, max(b.x0, x0), max(b.y0, y0), min(b.x1, x0+1<<px), min(b.y1, y0+1<<py), min(k.xcb, px), min(k.ycb, py), count)
				if err != nil {
					return res, err
				}
				b.precincts = append(b.precincts, m)
			}
		}
		res.bands = append(res.bands, b)
	}
	return res, nil
}

func (j *JPEG2000) precinct(k j2kCoding, b j2kBand, x0, y0, x1, y1 int, xcb, ycb uint, count *int) (j2kPrecinct, error) {
	var m j2kPrecinct
	if *count++; *count > maxJ2KBlocks {
		return m, fmt.Errorf("more than %d precincts and blocks: %w", maxJ2KBlocks, ErrCorrupt)
	}
	if x0 >= x1 || y0 >= y1 {
		return m, nil
	}
	m.across, m.down = ceilShift(x1, xcb)-x0>>xcb, ceilShift(y1, ycb)-y0>>ycb
	if *count += m.across * m.down; *count > maxJ2KBlocks {
		return m, fmt.Errorf("more than %d precincts and blocks: %w", maxJ2KBlocks, ErrCorrupt)
	}
	for q := range m.down {
		for p := range m.across {
			bx, by := (x0>>xcb+p)<<xcb, (y0>>ycb+q)<<ycb
			m.blocks = append(m.blocks, j2kBlock{x0: max(x0, bx), y0: max(y0, by), x1: min(x1, bx+1<<xcb), y1: min(y1, by+1<<ycb), lengthBits: 3})
		}
	}
	m.in, m.zero = newTagTree(m.across, m.down), newTagTree(m.across, m.down)
	return m, nil
}

// A packet is one layer of one precinct.
type j2kPacket struct{ layer, r, c, y, x, p int }

// packets are those of a tile in their order (B.12).
func (j *JPEG2000) packets(t *j2kTile) ([]j2kPacket, error) {
	var all []j2kPacket
	for c, rs := range t.comps {
		for r, res := range rs {
			up := uint(j.coding[c].levels - r)
			if len(all)+j.layers*res.across*res.down > maxJ2KBlocks {
				return nil, fmt.Errorf("more than %d packets: %w", maxJ2KBlocks, ErrCorrupt)
			}
			for p := range res.across * res.down {
				x := max(t.x0, (res.x0>>res.px+p%res.across)<<(res.px+up))
				y := max(t.y0, (res.y0>>res.py+p/res.across)<<(res.py+up))
				for l := range j.layers {
					all = append(all, j2kPacket{l, r, c, y, x, p})
				}
			}
		}
	}
	key := func(k j2kPacket) [6]int {
		switch j.order {
		case 0:
			return [6]int{k.layer, k.r, k.c, k.p}
		case 1:
			return [6]int{k.r, k.layer, k.c, k.p}
		case 2:
			return [6]int{k.r, k.y, k.x, k.c, k.p, k.layer}
		case 3:
			return [6]int{k.y, k.x, k.c, k.r, k.p, k.layer}
		}
		return [6]int{k.c, k.y, k.x, k.r, k.p, k.layer}
	}
	slices.SortStableFunc(all, func(a, b j2kPacket) int {
		x, y := key(a), key(b)
		return slices.Compare(x[:], y[:])
	})
	return all, nil
}

// A tilePart is the packets of a tile, and the parameters that hold for it.
type tilePart struct {
	*JPEG2000
	packets []byte
}

// parts collects the bodies of the tile parts of each tile (A.4.2).
func (j *JPEG2000) parts() (map[int]*tilePart, error) {
	out := map[int]*tilePart{}
	for s := j.body; len(s) >= 2; {
		if binary.BigEndian.Uint16(s) == j2kEOC {
			return out, nil
		}
		if len(s) < 14 || binary.BigEndian.Uint16(s) != j2kSOT {
			return nil, fmt.Errorf("no tile part where one should be: %w", ErrCorrupt)
		}
		n, size := int(binary.BigEndian.Uint16(s[4:])), int(binary.BigEndian.Uint32(s[6:]))
		if size == 0 {
			size = len(s)
			if binary.BigEndian.Uint16(s[size-2:]) == j2kEOC {
				size -= 2
			}
		}
		if size < 14 || size > len(s) {
			return nil, fmt.Errorf("a tile part of %d bytes: %w", size, io.ErrUnexpectedEOF)
		}
		part := s[12:size]
		tile := out[n]
		if tile == nil {
			own := *j
			own.coding, own.quant = slices.Clone(j.coding), slices.Clone(j.quant)
			tile = &tilePart{JPEG2000: &own}
			out[n] = tile
		}
		for binary.BigEndian.Uint16(part) != j2kSOD {
			marker := binary.BigEndian.Uint16(part)
			if len(part) < 6 {
				return nil, fmt.Errorf("a tile part without packets: %w", ErrCorrupt)
			}
			k := 2 + int(binary.BigEndian.Uint16(part[2:]))
			if k < 4 || k > len(part)-2 {
				return nil, fmt.Errorf("a segment of %d bytes: %w", k, ErrCorrupt)
			}
			if err := tile.define(marker, part[4:k]); err != nil {
				return nil, err
			}
			part = part[k:]
		}
		if err := tile.check(); err != nil {
			return nil, err
		}
		tile.packets = append(tile.packets, part[2:]...)
		s = s[size:]
	}
	return out, nil
}

// readPackets gives the blocks of a tile their data (B.9, B.10).
func (j *JPEG2000) readPackets(t *j2kTile) error {
	all, err := j.packets(t)
	if err != nil {
		return err
	}
	for _, k := range all {
		if len(t.body) >= 6 && t.body[0] == 0xFF && t.body[1] == 0x91 {
			t.body = t.body[6:] // start of packet
		}
		res := &t.comps[k.c][k.r]
		if err := j.readPacket(t, res, k); err != nil {
			return fmt.Errorf("layer %d, resolution %d, component %d: %w", k.layer, k.r, k.c, err)
		}
	}
	return nil
}

func (j *JPEG2000) readPacket(t *j2kTile, res *j2kResolution, k j2kPacket) error {
	bits := tagBits{src: t.body}
	type piece struct {
		block *j2kBlock
		size  int
	}
	var pieces []piece
	if bits.read() == 1 {
		for b := range res.bands {
			m := &res.bands[b].precincts[k.p]
			for i := range m.blocks {
				block := &m.blocks[i]
				x, y := i%m.across, i/m.across
				if block.included {
					if bits.read() == 0 {
						continue
					}
				} else {
					if !m.in.below(&bits, x, y, k.layer+1) {
						continue
					}
					for block.planes = 0; !m.zero.below(&bits, x, y, block.planes+1); block.planes++ {
						if block.planes > 64 || bits.spent {
							return fmt.Errorf("a block of too many empty bit planes: %w", ErrCorrupt)
						}
					}
					block.included = true
				}
				passes := bits.passes()
				for bits.read() == 1 {
					if block.lengthBits++; block.lengthBits > 31 {
						return fmt.Errorf("a block that is too long: %w", ErrCorrupt)
					}
				}
				n := block.lengthBits
				for v := passes; v > 1; v >>= 1 {
					n++
				}
				size := bits.number(n)
				block.passes += passes
				pieces = append(pieces, piece{block, size})
			}
		}
	}
	if bits.spent {
		return io.ErrUnexpectedEOF
	}
	t.body = bits.rest()
	if len(t.body) >= 2 && t.body[0] == 0xFF && t.body[1] == 0x92 {
		t.body = t.body[2:] // end of the packet's header
	}
	for _, p := range pieces {
		if p.size > len(t.body) {
			return fmt.Errorf("a block of %d bytes: %w", p.size, io.ErrUnexpectedEOF)
		}
		p.block.data = append(p.block.data, t.body[:p.size]...)
		t.body = t.body[p.size:]
	}
	return nil
}

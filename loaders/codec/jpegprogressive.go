package codec

import (
	"fmt"
	"io"
)

// A progressive scan adds to the frequencies from first to last of its components (T.81, annex G), down to the bit
// low; where refine is set it adds one bit to what earlier scans have given.
type progressiveScan struct {
	first, last int
	low         uint
	refine      bool
	tables      [][2]*huffman
	run         int // blocks whose remaining frequencies are all 0
}

// decodeProgressive collects the frequencies of all blocks, scan after scan, and makes samples of them at the end.
func (j *JPEG) decodeProgressive() error {
	for i := range j.Components {
		c := &j.Components[i]
		c.spectrum = make([]int16, len(c.data))
		defer func() { c.spectrum = nil }()
	}
	seen := map[int]bool{}
	for s := j.scans; len(s) > 0; {
		marker, body, rest, err := segment(s)
		switch {
		case err != nil:
			return err
		case marker == jpegEOI:
			rest = nil
		case marker >= jpegSOF0 && marker <= jpegSOF3:
			return fmt.Errorf("two pictures in one stream: %w", ErrCorrupt)
		case marker != jpegSOS:
			err = j.define(marker, body)
		default:
			var p progressiveScan
			var which []int
			if p, which, err = j.progressive(body); err != nil {
				return err
			}
			for _, i := range which {
				seen[i] = seen[i] || p.first == 0
			}
			rest, err = j.visit(rest, which, func() { p.run = 0 }, func(r *jpegBits, k, x, y int) error {
				c := &j.Components[which[k]]
				return p.block(r, c, p.tables[k], c.spectrum[(y*(c.stride/8)+x)*64:][:64])
			})
		}
		if err != nil {
			return err
		}
		s = rest
	}
	if len(seen) < len(j.Components) {
		return fmt.Errorf("%d of %d components: %w", len(seen), len(j.Components), io.ErrUnexpectedEOF)
	}
	for i := range j.Components {
		c := &j.Components[i]
		if !j.tables.hasQuant[c.table] {
			return fmt.Errorf("component %d without its quantisation: %w", c.ID, ErrCorrupt)
		}
		c.inverseAll(&j.tables.quant[c.table])
	}
	return nil
}

// progressive reads a scan header: how many components (1), for each its ID and its tables (2), the first and the
// last frequency (1, 1), and the bits that were and are known (4 bits each).
func (j *JPEG) progressive(b []byte) (p progressiveScan, which []int, err error) {
	if len(b) < 1 || len(b) < 1+2*int(b[0])+3 || b[0] == 0 {
		return p, nil, fmt.Errorf("scan header: %w", ErrCorrupt)
	}
	n := int(b[0])
	end := b[1+2*n:]
	p.first, p.last, p.low, p.refine = int(end[0]), int(end[1]), uint(end[2]&15), end[2]>>4 != 0
	if p.last > 63 || p.first > p.last || p.low > 13 || p.first == 0 && p.last > 0 || p.first > 0 && n > 1 {
		return p, nil, fmt.Errorf("scan of the frequencies %d to %d of %d components: %w", p.first, p.last, n, ErrCorrupt)
	}
	for k := range n {
		id, t := b[1+2*k], b[2+2*k]
		at := -1
		for i, c := range j.Components {
			if c.ID == id {
				at = i
			}
		}
		if at < 0 || t>>4 > 3 || t&15 > 3 {
			return p, nil, fmt.Errorf("scan of component %d: %w", id, ErrCorrupt)
		}
		pair := [2]*huffman{j.tables.huff[0][t>>4], j.tables.huff[1][t&15]}
		if p.first == 0 && !p.refine && pair[0] == nil || p.first > 0 && pair[1] == nil {
			return p, nil, fmt.Errorf("scan of component %d without its tables: %w", id, ErrCorrupt)
		}
		which, p.tables = append(which, at), append(p.tables, pair)
	}
	return p, which, nil
}

// block adds what a scan says of one block.
func (p *progressiveScan) block(r *jpegBits, c *JPEGComponent, t [2]*huffman, b []int16) error {
	switch {
	case p.first == 0 && p.refine:
		b[0] |= int16(r.raw(1) << p.low)
	case p.first == 0:
		n, err := r.word(t[0])
		if err != nil || n > 15 {
			return fmt.Errorf("difference of %d bits: %w", n, ErrCorrupt)
		}
		c.dc += r.number(uint(n))
		b[0] = int16(c.dc << p.low)
	case p.refine:
		return p.refined(r, t[1], b)
	case p.run > 0:
		p.run--
	default:
		for k := p.first; k <= p.last; k++ {
			w, err := r.word(t[1])
			if err != nil {
				return err
			}
			zeros, n := int(w>>4), uint(w&15)
			if n == 0 {
				if zeros < 15 {
					p.run = 1<<zeros - 1 + r.raw(uint(zeros))
					break
				}
				k += 15
				continue
			}
			if k += zeros; k > p.last {
				return fmt.Errorf("more frequencies than the scan has: %w", ErrCorrupt)
			}
			b[zigzag[k]] = int16(r.number(n) << p.low)
		}
	}
	return nil
}

// refined adds one bit to the frequencies that are known, and those that become known with it (T.81, section G.1.2.3).
func (p *progressiveScan) refined(r *jpegBits, t *huffman, b []int16) error {
	bit := int16(1) << p.low
	more := func(v *int16) {
		if r.raw(1) == 1 && *v&bit == 0 {
			if *v > 0 {
				*v += bit
			} else {
				*v -= bit
			}
		}
	}
	k := p.first
	for ; p.run == 0 && k <= p.last; k++ {
		w, err := r.word(t)
		if err != nil {
			return err
		}
		zeros, n, v := int(w>>4), w&15, int16(0)
		switch {
		case n == 0 && zeros < 15:
			p.run = 1<<zeros + r.raw(uint(zeros))
		case n == 1 && r.raw(1) == 1:
			v = bit
		case n == 1:
			v = -bit
		case n > 1:
			return fmt.Errorf("a refinement of %d bits: %w", n, ErrCorrupt)
		}
		if p.run > 0 {
			break
		}
		for ; k <= p.last; k++ {
			if at := &b[zigzag[k]]; *at != 0 {
				more(at)
			} else if zeros == 0 {
				*at = v
				break
			} else {
				zeros--
			}
		}
	}
	if p.run > 0 {
		for ; k <= p.last; k++ {
			if at := &b[zigzag[k]]; *at != 0 {
				more(at)
			}
		}
		p.run--
	}
	return nil
}

// inverseAll makes samples of all blocks.
func (c *JPEGComponent) inverseAll(quant *[64]uint16) {
	var block [64]int32
	wide := c.stride / 8
	for i := 0; i < len(c.spectrum)/64; i++ {
		last := 0
		for k := range 64 {
			v := c.spectrum[i*64+int(zigzag[k])]
			if v != 0 {
				last = k
			}
			block[zigzag[k]] = int32(v) * int32(quant[k])
		}
		inverse(c.data[(i/wide*c.stride+i%wide)*8:], c.stride, &block, last)
	}
}

package codec

import (
	"fmt"
	"io"
)

// huffman is a code of T.81, annex C, with a table for its short words.
type huffman struct {
	fast   [1 << jpegFast]uint16 // length << 8 | value for words that begin with this index, 0 for longer ones
	last   [17]int32             // the largest word of each length, -1 if there is none
	offset [17]int32             // from a word to its place in values
	values []byte
}

const jpegFast = 9

// huffman reads tables: class and number (1), how many words there are of 1 to 16 bits (16), the values.
func (t *jpegTables) huffman(b []byte) error {
	for len(b) > 0 {
		class, id := b[0]>>4, b[0]&15
		if class > 1 || id > 3 || len(b) < 17 {
			return fmt.Errorf("huffman table: %w", ErrCorrupt)
		}
		counts, total := b[1:17], 0
		for _, n := range counts {
			total += int(n)
		}
		if total > 256 || len(b) < 17+total {
			return fmt.Errorf("huffman table of %d words: %w", total, ErrCorrupt)
		}
		h := &huffman{values: append([]byte(nil), b[17:17+total]...)}
		word, k := int32(0), int32(0)
		for n := 1; n <= 16; n++ {
			h.offset[n] = k - word
			for range counts[n-1] {
				if word >= 1<<n {
					return fmt.Errorf("huffman table with too many words: %w", ErrCorrupt)
				}
				if n <= jpegFast {
					for i := word << (jpegFast - n); i < (word+1)<<(jpegFast-n); i++ {
						h.fast[i] = uint16(n)<<8 | uint16(h.values[k])
					}
				}
				word++
				k++
			}
			h.last[n] = word - 1
			if counts[n-1] == 0 {
				h.last[n] = -1
			}
			word <<= 1
		}
		t.huff[class][id] = h
		b = b[17+total:]
	}
	return nil
}

// jpegBits reads bits of a scan; FF 00 stands for the byte FF, and any other marker ends it.
type jpegBits struct {
	src  []byte
	acc  uint64
	have uint
	end  int // bits that were made up behind the end
}

func (r *jpegBits) fill() {
	for r.have <= 56 {
		b := byte(0)
		switch {
		case len(r.src) > 0 && r.src[0] != 0xFF:
			b, r.src = r.src[0], r.src[1:]
		case len(r.src) > 1 && r.src[1] == 0:
			b, r.src = 0xFF, r.src[2:]
		default:
			r.end += 8
		}
		r.acc |= uint64(b) << (56 - r.have)
		r.have += 8
	}
}

// spent reports whether bits behind the end were used.
func (r *jpegBits) spent() bool { return int(r.have) < r.end }

func (r *jpegBits) skip(n uint) { r.acc, r.have = r.acc<<n, r.have-n }

func (r *jpegBits) word(h *huffman) (byte, error) {
	if r.have < 16 {
		r.fill()
	}
	if f := h.fast[r.acc>>(64-jpegFast)]; f != 0 {
		r.skip(uint(f >> 8))
		return byte(f), nil
	}
	for n := uint(1); n <= 16; n++ {
		if w := int32(r.acc >> (64 - n)); w <= h.last[n] {
			k := w + h.offset[n]
			if k < 0 || int(k) >= len(h.values) {
				break
			}
			r.skip(n)
			return h.values[k], nil
		}
	}
	return 0, fmt.Errorf("a word that is in no table: %w", ErrCorrupt)
}

// number reads n bits as T.81, section F.2.2.1, extends them: those below half the range are negative.
func (r *jpegBits) number(n uint) int {
	if n == 0 {
		return 0
	}
	if r.have < n {
		r.fill()
	}
	v := int(r.acc >> (64 - n))
	r.skip(n)
	if v < 1<<(n-1) {
		v += -1<<n + 1
	}
	return v
}

// raw reads n bits as they are.
func (r *jpegBits) raw(n uint) int {
	if r.have < n {
		r.fill()
	}
	v := int(r.acc >> (64 - n))
	r.skip(n)
	return v
}

// decodeScans decodes scan after scan. All components have to be there at the end.
func (j *JPEG) decodeScans() error {
	seen := map[int]bool{}
	s := j.scans
	for len(s) > 0 && len(seen) < len(j.Components) {
		marker, body, rest, err := segment(s)
		switch {
		case err != nil:
			return err
		case marker == jpegEOI:
			s = nil
			continue
		case marker != jpegSOS:
			if marker >= jpegSOF0 && marker <= jpegSOF3 {
				return fmt.Errorf("two pictures in one stream: %w", ErrCorrupt)
			}
			if err := j.define(marker, body); err != nil {
				return err
			}
			s = rest
			continue
		}
		var which []int
		var tables [][2]*huffman
		if len(body) < 1 || len(body) < 1+2*int(body[0])+3 {
			return fmt.Errorf("scan header: %w", ErrCorrupt)
		}
		for k := range int(body[0]) {
			id, t := body[1+2*k], body[2+2*k]
			at := -1
			for i, c := range j.Components {
				if c.ID == id && !seen[i] {
					at = i
					break
				}
			}
			if at < 0 || t>>4 > 3 || t&15 > 3 || j.tables.huff[0][t>>4] == nil || j.tables.huff[1][t&15] == nil ||
				!j.tables.hasQuant[j.Components[at].table] {
				return fmt.Errorf("scan of component %d without its tables: %w", id, ErrCorrupt)
			}
			seen[at] = true
			which = append(which, at)
			tables = append(tables, [2]*huffman{j.tables.huff[0][t>>4], j.tables.huff[1][t&15]})
		}
		if len(which) == 0 {
			return fmt.Errorf("scan of nothing: %w", ErrCorrupt)
		}
		if s, err = j.scan(rest, which, tables); err != nil {
			return err
		}
	}
	if len(seen) < len(j.Components) {
		return fmt.Errorf("%d of %d components: %w", len(seen), len(j.Components), io.ErrUnexpectedEOF)
	}
	return nil
}

// scan decodes the blocks of the components in which, and gives what follows the scan.
func (j *JPEG) scan(s []byte, which []int, tables [][2]*huffman) ([]byte, error) {
	var block [64]int32
	return j.visit(s, which, func() {}, func(r *jpegBits, k, x, y int) error {
		c := &j.Components[which[k]]
		last, err := r.block(&block, c, tables[k], &j.tables.quant[c.table])
		if err != nil {
			return err
		}
		if at := (y*c.stride + x) * 8; c.wide != nil {
			inverseWide(c.wide[at:], c.stride, &block)
		} else {
			inverse(c.data[at:], c.stride, &block, last)
		}
		return nil
	})
}

// visit calls block for the blocks of the components in which, in the order in which they stand in the scan, with the
// number of the component in which and the block's place in it; restarted comes before and after restart markers.
// It gives what follows the scan.
func (j *JPEG) visit(s []byte, which []int, restarted func(), block func(r *jpegBits, k, x, y int) error) ([]byte, error) {
	across, down := j.units()
	single := len(which) == 1
	if single {
		// The blocks of a component alone stand row by row, and only those that it needs.
		c := &j.Components[which[0]]
		across, down = (c.width+7)/8, (c.height+7)/8
	}
	begin := func() {
		restarted()
		for i := range j.Components {
			j.Components[i].dc = 0
		}
	}
	r := jpegBits{src: s}
	begin()
	for unit := range across * down {
		if j.interval > 0 && unit > 0 && unit%j.interval == 0 {
			if err := r.restart(); err != nil {
				return nil, err
			}
			begin()
		}
		x, y := unit%across, unit/across
		for k, i := range which {
			h, v := j.Components[i].H, j.Components[i].V
			if single {
				h, v = 1, 1
			}
			for by := range v {
				for bx := range h {
					if err := block(&r, k, x*h+bx, y*v+by); err != nil {
						return nil, fmt.Errorf("in row %d of %d: %w", y*8*v*j.vMax/j.Components[i].V, j.Height, err)
					}
				}
			}
		}
		if r.spent() {
			return nil, fmt.Errorf("ends in row %d of %d: %w", y*j.Height/down, j.Height, io.ErrUnexpectedEOF)
		}
	}
	// What is left before the next marker is padding.
	for len(r.src) > 1 && (r.src[0] != 0xFF || r.src[1] == 0 || r.src[1] >= jpegRST0 && r.src[1] <= jpegRST0+7) {
		r.src = r.src[1:]
	}
	return r.src, nil
}

// restart skips to behind the next restart marker.
func (r *jpegBits) restart() error {
	for len(r.src) > 1 && (r.src[0] != 0xFF || r.src[1] == 0 || r.src[1] == 0xFF) {
		r.src = r.src[1:]
	}
	if len(r.src) < 2 || r.src[1] < jpegRST0 || r.src[1] > jpegRST0+7 {
		return fmt.Errorf("no restart marker where one should be: %w", ErrCorrupt)
	}
	*r = jpegBits{src: r.src[2:]}
	return nil
}

// block decodes one block (T.81, section F.2.2) into its place among the 64 frequencies, already
// multiplied by the quantisation, and gives the last place in zigzag order that is not 0.
func (r *jpegBits) block(b *[64]int32, c *JPEGComponent, t [2]*huffman, quant *[64]uint16) (last int, err error) {
	*b = [64]int32{}
	n, err := r.word(t[0])
	if err != nil || n > 15 {
		return 0, fmt.Errorf("difference of %d bits: %w", n, ErrCorrupt)
	}
	c.dc += r.number(uint(n))
	b[0] = int32(c.dc) * int32(quant[0])
	for k := 1; k < 64; k++ {
		w, err := r.word(t[1])
		if err != nil {
			return 0, err
		}
		zeros, n := int(w>>4), uint(w&15)
		if n == 0 {
			if zeros < 15 {
				break
			}
			k += 15
			continue
		}
		if k += zeros; k > 63 {
			return 0, fmt.Errorf("more than 64 frequencies: %w", ErrCorrupt)
		}
		b[zigzag[k]] = int32(r.number(n)) * int32(quant[k])
		last = k
	}
	return last, nil
}

// zigzag is the place of each frequency in rows of 8 (T.81, figure A.6).
var zigzag = func() (z [64]byte) {
	x, y := 0, 0
	for i := range z {
		z[i] = byte(8*y + x)
		switch up := (x+y)%2 == 0; {
		case up && x == 7:
			y++
		case up && y == 0:
			x++
		case up:
			x, y = x+1, y-1
		case y == 7:
			x++
		case x == 0:
			y++
		default:
			x, y = x-1, y+1
		}
	}
	return z
}()

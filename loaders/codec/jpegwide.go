package codec

import (
	"fmt"
	"io"
)

// DecodeWide fills dst with the components of each pixel side by side, row by row, of pictures of 12
// bits and of those of the lossless process; it has to measure Width x Height x components.
func (j *JPEG) DecodeWide(dst []uint16) error {
	if len(dst) != j.Width*j.Height*len(j.Components) {
		return fmt.Errorf("codec: jpeg: room for %d samples of %d x %d pixels of %d components", len(dst), j.Width, j.Height, len(j.Components))
	}
	for _, c := range j.Components {
		if c.H != j.hMax || c.V != j.vMax {
			return fmt.Errorf("codec: jpeg: components of different sizes with %d bits a sample are not known", j.Bits)
		}
	}
	var err error
	switch {
	case j.Lossless:
		err = j.lossless(dst)
	case j.Progressive || j.Bits != 12:
		err = fmt.Errorf("%d bits a sample, progressive %v, are not known here", j.Bits, j.Progressive)
	default:
		err = j.twelve(dst)
	}
	if err != nil {
		return fmt.Errorf("codec: jpeg: %w", err)
	}
	return nil
}

// twelve decodes blocks of 12 bits.
func (j *JPEG) twelve(dst []uint16) error {
	across, down := j.units()
	for i := range j.Components {
		c := &j.Components[i]
		c.stride = across * c.H * 8
		c.wide = make([]uint16, c.stride*down*c.V*8)
	}
	if err := j.decodeScans(); err != nil {
		return err
	}
	n := len(j.Components)
	for i := range j.Components {
		c := &j.Components[i]
		for y := range j.Height {
			for x, v := range c.wide[y*c.stride:][:j.Width] {
				dst[(y*j.Width+x)*n+i] = v
			}
		}
	}
	return nil
}

// inverseWide is inverse for samples of 12 bits: one bit is kept between the passes, so that sums fit
// where the Independent JPEG Group's library has 32 bits.
func inverseWide(dst []uint16, stride int, b *[64]int32) {
	const keep, middle, most = 1, 2048, 4095
	for x := range 8 {
		c := b[x:]
		o := inverse8([8]int{int(c[0]), int(c[8]), int(c[16]), int(c[24]), int(c[32]), int(c[40]), int(c[48]), int(c[56])})
		for i, v := range o {
			c[8*i] = int32((v + 1<<(dctBits-keep-1)) >> (dctBits - keep))
		}
	}
	for y := range 8 {
		r := b[8*y:][:8]
		o := inverse8([8]int{int(r[0]), int(r[1]), int(r[2]), int(r[3]), int(r[4]), int(r[5]), int(r[6]), int(r[7])})
		row := dst[y*stride:][:8]
		for i, v := range o {
			row[i] = uint16(max(0, min(most, (v+1<<(dctBits+keep+2))>>(dctBits+keep+3)+middle)))
		}
	}
}

// lossless decodes scans of differences to a prediction (T.81, annex H).
func (j *JPEG) lossless(dst []uint16) error {
	seen := make([]bool, len(j.Components))
	count := 0
	for s := j.scans; count < len(seen); {
		marker, body, rest, err := segment(s)
		switch {
		case err != nil:
			return err
		case marker == jpegEOI:
			return fmt.Errorf("%d of %d components: %w", count, len(seen), io.ErrUnexpectedEOF)
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
		scan, err := j.losslessScan(body, seen)
		if err != nil {
			return err
		}
		count += len(scan.which)
		if s, err = scan.decode(dst, rest); err != nil {
			return err
		}
	}
	return nil
}

// A losslessScan is some components that are coded together, pixel by pixel.
type losslessScan struct {
	*JPEG
	which  []int
	tables []*huffman
	rule   int  // of prediction, 1 to 7
	shift  uint // bits that were dropped
}

// losslessScan reads the components (1), for each its ID and its table, the rule of prediction (1), a
// byte without meaning here (1), and the point transform in the low half of the last.
func (j *JPEG) losslessScan(b []byte, seen []bool) (losslessScan, error) {
	s := losslessScan{JPEG: j}
	if len(b) < 1 || len(b) < 1+2*int(b[0])+3 || b[0] == 0 {
		return s, fmt.Errorf("scan header: %w", ErrCorrupt)
	}
	n := int(b[0])
	for k := range n {
		id, t := b[1+2*k], b[2+2*k]>>4
		at := -1
		for i, c := range j.Components {
			if c.ID == id && !seen[i] {
				at = i
				break
			}
		}
		if at < 0 || t > 3 || j.tables.huff[0][t] == nil {
			return s, fmt.Errorf("scan of component %d without its table: %w", id, ErrCorrupt)
		}
		seen[at] = true
		s.which, s.tables = append(s.which, at), append(s.tables, j.tables.huff[0][t])
	}
	s.rule, s.shift = int(b[1+2*n]), uint(b[3+2*n]&15)
	if s.rule < 1 || s.rule > 7 || int(s.shift) >= j.Bits {
		return s, fmt.Errorf("prediction %d with %d bits dropped: %w", s.rule, s.shift, ErrCorrupt)
	}
	return s, nil
}

// decode fills in the scan's components, and gives what follows.
func (s losslessScan) decode(dst []uint16, src []byte) ([]byte, error) {
	r := jpegBits{src: src}
	n := len(s.Components)
	row := s.Width * n
	fresh := true // the first row, or the first behind a restart marker, is predicted from the left
	start := 1 << (s.Bits - int(s.shift) - 1)
	for y := range s.Height {
		for x := range s.Width {
			if unit := y*s.Width + x; s.interval > 0 && unit > 0 && unit%s.interval == 0 {
				if x != 0 {
					return nil, fmt.Errorf("a restart within a row: %w", ErrCorrupt)
				}
				if err := r.restart(); err != nil {
					return nil, err
				}
				fresh = true
			}
			for k, i := range s.which {
				at := y*row + x*n + i
				var p int
				switch {
				case fresh && x == 0:
					p = start
				case fresh:
					p = int(dst[at-n])
				case x == 0:
					p = int(dst[at-row])
				default:
					p = predict(s.rule, int(dst[at-n]), int(dst[at-row]), int(dst[at-row-n]))
				}
				bits, err := r.word(s.tables[k])
				switch {
				case err != nil || bits > 16:
					return nil, fmt.Errorf("in row %d of %d: difference of %d bits: %w", y, s.Height, bits, ErrCorrupt)
				case bits == 16:
					p += 1 << 15
				default:
					p += r.number(uint(bits))
				}
				dst[at] = uint16(p)
			}
		}
		fresh = false
		if r.spent() {
			return nil, fmt.Errorf("ends in row %d of %d: %w", y, s.Height, io.ErrUnexpectedEOF)
		}
	}
	if s.shift > 0 {
		for at := range s.Width * s.Height {
			for _, i := range s.which {
				dst[at*n+i] <<= s.shift
			}
		}
	}
	for len(r.src) > 1 && (r.src[0] != 0xFF || r.src[1] == 0 || r.src[1] >= jpegRST0 && r.src[1] <= jpegRST0+7) {
		r.src = r.src[1:]
	}
	return r.src, nil
}

// predict is table H.1 of T.81: a is the sample to the left, b the one above, c the one above a.
func predict(rule, a, b, c int) int {
	switch rule {
	case 1:
		return a
	case 2:
		return b
	case 3:
		return c
	case 4:
		return a + b - c
	case 5:
		return a + (b-c)>>1
	case 6:
		return b + (a-c)>>1
	}
	return (a + b) >> 1
}

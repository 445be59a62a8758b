package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// A JPEG2000 is a codestream of JPEG 2000, part 1 (ITU-T T.800), bare or in a JP2 file, of 1 to 4
// components of one size and of 1 to 16 bits. Other styles of code blocks than the usual, regions of
// interest, changes of progression and packed headers are refused.
//
//	j, err := codec.ParseJPEG2000(stream)
//	samples := make([]uint16, j.Width*j.Height*j.Components)
//	err = j.Decode(samples) // negative samples in two's complement
type JPEG2000 struct {
	Width, Height int
	Components    int
	Bits          int
	Signed        bool

	x0, y0, x1, y1 int // of the picture, on the reference grid
	tx, ty, tw, th int // the first tile's corner, and the size of tiles
	order          byte
	layers         int
	mix            bool // colours were mixed
	eph            bool
	coding         []j2kCoding // of each component
	quant          []j2kQuant
	body           []byte // from the first tile part on
}

// j2kCoding is how a component is transformed and cut into blocks (T.800, A.6.1).
type j2kCoding struct {
	levels     int
	xcb, ycb   uint
	style      byte
	reversible bool
	precincts  []byte // exponents across (low half) and down of each resolution; nil for 15
}

// j2kQuant is how coefficients were divided (A.6.4).
type j2kQuant struct {
	guard int
	kind  byte
	steps []uint16 // exponent << 11 | mantissa
}

const (
	j2kSOC, j2kSIZ, j2kCOD, j2kCOC = 0xFF4F, 0xFF51, 0xFF52, 0xFF53
	j2kQCD, j2kQCC, j2kRGN, j2kPOC = 0xFF5C, 0xFF5D, 0xFF5E, 0xFF5F
	j2kPPM, j2kPPT, j2kSOT, j2kSOD = 0xFF60, 0xFF61, 0xFF90, 0xFF93
	j2kEOC                         = 0xFFD9
)

// ParseJPEG2000 reads the main header.
func ParseJPEG2000(s []byte) (*JPEG2000, error) {
	if bytes.HasPrefix(s, []byte("\x00\x00\x00\x0cjP  \r\n\x87\n")) {
		i := bytes.Index(s, []byte("jp2c\xFF\x4F"))
		if i < 0 {
			return nil, fmt.Errorf("codec: jpeg 2000: a file without a codestream: %w", ErrCorrupt)
		}
		s = s[i+4:]
	}
	j := &JPEG2000{}
	if err := j.parse(s); err != nil {
		return nil, fmt.Errorf("codec: jpeg 2000: %w", err)
	}
	return j, nil
}

func (j *JPEG2000) parse(s []byte) error {
	if len(s) < 2 || binary.BigEndian.Uint16(s) != j2kSOC {
		return fmt.Errorf("does not begin as one: %w", ErrCorrupt)
	}
	for s = s[2:]; ; {
		if len(s) < 4 {
			return io.ErrUnexpectedEOF
		}
		marker, n := binary.BigEndian.Uint16(s), int(binary.BigEndian.Uint16(s[2:]))
		if marker == j2kSOT {
			break
		}
		if n < 2 || n > len(s)-2 || marker < 0xFF00 {
			return fmt.Errorf("segment %#x of %d bytes: %w", marker, n, ErrCorrupt)
		}
		if err := j.define(marker, s[4:2+n]); err != nil {
			return err
		}
		s = s[2+n:]
	}
	j.body = s
	if j.Components == 0 || j.layers == 0 {
		return fmt.Errorf("no size or no coding parameters: %w", ErrCorrupt)
	}
	return j.check()
}

// check says why the parameters do not fit together.
func (j *JPEG2000) check() error {
	for c := range j.coding {
		if q := j.quant[c]; len(q.steps) == 0 || q.kind != 1 && len(q.steps) < 1+3*j.coding[c].levels || j.coding[c].reversible != (q.kind == 0) {
			return fmt.Errorf("component %d has no quantisation for its bands: %w", c, ErrCorrupt)
		}
	}
	return nil
}

func (j *JPEG2000) define(marker uint16, b []byte) error {
	switch marker {
	case j2kSIZ:
		return j.size(b)
	case j2kCOD, j2kQCD, j2kCOC, j2kQCC:
		if j.Components == 0 {
			return fmt.Errorf("parameters before the size: %w", ErrCorrupt)
		}
	case j2kRGN, j2kPOC, j2kPPM, j2kPPT:
		return fmt.Errorf("segments of kind %#x are not known", marker)
	}
	switch marker {
	case j2kCOD:
		if len(b) < 10 {
			return fmt.Errorf("coding parameters: %w", ErrCorrupt)
		}
		j.order, j.layers, j.mix, j.eph = b[1], int(binary.BigEndian.Uint16(b[2:])), b[4] == 1, b[0]&4 != 0
		if j.order > 4 || b[4] > 1 || j.mix && j.Components < 3 {
			return fmt.Errorf("progression %d, mix %d: %w", j.order, b[4], ErrCorrupt)
		}
		c, err := parseCoding(b[5:], b[0]&1 != 0)
		for i := range j.coding {
			j.coding[i] = c
		}
		return err
	case j2kQCD:
		q, err := parseQuant(b)
		for i := range j.quant {
			j.quant[i] = q
		}
		return err
	case j2kCOC, j2kQCC:
		if len(b) < 2 || int(b[0]) >= j.Components {
			return fmt.Errorf("parameters of a component: %w", ErrCorrupt)
		}
		var err error
		if marker == j2kCOC {
			j.coding[b[0]], err = parseCoding(b[2:], b[1]&1 != 0)
		} else {
			j.quant[b[0]], err = parseQuant(b[1:])
		}
		return err
	}
	return nil
}

// size reads the size of the picture, of its tiles and of its components (A.5.1).
func (j *JPEG2000) size(b []byte) error {
	if len(b) < 36 || j.Components > 0 {
		return fmt.Errorf("size: %w", ErrCorrupt)
	}
	var v [8]int
	for i := range v {
		v[i] = int(binary.BigEndian.Uint32(b[2+4*i:]))
		if v[i] > 1<<30 {
			return fmt.Errorf("a length of %d: %w", v[i], ErrCorrupt)
		}
	}
	n := int(binary.BigEndian.Uint16(b[34:]))
	if n < 1 || n > 4 || len(b) < 36+3*n {
		return fmt.Errorf("%d components are not known", n)
	}
	j.x1, j.y1, j.x0, j.y0, j.tw, j.th, j.tx, j.ty = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
	j.Width, j.Height = j.x1-j.x0, j.y1-j.y0
	j.Bits, j.Signed = int(b[36]&0x7F)+1, b[36]&0x80 != 0
	if j.Width < 1 || j.Height < 1 || j.Width > 1<<16 || j.Height > 1<<16 || j.tw < 1 || j.th < 1 || j.tx > j.x0 || j.ty > j.y0 || j.tx+j.tw <= j.x0 || j.ty+j.th <= j.y0 || j.Bits > 16 {
		return fmt.Errorf("%d x %d pixels of %d bits in tiles of %d x %d: %w", j.Width, j.Height, j.Bits, j.tw, j.th, ErrCorrupt)
	}
	for i := range n {
		if c := b[36+3*i:]; c[0] != b[36] || c[1] != 1 || c[2] != 1 {
			return fmt.Errorf("components of different sizes or bits are not known")
		}
	}
	j.Components = n
	j.coding, j.quant = make([]j2kCoding, n), make([]j2kQuant, n)
	return nil
}

func parseCoding(b []byte, precincts bool) (j2kCoding, error) {
	var c j2kCoding
	if len(b) < 5 {
		return c, fmt.Errorf("coding parameters: %w", ErrCorrupt)
	}
	c = j2kCoding{levels: int(b[0]), xcb: uint(b[1]&15) + 2, ycb: uint(b[2]&15) + 2, style: b[3], reversible: b[4] == 1}
	if c.levels > 32 || c.xcb > 10 || c.ycb > 10 || c.xcb+c.ycb > 12 || b[4] > 1 {
		return c, fmt.Errorf("%d levels, blocks of 2^%d x 2^%d: %w", c.levels, c.xcb, c.ycb, ErrCorrupt)
	}
	if c.style&^(j2kReset|j2kPredictable|j2kMarks) != 0 {
		return c, fmt.Errorf("blocks of style %#x are not known", c.style)
	}
	if precincts {
		if len(b) < 6+c.levels {
			return c, fmt.Errorf("precincts: %w", ErrCorrupt)
		}
		c.precincts = bytes.Clone(b[5 : 6+c.levels])
		for r, p := range c.precincts {
			if r > 0 && (p&15 == 0 || p>>4 == 0) {
				return c, fmt.Errorf("precincts of one sample: %w", ErrCorrupt)
			}
		}
	}
	return c, nil
}

func parseQuant(b []byte) (j2kQuant, error) {
	if len(b) < 2 {
		return j2kQuant{}, fmt.Errorf("quantisation: %w", ErrCorrupt)
	}
	q := j2kQuant{guard: int(b[0] >> 5), kind: b[0] & 31}
	if q.kind > 2 {
		return q, fmt.Errorf("quantisation of kind %d: %w", q.kind, ErrCorrupt)
	}
	for b = b[1:]; len(b) > 0; {
		if q.kind == 0 {
			q.steps, b = append(q.steps, uint16(b[0]>>3)<<11), b[1:]
			continue
		}
		if len(b) < 2 {
			break
		}
		q.steps, b = append(q.steps, binary.BigEndian.Uint16(b)), b[2:]
	}
	return q, nil
}

// step is the exponent and the mantissa of a band: band 0 is LL, then HL, LH, HH of each resolution.
func (q j2kQuant) step(band, resolution int) (exponent, mantissa int) {
	if q.kind == 1 {
		s := int(q.steps[0])
		return s>>11 - max(0, resolution-1), s & 0x7FF
	}
	s := int(q.steps[band])
	return s >> 11, s & 0x7FF
}

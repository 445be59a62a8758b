package codec

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A JPEG is a picture coded by DCT and Huffman codes, sequential with 8 or 12 bits a sample, progressive with 8, or without
// loss by prediction and Huffman codes with 2 to 16 bits (ITU-T T.81), of 1 to 4 components, whatever
// these mean. The arithmetic is that of the Independent JPEG Group's
// library in its default setting (the accurate integer transform, and colours enlarged by a triangle
// filter), so that the samples are the very same that most other programs show.
//
//	j, err := codec.ParseJPEG(tables, stream) // as TIFF keeps them; or the stream alone
//	pixels := make([]byte, j.Width*j.Height*len(j.Components))
//	err = j.Decode(pixels)
type JPEG struct {
	Width, Height int
	Components    []JPEGComponent
	Adobe         int // the transform that Adobe's marker states: 0 none, 1 YCbCr, 2 YCCK; -1 without the marker
	Progressive   bool
	Bits          int  // of a sample
	Lossless      bool // of the lossless process, which DecodeWide decodes

	scans    []byte // from the first scan on
	tables   jpegTables
	hMax     int // largest sampling factors
	vMax     int
	interval int // units between restart markers, 0 for none
}

// A JPEGComponent is one sort of samples.
type JPEGComponent struct {
	ID   byte
	H, V int // sampling factors: samples per unit across and down

	table  byte // of quantisation
	width  int  // samples that belong to the picture
	height int
	stride int // of data, which holds whole blocks
	data   []byte
	wide   []uint16 // in place of data, for 12 bits

	spectrum []int16 // of a progressive picture: 64 frequencies for each block of data
	dc       int
}

type jpegTables struct {
	quant    [4][64]uint16 // in zigzag order
	hasQuant [4]bool
	huff     [2][4]*huffman // DC, AC
}

// Markers of a stream (T.81, table B.1).
const (
	jpegSOF0 = 0xC0
	jpegSOF1 = 0xC1
	jpegSOF2 = 0xC2
	jpegSOF3 = 0xC3
	jpegDHT  = 0xC4
	jpegRST0 = 0xD0
	jpegSOI  = 0xD8
	jpegEOI  = 0xD9
	jpegSOS  = 0xDA
	jpegDQT  = 0xDB
	jpegDRI  = 0xDD
	jpegAPP  = 0xEE // Adobe's
)

// ParseJPEG reads what stands before the pixels. Streams before the last one hold nothing but tables.
func ParseJPEG(streams ...[]byte) (*JPEG, error) {
	j := &JPEG{Adobe: -1}
	for i, s := range streams {
		if err := j.parse(s); err != nil {
			return nil, fmt.Errorf("codec: jpeg: %w", err)
		}
		if i < len(streams)-1 {
			j.Components, j.scans = nil, nil
		}
	}
	if len(j.Components) == 0 || j.scans == nil {
		return nil, fmt.Errorf("codec: jpeg: no picture: %w", ErrCorrupt)
	}
	return j, nil
}

// parse reads segments up to the first scan, or to the end of the stream.
func (j *JPEG) parse(s []byte) error {
	if len(s) < 2 || s[0] != 0xFF || s[1] != jpegSOI {
		return fmt.Errorf("does not begin as one: %w", ErrCorrupt)
	}
	for s = s[2:]; len(s) > 0; {
		marker, body, rest, err := segment(s)
		if err != nil {
			return err
		}
		if marker == jpegEOI {
			return nil
		}
		if marker == jpegSOS {
			j.scans = s
			return nil
		}
		if err := j.define(marker, body); err != nil {
			return err
		}
		s = rest
	}
	return nil
}

// segment splits off a marker and what belongs to it: FF  marker  length (2, itself included)  data.
func segment(s []byte) (marker byte, body, rest []byte, err error) {
	for len(s) > 1 && s[0] == 0xFF && s[1] == 0xFF {
		s = s[1:] // fill
	}
	if len(s) < 2 || s[0] != 0xFF {
		return 0, nil, nil, fmt.Errorf("no marker where one should be: %w", ErrCorrupt)
	}
	marker = s[1]
	if marker == jpegEOI || marker >= jpegRST0 && marker <= jpegRST0+7 || marker == 1 || marker == jpegSOI {
		return marker, nil, s[2:], nil
	}
	if len(s) < 4 {
		return 0, nil, nil, io.ErrUnexpectedEOF
	}
	n := int(binary.BigEndian.Uint16(s[2:]))
	if n < 2 || n > len(s)-2 {
		return 0, nil, nil, fmt.Errorf("segment %#x of %d bytes: %w", marker, n, io.ErrUnexpectedEOF)
	}
	return marker, s[4 : 2+n], s[2+n:], nil
}

// define takes in one segment other than a scan.
func (j *JPEG) define(marker byte, b []byte) error {
	switch marker {
	case jpegSOF0, jpegSOF1, jpegSOF2, jpegSOF3:
		j.Progressive, j.Lossless = marker == jpegSOF2, marker == jpegSOF3
		return j.frame(b)
	case jpegDHT:
		return j.tables.huffman(b)
	case jpegDQT:
		return j.tables.quantisation(b)
	case jpegDRI:
		if len(b) != 2 {
			return fmt.Errorf("restart interval: %w", ErrCorrupt)
		}
		j.interval = int(binary.BigEndian.Uint16(b))
	case jpegAPP:
		if len(b) >= 12 && string(b[:5]) == "Adobe" {
			j.Adobe = int(b[11])
		}
	case 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF:
		return fmt.Errorf("coding process %#x is not known", marker)
	}
	return nil
}

// frame reads precision (1), height (2), width (2), number of components (1), and for each its ID, its
// sampling factors and its table.
func (j *JPEG) frame(b []byte) error {
	if j.Components != nil {
		return fmt.Errorf("two pictures in one stream: %w", ErrCorrupt)
	}
	if len(b) < 6 || len(b) < 6+3*int(b[5]) {
		return fmt.Errorf("frame header: %w", ErrCorrupt)
	}
	j.Bits = int(b[0])
	if j.Bits != 8 && j.Bits != 12 && !(j.Lossless && j.Bits >= 2 && j.Bits <= 16) {
		return fmt.Errorf("%d bits a sample are not known", j.Bits)
	}
	j.Height, j.Width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	n := int(b[5])
	if j.Height == 0 || j.Width == 0 || n < 1 || n > 4 {
		return fmt.Errorf("%d x %d pixels of %d components: %w", j.Width, j.Height, n, ErrCorrupt)
	}
	j.Components = make([]JPEGComponent, n)
	for i := range j.Components {
		f := b[6+3*i:]
		c := JPEGComponent{ID: f[0], H: int(f[1] >> 4), V: int(f[1] & 15), table: f[2]}
		if c.H < 1 || c.H > 4 || c.V < 1 || c.V > 4 || c.table > 3 {
			return fmt.Errorf("component %d of %d x %d: %w", i, c.H, c.V, ErrCorrupt)
		}
		if n == 1 {
			c.H, c.V = 1, 1 // a single component has no units of several blocks
		}
		j.Components[i] = c
		j.hMax, j.vMax = max(j.hMax, c.H), max(j.vMax, c.V)
	}
	for i := range j.Components {
		c := &j.Components[i]
		c.width = (j.Width*c.H + j.hMax - 1) / j.hMax
		c.height = (j.Height*c.V + j.vMax - 1) / j.vMax
	}
	return nil
}

// quantisation reads tables of 64 factors of 8 or 16 bits each.
func (t *jpegTables) quantisation(b []byte) error {
	for len(b) > 0 {
		wide, id := int(b[0]>>4), b[0]&15
		if wide > 1 || id > 3 || len(b) < 1+64*(1+wide) {
			return fmt.Errorf("quantisation table: %w", ErrCorrupt)
		}
		b = b[1:]
		for i := range 64 {
			if wide == 1 {
				t.quant[id][i] = binary.BigEndian.Uint16(b[2*i:])
			} else {
				t.quant[id][i] = uint16(b[i])
			}
		}
		t.hasQuant[id] = true
		b = b[64*(1+wide):]
	}
	return nil
}

// Decode fills dst with the components of each pixel side by side, row by row; it has to measure
// Width x Height x components.
func (j *JPEG) Decode(dst []byte) error {
	switch {
	case j.Lossless:
		return fmt.Errorf("codec: jpeg: coding process %#x is not known", jpegSOF3)
	case j.Bits != 8:
		return fmt.Errorf("codec: jpeg: %d bits a sample are not known", j.Bits)
	}
	if len(dst) != j.Width*j.Height*len(j.Components) {
		return fmt.Errorf("codec: jpeg: %d bytes for %d x %d pixels of %d components", len(dst), j.Width, j.Height, len(j.Components))
	}
	for i := range j.Components {
		c := &j.Components[i]
		across, down := j.units()
		c.stride = across * c.H * 8
		c.data = make([]byte, c.stride*down*c.V*8)
	}
	scans := j.decodeScans
	if j.Progressive {
		scans = j.decodeProgressive
	}
	if err := scans(); err != nil {
		return fmt.Errorf("codec: jpeg: %w", err)
	}
	for i := range j.Components {
		j.enlarge(dst, i)
	}
	return nil
}

// units is how many units of hMax x vMax blocks cover the picture.
func (j *JPEG) units() (across, down int) {
	return (j.Width + 8*j.hMax - 1) / (8 * j.hMax), (j.Height + 8*j.vMax - 1) / (8 * j.vMax)
}

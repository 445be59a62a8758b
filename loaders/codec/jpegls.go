package codec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// A JPEGLS is a picture coded without loss, or nearly so, by JPEG-LS (ITU-T T.87), of 2 to 16 bits a
// sample and 1 to 4 components. Mapping tables and restart markers are refused.
//
//	j, err := codec.ParseJPEGLS(stream)
//	samples := make([]uint16, j.Width*j.Height*j.Components)
//	err = j.Decode(samples)
type JPEGLS struct {
	Width, Height int
	Components    int
	Bits          int

	ids    []byte
	preset [5]int // MAXVAL, T1, T2, T3, RESET; 0 for the default
	scans  []byte
}

// Markers that JPEG-LS adds (T.87, table C.1).
const (
	jpegSOF55 = 0xF7
	jpegLSE   = 0xF8
	jpegAPP8  = 0xE8
)

// ParseJPEGLS reads what stands before the pixels.
func ParseJPEGLS(s []byte) (*JPEGLS, error) {
	j := &JPEGLS{}
	if err := j.parse(s); err != nil {
		return nil, fmt.Errorf("codec: jpeg-ls: %w", err)
	}
	return j, nil
}

func (j *JPEGLS) parse(s []byte) error {
	if len(s) < 2 || s[0] != 0xFF || s[1] != jpegSOI {
		return fmt.Errorf("does not begin as one: %w", ErrCorrupt)
	}
	for s = s[2:]; ; {
		marker, body, rest, err := segment(s)
		if err != nil {
			return err
		}
		switch {
		case marker == jpegSOS && j.Components > 0:
			j.scans = s
			return nil
		case marker == jpegSOS || marker == jpegEOI:
			return fmt.Errorf("no picture: %w", ErrCorrupt)
		}
		if err := j.define(marker, body); err != nil {
			return err
		}
		s = rest
	}
}

// define takes in one segment other than a scan.
func (j *JPEGLS) define(marker byte, b []byte) error {
	switch marker {
	case jpegSOF55:
		if len(b) < 6 || len(b) < 6+3*int(b[5]) || j.Components > 0 {
			return fmt.Errorf("frame header: %w", ErrCorrupt)
		}
		j.Bits, j.Components = int(b[0]), int(b[5])
		j.Height, j.Width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
		if j.Bits < 2 || j.Bits > 16 || j.Height == 0 || j.Width == 0 || j.Components < 1 || j.Components > 4 {
			return fmt.Errorf("%d x %d pixels of %d components of %d bits: %w", j.Width, j.Height, j.Components, j.Bits, ErrCorrupt)
		}
		for i := range j.Components {
			if b[7+3*i] != 0x11 {
				return fmt.Errorf("components of different sizes are not known")
			}
			j.ids = append(j.ids, b[6+3*i])
		}
	case jpegLSE:
		if len(b) < 11 || b[0] != 1 {
			return fmt.Errorf("mapping tables are not known")
		}
		for i := range j.preset {
			j.preset[i] = int(binary.BigEndian.Uint16(b[1+2*i:]))
		}
	case jpegDRI:
		for _, v := range b {
			if v != 0 {
				return fmt.Errorf("restart markers are not known")
			}
		}
	case jpegAPP8:
		if len(b) >= 5 && string(b[:4]) == "mrfx" && b[4] != 0 {
			return fmt.Errorf("the colour transform %d of HP is not known", b[4])
		}
	case jpegSOF0, jpegSOF1, jpegSOF2, jpegSOF3:
		return fmt.Errorf("it is JPEG and not JPEG-LS: %w", ErrCorrupt)
	}
	return nil
}

// Decode fills dst with the components of each pixel side by side, row by row; it has to measure
// Width x Height x Components.
func (j *JPEGLS) Decode(dst []uint16) error {
	if len(dst) != j.Width*j.Height*j.Components {
		return fmt.Errorf("codec: jpeg-ls: room for %d samples of %d x %d pixels of %d components", len(dst), j.Width, j.Height, j.Components)
	}
	seen := make([]bool, j.Components)
	count := 0
	for s := j.scans; count < j.Components; {
		marker, body, rest, err := segment(s)
		switch {
		case err == nil && marker == jpegSOS:
			var which []int
			var l *lsScan
			if which, l, err = j.scan(body, seen); err == nil {
				count += len(which)
				s, err = l.decode(dst, rest)
			}
		case err == nil && marker == jpegEOI:
			err = fmt.Errorf("%d of %d components: %w", count, j.Components, io.ErrUnexpectedEOF)
		case err == nil:
			err = j.define(marker, body)
			s = rest
		}
		if err != nil {
			return fmt.Errorf("codec: jpeg-ls: %w", err)
		}
	}
	return nil
}

// scan reads a scan's header: components (1), for each its ID and its mapping table, NEAR (1),
// interleaving (1), point transform (1).
func (j *JPEGLS) scan(b []byte, seen []bool) ([]int, *lsScan, error) {
	if len(b) < 1 || len(b) < 1+2*int(b[0])+3 || b[0] == 0 {
		return nil, nil, fmt.Errorf("scan header: %w", ErrCorrupt)
	}
	n := int(b[0])
	var which []int
	for k := range n {
		at := -1
		for i, id := range j.ids {
			if id == b[1+2*k] && !seen[i] {
				at = i
				break
			}
		}
		if at < 0 {
			return nil, nil, fmt.Errorf("scan of component %d: %w", b[1+2*k], ErrCorrupt)
		}
		if b[2+2*k] != 0 {
			return nil, nil, fmt.Errorf("mapping tables are not known")
		}
		seen[at] = true
		which = append(which, at)
	}
	near, mode, shift := int(b[1+2*n]), int(b[2+2*n]), int(b[3+2*n]&15)
	if mode > 2 || n > 1 && mode == 0 || shift >= j.Bits {
		return nil, nil, fmt.Errorf("interleaving %d of %d components: %w", mode, n, ErrCorrupt)
	}
	l := &lsScan{JPEGLS: j, which: which, bySample: mode == 2 && n > 1, shift: uint(shift)}
	return which, l, l.prepare(near)
}

// prepare sets the parameters (T.87, sections A.2.1 and C.2.4.1.1).
func (l *lsScan) prepare(near int) error {
	l.near, l.most = near, l.preset[0]
	if l.most == 0 {
		l.most = 1<<l.Bits - 1
	}
	if l.most >= 1<<l.Bits || near > min(255, l.most/2) {
		return fmt.Errorf("largest value %d and error %d of %d bits: %w", l.most, near, l.Bits, ErrCorrupt)
	}
	clamp := func(v, least int) int {
		if v > l.most || v < least {
			return least
		}
		return v
	}
	var t [3]int
	if l.most >= 128 {
		f := (min(l.most, 4095) + 128) / 256
		t = [3]int{f + 2 + 3*near, 4*f + 3 + 5*near, 17*f + 4 + 7*near}
	} else {
		f := 256 / (l.most + 1)
		t = [3]int{max(2, 3/f+3*near), max(3, 7/f+5*near), max(4, 21/f+7*near)}
	}
	least := near + 1
	for i := range t {
		t[i] = clamp(t[i], least)
		if p := l.preset[1+i]; p != 0 {
			t[i] = p
		}
		if t[i] < least || t[i] > l.most {
			return fmt.Errorf("thresholds %v: %w", l.preset, ErrCorrupt)
		}
		least = t[i]
	}
	l.steps = t
	if l.reset = l.preset[4]; l.reset == 0 {
		l.reset = 64
	}
	if l.reset < 3 {
		return fmt.Errorf("counters that reset at %d: %w", l.reset, ErrCorrupt)
	}
	l.spread = (l.most+2*near)/(2*near+1) + 1
	l.width = uint(bits.Len(uint(l.spread - 1)))
	depth := max(2, bits.Len(uint(l.most)))
	l.limit = 2 * (depth + max(8, depth))
	for i := range l.contexts {
		l.contexts[i] = lsContext{a: max(2, (l.spread+32)/64), n: 1}
	}
	return nil
}

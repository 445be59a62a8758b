package codec

import (
	"fmt"
	"io"
	"math/bits"
)

// A FaxKind is one of the forms in which CCITT facsimile stands in files.
type FaxKind int

// The kinds, by the names that TIFF gives them.
const (
	FaxRLE     FaxKind = iota // lines of T.4 without ends of line, each from a whole byte on
	FaxRLEWord                // the same, each from an even byte on
	FaxG3                     // T.4 in one dimension, with or without ends of line
	FaxG32D                   // T.4 in two dimensions
	FaxG4                     // T.6
)

// Fax decodes rows of width pixels of one bit, the highest first, black as 1 (ITU-T T.4 and T.6). Every
// row of dst begins at a whole byte. It gives how many bytes of whole rows there are; data that go on
// behind the last are not looked at.
func Fax(dst, src []byte, width int, kind FaxKind) (int, error) {
	stride := (width + 7) / 8
	if width < 1 || len(dst)%stride != 0 {
		return 0, fmt.Errorf("codec: fax: %d bytes are no rows of %d pixels", len(dst), width)
	}
	f := fax{bits: faxBits{src: src}, width: width}
	for n := 0; n < len(dst); n += stride {
		end, err := f.line(kind, n == 0)
		if err == nil && f.bits.spent() {
			err = io.ErrUnexpectedEOF
		}
		switch {
		case err != nil:
			return n, fmt.Errorf("codec: fax: row %d: %w", n/stride, err)
		case end:
			return n, nil
		}
		f.draw(dst[n:][:stride])
		f.above, f.here = f.here, f.above[:0]
	}
	return len(dst), nil
}

// fax is the state between rows. A row is the places where its colour changes: to black, back to
// white, and so on, rising.
type fax struct {
	bits        faxBits
	width       int
	above, here []int
}

// line decodes one row into here. end reports that the page ended before it.
func (f *fax) line(kind FaxKind, first bool) (end bool, err error) {
	flat := true
	switch kind {
	case FaxRLE:
		f.bits.align(8)
	case FaxRLEWord:
		f.bits.align(16)
	case FaxG4:
		if f.bits.peek(12) == 1 { // two ends of line close the page
			return true, nil
		}
		flat = false
	default:
		ended := f.bits.endOfLine()
		if kind == FaxG32D {
			if !ended && !first {
				return false, fmt.Errorf("no end of line: %w", ErrCorrupt)
			}
			flat = f.bits.peek(1) == 1
			f.bits.skip(1)
		}
		if ended && f.bits.endOfLine() {
			return true, nil // six of them close the page
		}
	}
	if flat {
		return false, f.flat()
	}
	return false, f.deep()
}

// flat decodes a row of runs, white and black in turn (T.4, section 2.2).
func (f *fax) flat() error {
	at, black := 0, 0
	for at < f.width {
		n, err := f.bits.run(black)
		if err != nil {
			return err
		}
		if at += n; at > f.width {
			return fmt.Errorf("a run to pixel %d of %d: %w", at, f.width, ErrCorrupt)
		}
		f.here = append(f.here, at)
		black ^= 1
	}
	return nil
}

// deep decodes a row by its differences to the row above (T.4, section 4.2; T.6, section 2.2).
func (f *fax) deep() error {
	at, black := -1, 0
	for at < f.width {
		// The next change above to the other colour, and the one after it.
		k := black
		for k < len(f.above) && (f.above[k] <= at) {
			k += 2
		}
		b1, b2 := f.change(k), f.change(k+1)
		mode, err := f.bits.mode()
		switch {
		case err != nil:
			return err
		case mode == faxPass:
			at = b2
			continue
		case mode == faxHorizontal:
			at = max(at, 0)
			for i := range 2 {
				n, err := f.bits.run(black ^ i)
				if err != nil {
					return err
				}
				if at += n; at > f.width {
					return fmt.Errorf("a run to pixel %d of %d: %w", at, f.width, ErrCorrupt)
				}
				f.here = append(f.here, at)
			}
		default:
			next := b1 + mode
			if next < max(at, 0) || next > f.width || next == at {
				return fmt.Errorf("a change from pixel %d to %d of %d: %w", at, next, f.width, ErrCorrupt)
			}
			at = next
			f.here = append(f.here, at)
			black ^= 1
		}
	}
	return nil
}

func (f *fax) change(k int) int {
	if k < len(f.above) {
		return f.above[k]
	}
	return f.width
}

// draw sets the black pixels of here.
func (f *fax) draw(row []byte) {
	clear(row)
	for k := 0; k < len(f.here); k += 2 {
		from, to := f.here[k], f.width
		if k+1 < len(f.here) {
			to = f.here[k+1]
		}
		for x := from; x < to; {
			if x%8 == 0 && to-x >= 8 {
				row[x/8] = 0xFF
				x += 8
				continue
			}
			row[x/8] |= 0x80 >> (x % 8)
			x++
		}
	}
}

// faxBits reads bits, the highest of each byte first; behind the end it gives zeros.
type faxBits struct {
	src  []byte
	acc  uint64
	have int
	end  int // bits that were made up
	used int // bits that were taken
}

func (b *faxBits) peek(n int) int {
	for b.have < n {
		v := byte(0)
		if len(b.src) > 0 {
			v, b.src = b.src[0], b.src[1:]
		} else {
			b.end += 8
		}
		b.acc |= uint64(v) << (56 - b.have)
		b.have += 8
	}
	return int(b.acc >> (64 - n))
}

func (b *faxBits) skip(n int) {
	b.peek(n)
	b.acc, b.have, b.used = b.acc<<n, b.have-n, b.used+n
}

func (b *faxBits) spent() bool { return b.have < b.end }

// align skips to a place that n divides.
func (b *faxBits) align(n int) { b.skip(-b.used & (n - 1)) }

// endOfLine takes eleven or more zeros and a one, if they stand here.
func (b *faxBits) endOfLine() bool {
	if b.peek(11) != 0 {
		return false
	}
	for b.peek(1) == 0 {
		if b.spent() {
			return false
		}
		b.skip(1 + min(bits.LeadingZeros64(b.acc), b.have-1)/2)
	}
	b.skip(1)
	return true
}

// run is the length of the next run of a colour: parts of 64 and more until one below 64.
func (b *faxBits) run(black int) (int, error) {
	table, n := &faxRuns()[black], 0
	for {
		c := table[b.peek(13)]
		if c.bits == 0 {
			return 0, fmt.Errorf("a run that is in no table: %w", ErrCorrupt)
		}
		b.skip(int(c.bits))
		if n += int(c.run); c.run < 64 {
			return n, nil
		}
		if n > 1<<26 {
			return 0, fmt.Errorf("a run of %d pixels: %w", n, ErrCorrupt)
		}
	}
}

// Modes of two dimensions. Those from -3 to 3 are the distance to the change above.
const (
	faxPass       = 10
	faxHorizontal = 11
)

func (b *faxBits) mode() (int, error) {
	v := b.peek(7)
	for _, m := range [...]struct{ bits, word, mode int }{
		{1, 0b1, 0}, {3, 0b011, 1}, {3, 0b010, -1}, {3, 0b001, faxHorizontal}, {4, 0b0001, faxPass},
		{6, 0b000011, 2}, {6, 0b000010, -2}, {7, 0b0000011, 3}, {7, 0b0000010, -3},
	} {
		if v>>(7-m.bits) == m.word {
			b.skip(m.bits)
			return m.mode, nil
		}
	}
	return 0, fmt.Errorf("a mode that is not known: %w", ErrCorrupt)
}

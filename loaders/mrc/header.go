package mrc

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"strings"

	"lamella/loaders"
)

// headerSize is that of the main header, 256 words of four bytes; the comments give words as MRC2014 counts
// them, from 1.
const headerSize = 1024

// A header is what the main header says. Columns are fastest, then rows, then sections.
type header struct {
	order binary.ByteOrder

	n      [3]int64 // words 1 to 3: columns, rows, sections
	mode   int      // word 4
	grid   [3]int64 // words 8 to 10: MX, MY, MZ, intervals along the axes of the cell
	cell   [3]float64
	axis   [3]int // words 17 to 19: which axis of the cell columns, rows and sections are, 1 to 3
	least  float64
	most   float64
	group  int // word 23: 0 for a stack of pictures, 1 for a volume, from 401 on stacks of volumes
	ext    int64
	stamp  uint32 // words 39 and 40: IMOD's
	flags  uint32
	mapped bool // word 53 holds "MAP "
}

// modes are the values of word 4: MRC2014, and 16 and 101 as IMOD writes them.
var modes = map[int]struct {
	name string // of one sample; "" if it cannot be shown
	what string
}{
	0: {name: "int8"}, 1: {name: "int16"}, 2: {name: "float32"}, 3: {what: "complex integers"}, 4: {what: "complex numbers"},
	6: {name: "uint16"}, 12: {name: "float16"}, 16: {name: "uint8"}, 101: {name: "uint8"},
}

// endings are those of files that older programs wrote without "MAP " in their headers.
var endings = []string{".mrc", ".mrcs", ".map", ".ccp4", ".rec", ".st", ".ali", ".preali"}

func hasEnding(key string) bool {
	name := strings.ToLower(key)
	for _, e := range []string{".gz", ".bz2"} {
		name = strings.TrimSuffix(name, e)
	}
	for _, e := range endings {
		if path.Ext(name) == e {
			return true
		}
	}
	return false
}

// known tells whether head begins a file: by "MAP " in word 53, or where that is missing by a name and
// by numbers that can be.
func known(head []byte, key string) bool {
	if len(head) < headerSize {
		return false
	}
	if string(head[208:211]) == "MAP" {
		h := read(head)
		_, ok := modes[h.mode]
		return ok || hasEnding(key)
	}
	if !hasEnding(key) {
		return false
	}
	h := read(head)
	_, ok := modes[h.mode]
	return ok && h.sane()
}

// read takes the words apart. The machine stamp in word 54 tells the byte order; programs have written it wrong, so
// it is believed as far as the numbers can be.
func read(p []byte) header {
	var order, other binary.ByteOrder = binary.LittleEndian, binary.BigEndian
	if p[212] == 0x11 {
		order, other = other, order
	}
	h := take(p, order)
	if !h.sane() {
		if swapped := take(p, other); swapped.sane() {
			return swapped
		}
	}
	return h
}

// sane reports whether the numbers can be those of a file in this byte order.
func (h *header) sane() bool {
	if _, ok := modes[h.mode]; !ok {
		return false
	}
	for _, n := range h.n {
		if n < 1 {
			return false
		}
	}
	return h.axis == [3]int{} || h.permuted()
}

func (h *header) permuted() bool {
	seen := 0
	for _, a := range h.axis {
		if a >= 1 && a <= 3 {
			seen |= 1 << a
		}
	}
	return seen == 0b1110
}

func take(p []byte, order binary.ByteOrder) header {
	word := func(n int) uint32 { return order.Uint32(p[4*(n-1):]) }
	whole := func(n int) int64 { return int64(int32(word(n))) }
	real := func(n int) float64 { return float64(math.Float32frombits(word(n))) }
	h := header{order: order, mode: int(whole(4)), least: real(20), most: real(21), group: int(whole(23)), ext: whole(24)}
	for i := range 3 {
		h.n[i], h.grid[i], h.cell[i], h.axis[i] = whole(1+i), whole(8+i), real(11+i), int(whole(17+i))
	}
	h.stamp, h.flags = word(39), word(40)
	h.mapped = string(p[208:211]) == "MAP"
	return h
}

// check refuses what no reader could make sense of.
func (h *header) check() error {
	m, ok := modes[h.mode]
	switch {
	case !ok:
		return fmt.Errorf("mode %d is none that MRC2014 or IMOD define: %w", h.mode, loaders.ErrUnsupported)
	case m.name == "":
		return fmt.Errorf("it holds %s (mode %d): %w", m.what, h.mode, loaders.ErrUnsupported)
	case h.ext < 0:
		return fmt.Errorf("an extended header of %d bytes: %w", h.ext, loaders.ErrDamaged)
	case h.axis != [3]int{} && !h.permuted():
		return fmt.Errorf("columns, rows and sections are axes %d, %d, %d, not 1, 2 and 3 in some order: %w", h.axis[0], h.axis[1], h.axis[2], loaders.ErrDamaged)
	}
	for i, what := range []string{"columns", "rows", "sections"} {
		if h.n[i] < 1 {
			return fmt.Errorf("%d %s: %w", h.n[i], what, loaders.ErrDamaged)
		}
	}
	return nil
}

// imodStamp is what IMOD writes in word 39, and signedBytes a flag in word 40.
const (
	imodStamp   = 1146047817
	signedBytes = 1
)

// unsigned tells whether the bytes of mode 0 are 0 to 255. MRC2014 has them signed, older programs had not; IMOD
// says which in its own words, and of files of others the range in words 20 and 21 tells, as in IMOD.
func (h *header) unsigned() (is, guessed bool) {
	if h.stamp == imodStamp {
		return h.flags&signedBytes == 0, false
	}
	return h.least >= 0 && h.most > 127 && h.most <= 255, h.least >= 0 && h.most > 127 && h.most <= 255
}

// step is how far neighbours along columns (0), rows or sections are apart, in Å; 0 if that is not stated.
func (h *header) step(i int) float64 {
	a := i
	if h.axis != [3]int{} {
		a = h.axis[i] - 1
	}
	if h.grid[a] < 1 {
		return 0
	}
	return loaders.Step(h.cell[a] / float64(h.grid[a]))
}

package sequence

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"lamella/loaders"
)

// bmpOf is a BMP with a header of 40 bytes: four colours for up to 8 bits, then what follows.
func bmpOf(width, height, depth int, packing uint32, rest ...byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00"), 54)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 40), uint32(width)), uint32(height))
	b = le.AppendUint32(le.AppendUint16(le.AppendUint16(b, 1), uint16(depth)), packing)
	b = le.AppendUint32(append(b, make([]byte, 12)...), 4)
	b = append(b, make([]byte, 4)...)
	if depth <= 8 {
		b = append(b, 0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0)
		b[10] += 16
	}
	return append(b, rest...)
}

func TestBMPByHand(t *testing.T) {
	masks := func(v ...uint32) (p []byte) {
		for _, m := range v {
			p = binary.LittleEndian.AppendUint32(p, m)
		}
		return p
	}
	with := func(b []byte, start byte) []byte { b[10] = start; return b }
	for name, c := range map[string]struct {
		raw  []byte
		want []byte
	}{
		"one bit, the lowest row first": {bmpOf(3, 2, 1, 0, 0b101<<5, 0, 0, 0, 0b010<<5, 0, 0, 0), []byte{0, 1, 0, 1, 0, 1}},
		"rows from the top":             {bmpOf(3, -2, 4, 0, 0x12, 0x30, 0, 0, 0x01, 0x20, 0, 0), []byte{1, 2, 3, 0, 1, 2}},
		"24 bits":                       {bmpOf(1, 1, 24, 0, 3, 2, 1, 0), []byte{1, 2, 3}},
		"15 bits":                       {bmpOf(1, 1, 16, 0, 0x1F, 0x7C, 0, 0), []byte{255, 0, 255}},
		"masks of 5, 6 and 5 bits":      {with(bmpOf(1, 1, 16, 3, append(masks(0xF800, 0x7E0, 0x1F), 0xE0, 0x07, 0, 0)...), 66), []byte{0, 255, 0}},
		"runs of 8 bits":                {bmpOf(5, 2, 8, 1, 3, 2, 2, 1, 0, 0, 0, 3, 1, 2, 3, 0, 1, 2, 0, 1), []byte{1, 2, 3, 2, 0, 2, 2, 2, 1, 1}},
		"runs of 4 bits":                {bmpOf(5, 1, 4, 2, 3, 0x12, 0, 2, 1, 0, 1, 0x30, 0, 1), []byte{1, 2, 1, 0, 3}},
		"a leap over two rows":          {bmpOf(2, 3, 8, 1, 1, 1, 0, 2, 0, 2, 1, 3, 0, 1), []byte{0, 3, 0, 0, 1, 0}},
	} {
		b, err := parseBMP(c.raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := slices.Repeat([]byte{9}, len(c.want))
		if err := b.decode(got, c.raw); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v, %v", name, got, c.want, err)
		}
	}
}

func TestBMPThatCannotBeIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"JPEG in it":            {bmpOf(8, 8, 0, 4), "0 bits"},
		"runs of 24 bits":       {bmpOf(8, 8, 24, 1), "packing 1"},
		"runs from the top":     {bmpOf(8, -8, 8, 1), "packing 1"},
		"three bits":            {bmpOf(8, 8, 3, 0), "3 bits"},
		"a header of 13 bytes":  {append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x0d"), make([]byte, 60)...), "header of 13"},
		"half of its pixels":    {bmpOf(8, 8, 24, 0, make([]byte, 96)...), "instead of 192"},
		"runs that end too low": {bmpOf(4, 4, 8, 1, 4, 1, 0, 0), "before the top"},
		"a run that is cut":     {bmpOf(4, 4, 8, 1, 0, 9, 1), "cut"},
	} {
		b, err := parseBMP(c.raw)
		if err == nil {
			err = b.decode(make([]byte, 3*64), c.raw)
		} else if !errors.Is(err, loaders.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzBMP(f *testing.F) {
	f.Add(bmpOf(5, 2, 8, 1, 3, 2, 2, 1, 0, 0, 0, 3, 1, 2, 3, 0, 1, 2, 0, 1))
	f.Add(bmpOf(5, 1, 4, 2, 3, 0x12, 0, 2, 1, 0, 1, 0x30, 0, 1))
	f.Add(bmpOf(3, -2, 4, 0, 0x12, 0x30, 0, 0, 0x01, 0x20, 0, 0))
	f.Add(bmpOf(1, 1, 16, 0, 0x1F, 0x7C, 0, 0))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := parseBMP(raw)
		if err != nil || b.width < 1 || b.height < 1 || b.width > 1<<10 || b.height > 1<<10 {
			return
		}
		samples := 1
		if b.depth > 8 {
			samples = 3
		}
		if b.masks[3] != 0 {
			samples = 4
		}
		b.decode(make([]byte, samples*b.width*b.height), raw)
	})
}

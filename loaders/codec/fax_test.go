package codec_test

import (
	"errors"
	"testing"

	"lamella/loaders/codec"
)

// packed turns "0011 1" into bytes.
func packed(word string) []byte {
	var out []byte
	n := 0
	for _, c := range word {
		if c == ' ' {
			continue
		}
		if n%8 == 0 {
			out = append(out, 0)
		}
		if c == '1' {
			out[len(out)-1] |= 0x80 >> (n % 8)
		}
		n++
	}
	return out
}

func TestFaxByHand(t *testing.T) {
	const eol = "000000000001 "
	for name, c := range map[string]struct {
		kind codec.FaxKind
		word string
		want []byte
	}{
		// A row of 8: two white, three black, three white; then all white.
		"rle":                  {codec.FaxRLE, "0111 10 1000 000000" + "10011 000", []byte{0b00111000, 0}},
		"rle by words":         {codec.FaxRLEWord, "10011 000 00000000" + "0111 10 1000", []byte{0, 0b00111000}},
		"g3":                   {codec.FaxG3, eol + "0111 10 1000 " + eol + "10011", []byte{0b00111000, 0}},
		"g3 without ends":      {codec.FaxG3, "0111 10 1000 10011", []byte{0b00111000, 0}},
		"g3 with filling":      {codec.FaxG3, "0000" + eol + "0111 10 1000 0000000000" + eol + "10011", []byte{0b00111000, 0}},
		"g3 2-D, row as above": {codec.FaxG32D, eol + "1 0111 10 1000 " + eol + "0 1 1 1", []byte{0b00111000, 0b00111000}},
		"g4, moved by one":     {codec.FaxG4, "001 0111 10 1 " + "011 010 1", []byte{0b00111000, 0b00010000}},
		"g4, passed over":      {codec.FaxG4, "001 0111 10 1 " + "0001 1", []byte{0b00111000, 0}},
		"g4, all black":        {codec.FaxG4, "001 00110101 000101 " + "1 1", []byte{0xFF, 0xFF}},
	} {
		got := []byte{0xAA, 0xAA}
		n, err := codec.Fax(got, packed(c.word+"0000000000000000"), 8, c.kind)
		if err != nil || n != 2 || string(got) != string(c.want) {
			t.Errorf("%s: %d bytes %08b, not %08b, %v", name, n, got, c.want, err)
		}
	}
}

func TestFaxThatEndsEarlyOrMakesNoSense(t *testing.T) {
	if n, err := codec.Fax(make([]byte, 4), packed("001 0111 10 1 000000000001 000000000001"), 8, codec.FaxG4); n != 1 || err != nil {
		t.Errorf("a page that ends after one row: %d, %v", n, err)
	}
	for name, word := range map[string]string{"a run too long": "10100 10100", "no such word": "00000000 11111111"} {
		if _, err := codec.Fax(make([]byte, 1), packed(word+"000000000000"), 8, codec.FaxRLE); !errors.Is(err, codec.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := codec.Fax(make([]byte, 3), nil, 8, codec.FaxG4); err == nil {
		t.Error("nothing made three rows")
	}
}

func FuzzFax(f *testing.F) {
	f.Add(packed("001 0111 10 1 011 010 1"), uint16(8), uint8(3))
	f.Add(packed("000000000001 0111 10 1000"), uint16(8), uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, width uint16, kind uint8) {
		w := int(width)%5000 + 1
		dst := make([]byte, (w+7)/8*20)
		n, err := codec.Fax(dst, src, w, codec.FaxKind(kind%4))
		if n < 0 || n > len(dst) || err == nil && n < len(dst) && n%((w+7)/8) != 0 {
			t.Errorf("%d of %d bytes, %v", n, len(dst), err)
		}
	})
}

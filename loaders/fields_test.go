package loaders

import (
	"encoding/binary"
	"testing"
)

func TestFieldsOfAHeaderAreNumbersAndTexts(t *testing.T) {
	head := []byte{0xff, 0xfe, 0, 0, 0x3f, 0xc0, 0, 0, 'a', 'b', 0, 'c', 0, 0, 0, 0, 0, 0, 0, 7}
	for _, c := range []struct {
		field string
		want  string // "" if nothing is noted
	}{
		{"0 u1 a byte", "255"},
		{"0 i1 a byte with a sign", "-1"},
		{"0 i2*2 two of 16 bits", "-2, 0"},
		{"0 u2 16 bits without a sign", "65534"},
		{"4 f4 a real number", "1.5"},
		{"12 i8 64 bits", "7"},
		{"8 text*4 a text up to its zero", "ab"},
		{"12 text*4 a text of zeros", ""},
		{"16 f8 a field beyond the end", ""},
	} {
		var e Entries
		e.AddFields(head, binary.BigEndian, c.field)
		got := ""
		for _, x := range e.List() {
			got = x.Value
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.field, got, c.want)
		}
	}
}

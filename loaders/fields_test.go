package loaders

import (
	"encoding/binary"
	"testing"
)

func TestFieldsOfAHeaderAreNumbersAndTexts(t *testing.T) {
	head := []byte{0xff, 0xfe, 0, 0, 0x3f, 0xc0, 0, 0, 'a', 'b', 0, 'c', 0, 0, 0, 0, 0, 0, 0, 7}
	for _, c := range []struct {
		field Field
		want  string // "" if nothing is noted
	}{
		{Field{"a byte", 0, "u1", 0}, "255"},
		{Field{"a byte with a sign", 0, "i1", 1}, "-1"},
		{Field{"two of 16 bits", 0, "i2", 2}, "-2, 0"},
		{Field{"16 bits without a sign", 0, "u2", 1}, "65534"},
		{Field{"a real number", 4, "f4", 1}, "1.5"},
		{Field{"64 bits", 12, "i8", 1}, "7"},
		{Field{"a text up to its zero", 8, "text", 4}, "ab"},
		{Field{"a text of zeros", 12, "text", 4}, ""},
		{Field{"a field beyond the end", 16, "f8", 1}, ""},
	} {
		var e Entries
		e.AddFields(head, binary.BigEndian, []Field{c.field})
		got := ""
		for _, x := range e.List() {
			got = x.Value
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.field.Name, got, c.want)
		}
	}
}

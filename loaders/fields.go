package loaders

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// A Field is a place in a binary header, by the name that the format gives it: Count numbers of a Kind, "i1" to "i8",
// "u1" to "u8", "f4" or "f8" as numpy calls them, or one text of Count bytes, "text". A Count of 0 is 1.
type Field struct {
	Name  string
	At    int
	Kind  string
	Count int
}

// AddFields notes the fields of a header as far as it reaches.
func (e *Entries) AddFields(head []byte, order binary.ByteOrder, fields []Field) {
	for _, f := range fields {
		n, size := max(1, f.Count), 1
		if f.Kind != "text" {
			size = int(f.Kind[1] - '0')
		}
		if f.At+n*size > len(head) {
			continue
		}
		p := head[f.At : f.At+n*size]
		if f.Kind == "text" {
			text, _, _ := strings.Cut(string(p), "\x00")
			e.Add(f.Name, text)
			continue
		}
		words := make([]string, n)
		for i := range words {
			words[i] = inWords(p[i*size:], order, f.Kind)
		}
		e.Add(f.Name, strings.Join(words, ", "))
	}
}

// inWords writes the first number of p as people do.
func inWords(p []byte, order binary.ByteOrder, kind string) string {
	switch kind {
	case "i1":
		return strconv.Itoa(int(int8(p[0])))
	case "u1":
		return strconv.Itoa(int(p[0]))
	case "i2":
		return strconv.Itoa(int(int16(order.Uint16(p))))
	case "u2":
		return strconv.Itoa(int(order.Uint16(p)))
	case "i4":
		return strconv.Itoa(int(int32(order.Uint32(p))))
	case "u4":
		return strconv.FormatUint(uint64(order.Uint32(p)), 10)
	case "i8":
		return strconv.FormatInt(int64(order.Uint64(p)), 10)
	case "u8":
		return strconv.FormatUint(order.Uint64(p), 10)
	case "f4":
		return strconv.FormatFloat(float64(math.Float32frombits(order.Uint32(p))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(order.Uint64(p)), 'g', -1, 64)
}

package loaders

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// AddFields notes fields of a binary header as far as it reaches. The table has a line for each: where it begins, what it
// is, and the name that the format gives it, "40 i2*8 dim". It is i1 to i8, u1 to u8, f4 or f8, as numpy calls numbers, or
// text, and behind a star how many of them; texts end at their first zero.
func (e *Entries) AddFields(head []byte, order binary.ByteOrder, table string) {
	for line := range strings.Lines(table) {
		at, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind, name, _ := strings.Cut(rest, " ")
		kind, count, many := strings.Cut(kind, "*")
		from, err := strconv.Atoi(at)
		if err != nil {
			continue
		}
		n, size := 1, 1
		if many {
			n, _ = strconv.Atoi(count)
		}
		if kind != "text" {
			size = int(kind[1] - '0')
		}
		if from+n*size > len(head) {
			continue
		}
		p := head[from : from+n*size]
		if kind == "text" {
			text, _, _ := strings.Cut(string(p), "\x00")
			e.Add(name, text)
			continue
		}
		words := make([]string, n)
		for i := range words {
			words[i] = inWords(p[i*size:], order, kind)
		}
		e.Add(name, strings.Join(words, ", "))
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

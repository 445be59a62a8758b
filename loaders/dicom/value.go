package dicom

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// A dataSet is the wanted elements of a data set.
type dataSet map[tag]value

// A value is the bytes of an element, or the items of a sequence.
type value struct {
	raw   []byte
	order binary.ByteOrder
	items []dataSet

	vr     string // as the file states it, "" in implicit VR
	length uint32 // in bytes
}

// texts are the values of a character string, which a backslash parts.
func (d dataSet) texts(t tag) []string {
	raw := strings.TrimRight(string(d[t].raw), "\x00 ")
	if raw == "" {
		return nil
	}
	parts := strings.Split(raw, `\`)
	for i, p := range parts {
		parts[i] = strings.Trim(p, "\x00 \t")
	}
	return parts
}

// text is the first value, "" if there is none.
func (d dataSet) text(t tag) string {
	if v := d.texts(t); len(v) > 0 {
		return v[0]
	}
	return ""
}

// floats are the values of a decimal string; nil if one of them is no finite number.
func (d dataSet) floats(t tag) []float64 {
	var out []float64
	for _, s := range d.texts(t) {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// float is the first of floats, and whether there is one.
func (d dataSet) float(t tag) (float64, bool) {
	if v := d.floats(t); len(v) > 0 {
		return v[0], true
	}
	return 0, false
}

// numbers are the values of a binary element of integers.
func (d dataSet) numbers(t tag) []int64 {
	v := d[t]
	var out []int64
	switch wanted[t] {
	case shorts:
		for p := v.raw; len(p) >= 2; p = p[2:] {
			out = append(out, int64(v.order.Uint16(p)))
		}
	case longs:
		for p := v.raw; len(p) >= 4; p = p[4:] {
			out = append(out, int64(v.order.Uint32(p)))
		}
	case huge:
		for p := v.raw; len(p) >= 8; p = p[8:] {
			out = append(out, int64(v.order.Uint64(p)))
		}
	case pointers:
		for p := v.raw; len(p) >= 4; p = p[4:] {
			out = append(out, int64(v.order.Uint16(p))<<16|int64(v.order.Uint16(p[2:])))
		}
	}
	return out
}

// number is the first of numbers, or otherwise.
func (d dataSet) number(t tag, otherwise int) int {
	if v := d.numbers(t); len(v) > 0 {
		return int(v[0])
	}
	return otherwise
}

// item is the first item of a sequence, nil if there is none.
func (d dataSet) item(t tag) dataSet {
	if v := d[t].items; len(v) > 0 {
		return v[0]
	}
	return nil
}

package tiff

import (
	"encoding/binary"
	"math"
	"slices"
)

// A tag is one entry of a directory that is written; value holds count values of kind, low byte first.
type tag struct {
	id, kind uint16
	count    int
	value    []byte
}

func shortTag(id uint16, v ...uint16) tag {
	t := tag{id: id, kind: kindShort, count: len(v)}
	for _, n := range v {
		t.value = binary.LittleEndian.AppendUint16(t.value, n)
	}
	return t
}

func longTag(id uint16, v ...uint32) tag {
	t := tag{id: id, kind: kindLong, count: len(v)}
	for _, n := range v {
		t.value = binary.LittleEndian.AppendUint32(t.value, n)
	}
	return t
}

func asciiTag(id uint16, text string) tag {
	return tag{id, kindASCII, len(text) + 1, append([]byte(text), 0)}
}

func bytesTag(id uint16, b []byte) tag { return tag{id, kindByte, len(b), b} }

// rationalTag is the fraction nearest to v, and 1 if v is no positive number.
func rationalTag(id uint16, v float64) tag {
	n, d := fraction(v)
	return tag{id, kindRational, 1, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, n), d)}
}

// fraction is the best approximation of v by two 32-bit integers, by its continued fraction, so that
// sizes with few digits come back exactly: 1/0.3 is 10/3.
func fraction(v float64) (n, d uint32) {
	if !(v > 0) || v > math.MaxUint32 || 1/v > math.MaxUint32 {
		return 1, 1
	}
	n0, d0, n1, d1 := 0.0, 1.0, 1.0, 0.0
	for x := v; ; x = 1 / (x - math.Floor(x)) {
		a := math.Floor(x)
		n2, d2 := a*n1+n0, a*d1+d0
		if n2 > math.MaxUint32 || d2 > math.MaxUint32 {
			break
		}
		n0, d0, n1, d1 = n1, d1, n2, d2
		if math.Abs(n1/d1-v) <= 1e-15*v || x == a {
			break
		}
	}
	return uint32(n1), uint32(d1)
}

func tagBytes(tags []tag) int64 {
	n := int64(0)
	for _, t := range tags {
		n += int64(len(t.value)) + 24
	}
	return n
}

func (w *writer) headerSize() int64 {
	if w.big {
		return 16
	}
	return 8
}

// header points at the first directory, which follows it.
func (w *writer) header() []byte { return headerTo(w.big, w.headerSize()) }

// headerTo is the header of a file whose first directory is at a place of it.
func headerTo(big bool, at int64) []byte {
	if big {
		return binary.LittleEndian.AppendUint64([]byte{'I', 'I', 43, 0, 8, 0, 0, 0}, uint64(at))
	}
	return binary.LittleEndian.AppendUint32([]byte{'I', 'I', 42, 0}, uint32(at))
}

// placesTag holds places and lengths in the file, as wide as the file needs them.
func placesTag(big bool, id uint16, v ...int64) tag {
	if big {
		t := tag{id: id, kind: kindLong8, count: len(v)}
		for _, n := range v {
			t.value = binary.LittleEndian.AppendUint64(t.value, uint64(n))
		}
		return t
	}
	t := tag{id: id, kind: kindLong, count: len(v)}
	for _, n := range v {
		t.value = binary.LittleEndian.AppendUint32(t.value, uint32(n))
	}
	return t
}

// directory is the one of the first plane with all its values, for a place in the file; next is the
// place of the one after it.
func (w *writer) directory(at, next int64, first bool) []byte {
	tags := slices.Clone(w.every)
	if first {
		tags = append(tags, w.first...)
	}
	return encode(w.big, append(tags, w.strip(0)...), at, next)
}

// page is the directory of plane p.
func (w *writer) page(p, at, next int64) []byte {
	return encode(w.big, append(slices.Clone(w.every), w.strip(p)...), at, next)
}

// strip is where plane p lies.
func (w *writer) strip(p int64) []tag {
	off := w.data + p*w.bytes
	return []tag{placesTag(w.big, tagStripOffsets, off), placesTag(w.big, tagStripCounts, w.bytes)}
}

// encode writes tags in rising order, and behind the directory the values that do not fit in it.
func encode(big bool, tags []tag, at, next int64) []byte {
	slices.SortFunc(tags, func(a, b tag) int { return int(a.id) - int(b.id) })
	le := binary.LittleEndian
	room, entry := 4, 12
	var out []byte
	if big {
		room, entry = 8, 20
		out = le.AppendUint64(out, uint64(len(tags)))
	} else {
		out = le.AppendUint16(out, uint16(len(tags)))
	}
	values := at + int64(len(out)+len(tags)*entry+room)
	var behind []byte
	for _, t := range tags {
		out = le.AppendUint16(le.AppendUint16(out, t.id), t.kind)
		field := make([]byte, room)
		if len(t.value) <= room {
			copy(field, t.value)
		} else {
			if len(behind)%2 == 1 {
				behind = append(behind, 0)
			}
			place := uint64(values) + uint64(len(behind))
			if big {
				le.PutUint64(field, place)
			} else {
				le.PutUint32(field, uint32(place))
			}
			behind = append(behind, t.value...)
		}
		if big {
			out = le.AppendUint64(out, uint64(t.count))
		} else {
			out = le.AppendUint32(out, uint32(t.count))
		}
		out = append(out, field...)
	}
	if big {
		out = le.AppendUint64(out, uint64(next))
	} else {
		out = le.AppendUint32(out, uint32(next))
	}
	out = append(out, behind...)
	if len(out)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

package tiff

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"lamella/loaders"
	"lamella/loaders/store"
)

// A header is the start of the file:
//
//	classic  "II" or "MM"  42 (2 bytes)  offset of the first directory (4)
//	BigTIFF  "II" or "MM"  43 (2)  8 (2)  0 (2)  offset of the first directory (8)
type header struct {
	order binary.ByteOrder
	big   bool
	first int64
}

func parseHeader(head []byte) (header, bool) {
	var h header
	if len(head) < 8 {
		return h, false
	}
	switch string(head[:2]) {
	case "II":
		h.order = binary.LittleEndian
	case "MM":
		h.order = binary.BigEndian
	default:
		return h, false
	}
	switch h.order.Uint16(head[2:]) {
	case 42:
		h.first = int64(h.order.Uint32(head[4:]))
		return h, true
	case 43:
		if len(head) < 16 || h.order.Uint16(head[4:]) != 8 || h.order.Uint16(head[6:]) != 0 {
			return h, false
		}
		h.big = true
		h.first = int64(h.order.Uint64(head[8:])) // beyond 2^63 it becomes negative and is refused as an offset
		return h, true
	}
	return h, false
}

// An entry is one tag of a directory:
//
//	classic  tag (2)  kind (2)  count (4)  value, or its offset if longer than 4 bytes (4)
//	BigTIFF  tag (2)  kind (2)  count (8)  value, or its offset if longer than 8 bytes (8)
type entry struct {
	tag, kind uint16
	count     uint64
	field     [8]byte // the value field as it stands
	inline    bool    // field holds the value itself
	where     int64   // place of the value in the file
}

// A reader walks the directories of one file while it is opened. It is for one goroutine.
type reader struct {
	header
	file    store.File
	near    window // directories and what lies beside them
	far     window // values that lie elsewhere
	entries []entry
	known   map[layout]*layout // one of each, shared by the pages that have it
}

func newReader(f store.File, h header) *reader {
	return &reader{header: h, file: f, near: window{file: f}, far: window{file: f}, known: map[layout]*layout{}}
}

// directory reads the entries at off and the offset of the next directory, 0 for none. The entries
// stay valid until the next call.
func (r *reader) directory(ctx context.Context, off int64) ([]entry, int64, error) {
	countSize, entrySize, nextSize := 2, 12, 4
	if r.big {
		countSize, entrySize, nextSize = 8, 20, 8
	}
	if off < 8 {
		return nil, 0, fmt.Errorf("directory at offset %d: %w", off, loaders.ErrDamaged)
	}
	head, err := r.near.read(ctx, off, countSize)
	if err != nil {
		return nil, 0, fmt.Errorf("directory at %d: %w: %w", off, loaders.ErrDamaged, err)
	}
	n := uint64(r.order.Uint16(head))
	if r.big {
		n = r.order.Uint64(head)
	}
	left := uint64(r.file.Size()-off) - uint64(countSize)
	if n > 1<<16 || n*uint64(entrySize) > left {
		return nil, 0, fmt.Errorf("directory at %d claims %d tags, but only %d bytes follow: %w", off, n, left, loaders.ErrDamaged)
	}
	size := int(n) * entrySize
	next := int64(0)
	at := off + int64(countSize)
	raw, err := r.near.read(ctx, at, int(min(int64(size+nextSize), int64(left))))
	if err != nil {
		return nil, 0, fmt.Errorf("directory at %d: %w: %w", off, loaders.ErrDamaged, err)
	}
	// Some writers leave out the last pointer at the end of the file. Of one that is cut off nobody knows where it led.
	switch {
	case len(raw) > size && len(raw) < size+nextSize:
		next = r.file.Size()
	case len(raw) == size+nextSize:
		next = int64(r.order.Uint32(raw[size:]))
		if r.big {
			next = int64(r.order.Uint64(raw[size:]))
		}
	}
	r.entries = r.entries[:0]
	for i := range int(n) {
		e := r.parse(raw[i*entrySize:][:entrySize], at+int64(i*entrySize))
		if last := len(r.entries) - 1; last >= 0 && r.entries[last].tag == e.tag {
			continue // of a tag that comes twice libtiff takes the first
		}
		r.entries = append(r.entries, e)
	}
	return r.entries, next, nil
}

func (r *reader) parse(b []byte, at int64) entry {
	e := entry{tag: r.order.Uint16(b), kind: r.order.Uint16(b[2:])}
	room := 4
	if r.big {
		e.count, room = r.order.Uint64(b[4:]), 8
		copy(e.field[:], b[12:20])
		e.where = int64(r.order.Uint64(b[12:]))
		at += 12
	} else {
		e.count = uint64(r.order.Uint32(b[4:]))
		copy(e.field[:], b[8:12])
		e.where = int64(r.order.Uint32(b[8:]))
		at += 8
	}
	if e.valueSize() > 0 && e.count <= uint64(room/e.valueSize()) {
		e.inline, e.where = true, at
	}
	return e
}

// valueSize is the number of bytes of one value, 0 if the kind is unknown.
func (e entry) valueSize() int {
	if int(e.kind) >= len(kindSizes) {
		return 0
	}
	return kindSizes[e.kind]
}

// extent is where the bytes of a value lie, by what the entry claims.
func (e entry) extent() extent {
	n := e.valueSize()
	if n == 0 {
		return extent{}
	}
	return extent{e.where, int64(min(e.count, math.MaxInt64/8)) * int64(n)}
}

// bytes is the value of e as it stands in the file, at most max bytes of it. It stays valid until the
// next call.
func (r *reader) bytes(ctx context.Context, e entry, max int) ([]byte, error) {
	if e.valueSize() == 0 {
		return nil, fmt.Errorf("tag %d is of the unknown type %d: %w", e.tag, e.kind, loaders.ErrDamaged)
	}
	n := int(min(e.count, uint64(max/e.valueSize()))) * e.valueSize()
	if e.inline {
		return append([]byte(nil), e.field[:n]...), nil
	}
	w := &r.far
	if r.near.holds(e.where, n) {
		w = &r.near
	}
	b, err := w.read(ctx, e.where, n)
	if err != nil {
		return nil, fmt.Errorf("tag %d: %w: %w", e.tag, loaders.ErrDamaged, err)
	}
	return b, nil
}

// integer is the first value of e.
func (r *reader) integer(ctx context.Context, e entry) (uint64, error) {
	if e.inline && e.count > 0 && isInteger(e.kind) {
		return integerAt(r.order, e.field[:], e.kind), nil
	}
	v, err := r.integers(ctx, e, 1)
	if err != nil {
		return 0, err
	}
	if len(v) == 0 {
		return 0, fmt.Errorf("tag %d is empty: %w", e.tag, loaders.ErrDamaged)
	}
	return v[0], nil
}

// integers is the values of e, at most max of them.
func (r *reader) integers(ctx context.Context, e entry, max int) ([]uint64, error) {
	if !isInteger(e.kind) {
		return nil, fmt.Errorf("tag %d is of type %d, which is no integer: %w", e.tag, e.kind, loaders.ErrDamaged)
	}
	b, err := r.bytes(ctx, e, max*e.valueSize())
	if err != nil {
		return nil, err
	}
	v := make([]uint64, len(b)/e.valueSize())
	for i := range v {
		v[i] = integerAt(r.order, b[i*e.valueSize():], e.kind)
	}
	return v, nil
}

// numbers is the values of e as real numbers, at most max of them.
func (r *reader) numbers(ctx context.Context, e entry, max int) ([]float64, error) {
	b, err := r.bytes(ctx, e, max*e.valueSize())
	if err != nil {
		return nil, err
	}
	v := make([]float64, 0, len(b)/e.valueSize())
	for ; len(b) > 0; b = b[e.valueSize():] {
		switch e.kind {
		case kindRational:
			v = append(v, float64(r.order.Uint32(b))/float64(r.order.Uint32(b[4:])))
		case kindFloat:
			v = append(v, float64(math.Float32frombits(r.order.Uint32(b))))
		case kindDouble:
			v = append(v, math.Float64frombits(r.order.Uint64(b)))
		default:
			if !isInteger(e.kind) {
				return nil, fmt.Errorf("tag %d is of type %d, which is no number: %w", e.tag, e.kind, loaders.ErrDamaged)
			}
			v = append(v, float64(integerAt(r.order, b, e.kind)))
		}
	}
	return v, nil
}

// text is the value of e without the zero at its end; bytes that are not UTF-8 stay as they are.
func (r *reader) text(ctx context.Context, e entry) (string, error) {
	if e.kind != kindASCII && e.kind != kindByte && e.kind != kindUndefined {
		return "", fmt.Errorf("tag %d is of type %d, which is no text: %w", e.tag, e.kind, loaders.ErrDamaged)
	}
	b, err := r.bytes(ctx, e, maxValue)
	if err != nil {
		return "", err
	}
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return string(b), nil
}

func isInteger(kind uint16) bool {
	switch kind {
	case kindByte, kindShort, kindLong, kindIFD, kindLong8, kindIFD8:
		return true
	}
	return false
}

func integerAt(order binary.ByteOrder, b []byte, kind uint16) uint64 {
	switch kindSizes[kind] {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

// find is the first entry with a tag.
func find(entries []entry, tag uint16) (entry, bool) {
	for _, e := range entries {
		if e.tag == tag {
			return e, true
		}
	}
	return entry{}, false
}

// An extent is a range of bytes of a file.
type extent struct{ off, len int64 }

package dicom

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"lamella/loaders"
	"lamella/loaders/store"
)

// Bounds of a data set: more than any instance has.
const (
	maxDepth    = 24
	maxElements = 4 << 20
	maxValue    = 1 << 20
	maxInflated = 1 << 33
	undefined   = 0xFFFFFFFF
)

// A parser reads data elements one after the other (PS3.5, chapter 7). Values that nobody looks at are
// not read.
type parser struct {
	ctx      context.Context
	file     store.File
	order    binary.ByteOrder
	explicit bool

	at     int64 // from the begin of the file, or of the inflated data
	end    int64 // of them
	window []byte
	from   int64 // place of window
	stream *bufio.Reader

	wants func(element) kind // how a value is to be kept, 0 if it is not
	most  int                // items of a sequence that are kept
	count int
}

const windowBytes = 16 << 10

func newParser(ctx context.Context, f store.File, at int64) *parser {
	needed := func(e element) kind { return wanted[e.tag] }
	return &parser{ctx: ctx, file: f, order: binary.LittleEndian, explicit: true, at: at, end: f.Size(), wants: needed, most: maxElements}
}

// inflate goes on with the data that begin here and are deflated up to the end of the file (PS3.5, A.5).
func (p *parser) inflate() {
	raw := io.NewSectionReader(store.ReaderAt(p.ctx, p.file), p.at, p.file.Size()-p.at)
	p.stream = bufio.NewReaderSize(flate.NewReader(raw), windowBytes)
	p.at, p.end = 0, maxInflated
}

// obey reads on as a transfer syntax says.
func (p *parser) obey(s syntax) {
	p.explicit = !s.implicit
	if s.big {
		p.order = binary.BigEndian
	}
	if s.deflated {
		p.inflate()
	}
}

// bytes are the next n bytes, at most windowBytes of them; they hold until the next call.
func (p *parser) bytes(n int) ([]byte, error) {
	if p.stream != nil {
		b, err := p.stream.Peek(n)
		if err != nil {
			if errors.Is(err, io.EOF) && len(b) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		p.stream.Discard(n)
		p.at += int64(n)
		return b, nil
	}
	if p.at >= p.end {
		return nil, io.EOF
	}
	if p.at+int64(n) > p.end {
		return nil, io.ErrUnexpectedEOF
	}
	if p.at < p.from || p.at+int64(n) > p.from+int64(len(p.window)) {
		size := int(min(windowBytes, p.end-p.at))
		if cap(p.window) < size {
			p.window = make([]byte, size)
		}
		p.window, p.from = p.window[:size], p.at
		if err := p.file.ReadAt(p.ctx, p.window, p.at); err != nil {
			p.window = nil
			return nil, err
		}
	}
	b := p.window[p.at-p.from:][:n]
	p.at += int64(n)
	return b, nil
}

// take is a copy of the next n bytes.
func (p *parser) take(n int) ([]byte, error) {
	if p.stream == nil && int64(n) > p.end-p.at {
		return nil, io.ErrUnexpectedEOF
	}
	out := make([]byte, 0, min(n, windowBytes))
	for len(out) < n {
		b, err := p.bytes(min(n-len(out), windowBytes))
		if err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		out = append(out, b...)
	}
	return out, nil
}

// skip leaves out n bytes.
func (p *parser) skip(n int64) error {
	if n > p.end-p.at {
		return io.ErrUnexpectedEOF
	}
	p.at += n
	if p.stream != nil {
		for n > 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			got, err := p.stream.Discard(int(min(n, 1<<20)))
			if err != nil {
				return io.ErrUnexpectedEOF
			}
			n -= int64(got)
		}
	}
	return nil
}

// An element is the head of a data element.
type element struct {
	tag    tag
	vr     string // "" in implicit VR
	length uint32
}

// longVR are those whose length takes four bytes behind two of padding (PS3.5, table 7.1-1).
var longVR = map[string]bool{
	"OB": true, "OD": true, "OF": true, "OL": true, "OV": true, "OW": true, "SQ": true, "SV": true, "UC": true, "UN": true, "UR": true, "UT": true, "UV": true,
}

// next reads a head:
//
//	group (2)  element (2)  VR (2)  length (2)                in explicit VR
//	group (2)  element (2)  VR (2)  0 (2)  length (4)         in explicit VR, of some VRs
//	group (2)  element (2)  length (4)                        in implicit VR, and of items
func (p *parser) next() (element, error) {
	var e element
	if p.count++; p.count > maxElements {
		return e, fmt.Errorf("more than %d elements: %w", maxElements, loaders.ErrDamaged)
	}
	if p.count&1023 == 0 && p.ctx.Err() != nil {
		return e, p.ctx.Err()
	}
	b, err := p.bytes(8)
	if err != nil {
		return e, err
	}
	e.tag = tag(p.order.Uint16(b))<<16 | tag(p.order.Uint16(b[2:]))
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	if e.tag>>16 == 0xFFFE || !p.explicit || !upper(b[4]) || !upper(b[5]) {
		e.length = p.order.Uint32(b[4:])
		return e, nil
	}
	e.vr, e.length = string(b[4:6]), uint32(p.order.Uint16(b[6:]))
	if longVR[e.vr] {
		if b, err = p.bytes(4); err != nil {
			return e, io.ErrUnexpectedEOF
		}
		e.length = p.order.Uint32(b)
	}
	return e, nil
}

// dataSet reads elements up to end, or to the end of the item when end is below 0. At the top it stops
// at the pixels and gives their element. With an error it gives what was read.
func (p *parser) dataSet(end int64, depth int) (dataSet, element, error) {
	if depth > maxDepth {
		return nil, element{}, fmt.Errorf("sequences more than %d deep: %w", maxDepth, loaders.ErrDamaged)
	}
	d := dataSet{}
	for end < 0 || p.at < end {
		before := p.at
		e, err := p.next()
		if depth == 0 && p.ctx.Err() == nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && p.end-before < 8) {
			return d, element{}, nil // a few bytes of padding belong to nothing
		}
		if err != nil {
			return d, e, p.broken(e, err)
		}
		switch {
		case e.tag == tagItemEnd && end < 0 && depth > 0, e.tag == tagSequenceEnd && depth > 0:
			return d, element{}, nil
		case depth == 0 && (e.tag == tagPixels || e.tag == tagFloatPixels || e.tag == tagDoublePixels):
			return d, e, nil
		}
		v, err := p.value(e, depth)
		if err != nil {
			return d, e, p.broken(e, err)
		}
		if v != nil {
			d[e.tag] = *v
		}
	}
	return d, element{}, nil
}

// broken says in which element the data end or go wrong.
func (p *parser) broken(e element, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("element %v of %d bytes goes beyond the end of the file: %w", e.tag, e.length, loaders.ErrDamaged)
	}
	return err
}

// value reads or skips what follows a head; it gives nil when nobody looks at it.
func (p *parser) value(e element, depth int) (*value, error) {
	want := p.wants(e)
	if e.vr == "SQ" || e.length == undefined || want == items {
		list, err := p.sequence(e, want == items, depth)
		if err != nil || want != items {
			return nil, err
		}
		return &value{items: list}, nil
	}
	switch want {
	case 0:
		return nil, p.skip(int64(e.length))
	case counted:
		return &value{length: e.length}, p.skip(int64(e.length))
	}
	if e.length > maxValue && (want != huge || p.stream != nil) {
		return nil, fmt.Errorf("element %v of %d bytes: %w", e.tag, e.length, loaders.ErrDamaged)
	}
	raw, err := p.take(int(e.length))
	if err != nil {
		return nil, err
	}
	return &value{raw: raw, order: p.order, vr: e.vr, length: e.length}, nil
}

// sequence reads the items of a sequence (PS3.5, 7.5). One of unknown VR is in implicit VR (6.2.2).
func (p *parser) sequence(e element, keep bool, depth int) ([]dataSet, error) {
	if e.vr == "UN" {
		order, explicit := p.order, p.explicit
		p.order, p.explicit = binary.LittleEndian, false
		defer func() { p.order, p.explicit = order, explicit }()
	}
	end := int64(-1)
	if e.length != undefined {
		if end = p.at + int64(e.length); end > p.end {
			return nil, io.ErrUnexpectedEOF
		}
	}
	var list []dataSet
	for end < 0 || p.at < end {
		item, err := p.next()
		if err != nil {
			return nil, err
		}
		if item.tag == tagSequenceEnd {
			break
		}
		if item.tag != tagItem {
			return nil, fmt.Errorf("element %v has %v instead of an item: %w", e.tag, item.tag, loaders.ErrDamaged)
		}
		stop := int64(-1)
		if item.length != undefined {
			if stop = p.at + int64(item.length); stop > p.end {
				return nil, io.ErrUnexpectedEOF
			}
		}
		if !keep && stop >= 0 {
			if err := p.skip(int64(item.length)); err != nil {
				return nil, err
			}
			continue
		}
		d, _, err := p.dataSet(stop, depth+1)
		if err != nil {
			return nil, err
		}
		if keep && len(list) < p.most {
			list = append(list, d)
		}
	}
	return list, nil
}

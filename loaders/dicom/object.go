package dicom

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"lamella/loaders"
	"lamella/loaders/store"
)

// An object is one instance: one file, with its elements and the place of its pixels.
type object struct {
	key    string
	file   store.File
	set    dataSet
	syntax syntax
	format format
	frames int

	begin  int64 // of the elements behind the meta information
	at     int64 // of the pixels: in the file, or in the inflated data
	length int64 // of them, when they are not encapsulated
	words  bool  // whether pixels stand in words of 16 bits whose bytes are turned round
	data   int64 // where the inflated data begin in the file
	packed *fragments

	perFrame []dataSet
	shared   dataSet
}

const preamble = 128

// hasPreamble reports whether a file begins as PS3.10, 7.1, prescribes.
func hasPreamble(head []byte) bool {
	return len(head) >= preamble+4 && string(head[preamble:preamble+4]) == "DICM"
}

// known reports whether a file is DICOM: by its preamble, or, of files without one, by the first two
// elements. Those are of group 2 or 8, in rising order, with lengths that lead from one to the next.
func known(head []byte) bool {
	if hasPreamble(head) {
		return true
	}
	at, last := 0, uint32(0)
	if bytes.HasPrefix(head, []byte("DICM")) {
		at = 4
	}
	for range 2 {
		if len(head) < at+12 {
			return false
		}
		b := head[at:]
		var order binary.ByteOrder = binary.LittleEndian
		if b[0] == 0 && (b[1] == 8 || b[1] == 2) {
			order = binary.BigEndian
		}
		t := uint32(order.Uint16(b))<<16 | uint32(order.Uint16(b[2:]))
		if g := t >> 16; g != 2 && g != 8 || t&0xFFFF > 0x2FFF || t <= last && last != 0 {
			return false
		}
		n := int64(order.Uint32(b[4:]))
		size := int64(8)
		if knownVR[string(b[4:6])] {
			n = int64(order.Uint16(b[6:]))
			if longVR[string(b[4:6])] {
				n, size = int64(order.Uint32(b[8:])), 12
			}
		}
		if n > 1<<12 {
			return false
		}
		at, last = at+int(size+n), t
	}
	return true
}

// knownVR are the VRs of PS3.5, table 6.2-1.
var knownVR = func() map[string]bool {
	m := map[string]bool{}
	for _, vr := range []string{"AE", "AS", "AT", "CS", "DA", "DS", "DT", "FL", "FD", "IS", "LO", "LT", "PN", "SH", "SL", "SS", "ST", "TM", "UI", "UL", "US"} {
		m[vr] = true
	}
	for vr := range longVR {
		m[vr] = true
	}
	return m
}()

// read reads all elements up to the pixels. Objects without pixels give an error, as do those whose
// pixels cannot be decoded.
func read(ctx context.Context, s store.Store, key string) (*object, error) {
	f, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	o := &object{key: key, file: f}
	if err := o.read(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return o, nil
}

func (o *object) read(ctx context.Context) error {
	head := make([]byte, min(preamble+4, o.file.Size()))
	if err := o.file.ReadAt(ctx, head, 0); err != nil {
		return err
	}
	p := newParser(ctx, o.file, 0)
	if hasPreamble(head) {
		p.at = preamble + 4
	} else if bytes.HasPrefix(head, []byte("DICM")) {
		p.at = 4
	}
	uid, err := o.meta(p)
	if err != nil {
		return err
	}
	if o.syntax, err = o.transfer(p, uid); err != nil {
		return err
	}
	if o.begin = p.at; o.syntax.deflated {
		o.data = p.at
	}
	p.obey(o.syntax)
	set, pixels, err := p.dataSet(p.end, 0)
	if err != nil {
		return err
	}
	o.set = set
	o.perFrame, o.shared = set[tagPerFrame].items, set.item(tagShared)
	if pixels.tag == 0 {
		what := ""
		if c := set.text(tagSOPClass); c != "" {
			what = " (its class is " + c + ")"
		}
		return fmt.Errorf("it holds no pixels%s: %w", what, loaders.ErrFormat)
	}
	if err := o.syntax.check(); err != nil {
		return err
	}
	o.at, o.length = p.at, int64(pixels.length)
	if o.format, err = formatOf(set, pixels.tag, o.syntax.codec != ""); err != nil {
		return err
	}
	if o.frames, err = frameCount(set); err != nil {
		return err
	}
	o.words = o.syntax.big && pixels.vr == "OW" && o.format.allocated <= 8
	if pixels.length == undefined {
		return o.encapsulated(ctx, p)
	}
	if o.syntax.codec != "" {
		return fmt.Errorf("its pixels are to be packed by %s, but are not in fragments: %w", o.syntax.name, loaders.ErrDamaged)
	}
	return o.plain(p)
}

// meta reads the file meta information, group 2, which is in explicit VR little endian.
func (o *object) meta(p *parser) (uid string, err error) {
	for {
		start := p.at
		e, err := p.next()
		if err != nil {
			return "", p.broken(e, err)
		}
		if e.tag>>16 != 2 {
			p.at = start
			return uid, nil
		}
		v, err := p.value(e, 1)
		if err != nil {
			return "", p.broken(e, err)
		}
		if v != nil {
			uid = dataSet{e.tag: *v}.text(e.tag)
		}
	}
}

// transfer is the transfer syntax of a UID, or, where there is none, of how the next element looks.
func (o *object) transfer(p *parser, uid string) (syntax, error) {
	start := p.at
	b, err := p.bytes(8)
	p.at = start
	if uid != "" {
		s, no := syntaxOf(uid)
		if s.implicit && err == nil && knownVR[string(b[4:6])] {
			s.implicit = false // the file says one thing and does the other
		}
		return s, no
	}
	if err != nil {
		return syntax{}, fmt.Errorf("it ends before its elements: %w", loaders.ErrDamaged)
	}
	s := syntaxes[1]
	switch {
	case knownVR[string(b[4:6])] && b[0] == 0 && b[1] != 0:
		return syntaxOf(root + ".2")
	case !knownVR[string(b[4:6])]:
		s = syntaxes[0]
	}
	return s, nil
}

// frameCount is Number of Frames, which single frames leave out.
func frameCount(d dataSet) (int, error) {
	text := d.text(tagFrames)
	if text == "" {
		return 1, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("its number of frames is %.20q: %w", text, loaders.ErrDamaged)
	}
	return int(n), nil
}

// plain checks the length of pixels that are stored as they are.
func (o *object) plain(p *parser) error {
	need, ok := o.format.storedBytes(o.frames)
	if !ok || need > o.length {
		return fmt.Errorf("its %d frames of %d x %d pixels need more than the %d bytes of its pixels: %w",
			o.frames, o.format.columns, o.format.rows, o.length, loaders.ErrDamaged)
	}
	if o.words {
		need = (need + 1) &^ 1
	}
	if !o.syntax.deflated && o.at+need > o.file.Size() {
		return fmt.Errorf("its pixels are cut: %d of %d bytes are there: %w", max(0, o.file.Size()-o.at), need, loaders.ErrDamaged)
	}
	return nil
}

// find looks for an element of a frame: in its own functional group, then in that which all share,
// then among the elements of the object (PS3.3, C.7.6.16).
func (o *object) find(frame int, group, t tag) dataSet {
	if frame < len(o.perFrame) {
		if d := o.perFrame[frame].item(group); d != nil && has(d, t) {
			return d
		}
	}
	if d := o.shared.item(group); d != nil && has(d, t) {
		return d
	}
	return o.set
}

func has(d dataSet, t tag) bool {
	_, ok := d[t]
	return ok
}

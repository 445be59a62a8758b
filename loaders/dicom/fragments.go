package dicom

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"lamella/loaders"
)

// fragments are the pieces of encapsulated pixels (PS3.5, A.4), and which of them each frame has.
type fragments struct {
	list  []span
	first []int // of each frame, and the end
}

// A span is a part of the file.
type span struct{ at, size int64 }

// encapsulated walks the items behind the head of the pixels: the basic offset table, which may be
// empty, then the fragments, each an item of defined length.
func (o *object) encapsulated(ctx context.Context, p *parser) error {
	if o.syntax.codec == "" {
		return fmt.Errorf("its pixels are in fragments, which %s does not have: %w", o.syntax.name, loaders.ErrDamaged)
	}
	p.order, p.explicit = binary.LittleEndian, true
	var list []span
	var table []int64
	for n := 0; ; n++ {
		e, err := p.next()
		if err != nil && len(list) >= o.frames && o.frames > 0 && ctx.Err() == nil {
			break // only the end mark is missing
		}
		if err != nil {
			return p.broken(e, err)
		}
		if e.tag == tagSequenceEnd {
			break
		}
		if e.tag != tagItem || e.length == undefined {
			return fmt.Errorf("its pixels have %v instead of a fragment: %w", e.tag, loaders.ErrDamaged)
		}
		if n > 0 {
			list = append(list, span{p.at, int64(e.length)})
		} else if table, err = offsets(p, e); err != nil {
			return err
		}
		if n > 0 {
			if err := p.skip(int64(e.length)); err != nil {
				return fmt.Errorf("its pixels are cut: fragment %d of %d bytes goes beyond the end of the file: %w", n, e.length, loaders.ErrDamaged)
			}
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("its pixels have no fragment: %w", loaders.ErrDamaged)
	}
	if t := o.set.numbers(tagExtended); len(t) > 0 {
		table = t
	}
	var err error
	if o.packed, err = o.divide(ctx, list, table); err != nil {
		return err
	}
	return o.plausible()
}

// offsets reads the basic offset table: where each frame's first fragment begins.
func offsets(p *parser, e element) ([]int64, error) {
	raw, err := p.take(int(e.length))
	if err != nil {
		return nil, fmt.Errorf("an offset table of %d bytes goes beyond the end of the file: %w", e.length, loaders.ErrDamaged)
	}
	var table []int64
	for ; len(raw) >= 4; raw = raw[4:] {
		table = append(table, int64(binary.LittleEndian.Uint32(raw)))
	}
	return table, nil
}

// divide finds the first fragment of each frame: by the table, by there being as many fragments as
// frames, or by what frames begin with.
func (o *object) divide(ctx context.Context, list []span, table []int64) (*fragments, error) {
	f := &fragments{list: list}
	switch {
	case o.frames == 1:
		f.first = []int{0, len(list)}
		return f, nil
	case len(list) == o.frames:
		for i := range o.frames + 1 {
			f.first = append(f.first, i)
		}
		return f, nil
	case len(table) == o.frames:
		start := list[0].at - 8 // offsets count from the first fragment's item
		for _, at := range table {
			i, ok := slices.BinarySearchFunc(list, at+start+8, func(s span, at int64) int { return int(s.at - at) })
			if !ok || len(f.first) > 0 && i <= f.first[len(f.first)-1] {
				return nil, fmt.Errorf("its offset table points to no fragment: %w", loaders.ErrDamaged)
			}
			f.first = append(f.first, i)
		}
		f.first = append(f.first, len(list))
		return f, nil
	}
	for i, s := range list {
		head := make([]byte, 2)
		if s.size < 2 {
			continue
		}
		if err := o.file.ReadAt(ctx, head, s.at); err != nil {
			return nil, err
		}
		if o.syntax.codec != rleCodec && head[0] == 0xFF && head[1] == 0xD8 {
			f.first = append(f.first, i)
		}
	}
	if len(f.first) != o.frames || f.first[0] != 0 {
		return nil, fmt.Errorf("it has %d fragments for %d frames and no table that says which belong together: %w", len(list), o.frames, loaders.ErrDamaged)
	}
	f.first = append(f.first, len(list))
	return f, nil
}

// plausible refuses frames that are larger than anything that their codec makes of so few bytes:
// a run of RLE makes 128 of 2, and a block of JPEG takes two bits at least; of JPEG 2000 it is what no
// scanner writes.
func (o *object) plausible() error {
	most := map[codecName]int64{rleCodec: 64, jpegCodec: 1024, j2kCodec: 1 << 16}[o.syntax.codec]
	if most == 0 {
		return nil
	}
	need, _ := o.format.storedBytes(1)
	for i := range o.frames {
		if have := o.packed.size(i); need/most > have {
			return fmt.Errorf("frame %d of %d x %d pixels in %d bytes of %s: %w", i, o.format.columns, o.format.rows, have, o.syntax.name, loaders.ErrDamaged)
		}
	}
	return nil
}

// size is how many bytes a frame takes.
func (f *fragments) size(frame int) int64 {
	n := int64(0)
	for _, s := range f.list[f.first[frame]:f.first[frame+1]] {
		n += s.size
	}
	return n
}

// packedFrame reads the fragments of a frame, joined.
func (o *object) packedFrame(ctx context.Context, frame int) ([]byte, error) {
	out := make([]byte, o.packed.size(frame))
	n := int64(0)
	for _, s := range o.packed.list[o.packed.first[frame]:o.packed.first[frame+1]] {
		if err := o.file.ReadAt(ctx, out[n:n+s.size], s.at); err != nil {
			return nil, err
		}
		n += s.size
	}
	return out, nil
}

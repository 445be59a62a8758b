package npy

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"lamella/lazy"
	"lamella/loaders"
	"lamella/loaders/codec"
)

// Create begins a .npy file of version 1, little-endian and in C order. Its dimensions are T, Z, C, Y,
// X, whatever their lengths; a flat description leaves some out (see loaders.Description).
func (Driver) Create(path string, d loaders.Description) (loaders.Writer, error) {
	h, err := makeHeader(d)
	if err == nil && d.Layout != (loaders.Layout{}) {
		err = fmt.Errorf("a .npy leaves no choice of how it is stored: %w", loaders.ErrUnsupported)
	}
	if err != nil {
		return nil, fmt.Errorf("npy: writing %s: %w", path, err)
	}
	f, err := loaders.Create(path, d.Overwrite)
	if err != nil {
		return nil, err
	}
	w := &writer{out: f, draft: f, name: path, meta: d.Meta}
	if _, err := f.Write(h); err != nil {
		f.Abort()
		return nil, fmt.Errorf("npy: writing %s: %w", path, err)
	}
	return w, nil
}

// Stream writes the same bytes to out, such as standard output; nothing is buffered. Abort cannot take
// back what has been written.
func Stream(out io.Writer, d loaders.Description) (loaders.Writer, error) {
	h, err := makeHeader(d)
	if err == nil {
		_, err = out.Write(h)
	}
	if err != nil {
		return nil, fmt.Errorf("npy: writing: %w", err)
	}
	return &writer{out: out, name: "the stream", meta: d.Meta}, nil
}

// makeHeader is everything before the voxels. It ends with a newline and, as NumPy wants it, at a
// multiple of 64 bytes.
func makeHeader(d loaders.Description) ([]byte, error) {
	m := d.Meta
	if !m.DType.Valid() {
		return nil, fmt.Errorf("the type of the voxels is not known")
	}
	var dims []string
	for a := range lazy.Rank {
		n := m.Shape[a]
		if n < 1 {
			return nil, fmt.Errorf("shape %v: %w", m.Shape, loaders.ErrUnsupported)
		}
		if d.Flat && dropped(lazy.Axis(a), d) {
			if n != 1 {
				return nil, fmt.Errorf("a plane normal to %v has %d voxels along %v: %w", d.Normal, n, lazy.Axis(a), loaders.ErrUnsupported)
			}
			continue
		}
		dims = append(dims, fmt.Sprint(n))
	}
	kind := "u"
	switch d := m.DType; {
	case d.Float():
		kind = "f"
	case d == lazy.I8 || d == lazy.I16 || d == lazy.I32 || d == lazy.I64:
		kind = "i"
	}
	order := "<"
	if m.DType.Size() == 1 {
		order = "|"
	}
	text := fmt.Sprintf("{'descr': '%s%s%d', 'fortran_order': False, 'shape': (%s), }", order, kind, m.DType.Size(), strings.Join(dims, ", "))
	const before = 10
	text += strings.Repeat(" ", 63-(before+len(text))%64) + "\n"
	head := append([]byte(magic), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	return append(head, text...), nil
}

// dropped says which axes a flat file leaves out.
func dropped(a lazy.Axis, d loaders.Description) bool {
	return a == lazy.T || a == d.Normal || a == lazy.C && d.Meta.Shape[lazy.C] == 1
}

// writer takes rows in storage order and appends them.
type writer struct {
	out   io.Writer
	draft *loaders.Draft // nil for a stream
	name  string
	meta  lazy.Meta
	done  int // voxels written
	err   error
}

// cellBytes is about how much is asked for at a time.
const cellBytes = 16 << 20

// Grid is whole planes, or rows of one when it is large: what follows each other in the file.
func (w *writer) Grid() lazy.Shape {
	s := w.meta.Shape
	rows := max(1, cellBytes/(s[lazy.X]*w.meta.DType.Size()))
	return lazy.Shape{1, 1, 1, min(s[lazy.Y], rows), s[lazy.X]}
}

func (w *writer) Write(ctx context.Context, b *lazy.Block) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	whole := w.meta.Shape.Whole()
	r := b.Region
	place := loaders.Axes{lazy.T, lazy.Z, lazy.C, lazy.Y, lazy.X}.Strides(w.meta.Shape)
	at := 0
	for a := range lazy.Rank {
		at += r.Min[a] * place[a]
	}
	switch {
	case w.err != nil:
	case !whole.Contains(r) || b.DType != w.meta.DType:
		w.err = fmt.Errorf("a block of %v %v for an array of %v %v", r, b.DType, w.meta.Shape, w.meta.DType)
	case at != w.done || !(loaders.Strided{Origin: r.Min, Stride: place}).Dense(r):
		w.err = fmt.Errorf("%v does not follow the %d voxels before it", r, w.done)
	default:
		p := b.Bytes()
		if size := b.DType.Size(); !littleEndian && size > 1 {
			p = append([]byte(nil), p...)
			codec.Swap(p, size)
		}
		_, w.err = loaders.WriteContext(ctx, w.out, p)
		w.done += b.Len()
	}
	if w.err != nil {
		return fmt.Errorf("npy: writing %s: %w", w.name, w.err)
	}
	return nil
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

func (w *writer) Close() error {
	if n := w.meta.Shape.Voxels(); w.err == nil && w.done != n {
		w.err = fmt.Errorf("%d of %d voxels were written", w.done, n)
	}
	if w.err != nil {
		w.Abort()
		return fmt.Errorf("npy: writing %s: %w", w.name, w.err)
	}
	if w.draft == nil {
		return nil
	}
	return w.draft.Commit()
}

func (w *writer) Abort() {
	if w.draft != nil {
		w.draft.Abort()
	}
}

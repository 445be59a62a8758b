package gpu

import (
	"context"
	"fmt"
	"math"

	"lamella/filters/fft"
	"lamella/lazy"
)

// linesTest transforms some lines on the device, which groups of invocations do together in memory that they share, and
// compares them with the processor's transform.
func (d *Device) linesTest(ctx context.Context) error {
	const n, many = 120, 5 // all radices
	shape := lazy.Shape{1, 1, 1, many, 2 * n}
	src := testBlock(shape.Whole(), lazy.F32)
	got, err := d.transformed(ctx, src, n)
	if err != nil {
		return fmt.Errorf("gpu: self-test: transforms: %w", err)
	}
	if off := apart(lazy.View[float32](src), lazy.View[float32](got), n); !(off <= 1e-5) {
		return fmt.Errorf("gpu: self-test: a transform is off by %.2g of its largest value", off)
	}
	return nil
}

// transformed are the rows of a block, lines of n pairs of real and imaginary parts, transformed on the device.
func (d *Device) transformed(ctx context.Context, src *lazy.Block, n int) (*lazy.Block, error) {
	r, err := d.Upload(ctx, src)
	if err != nil {
		return nil, err
	}
	defer d.Free(r)
	m := lazy.Meta{Shape: src.Region.Shape(), Chunk: src.Region.Shape(), DType: src.DType}
	made, err := d.Make(ctx, lazy.Work{
		Node: &lazy.Node{Op: lines{n}, Meta: m, In: []*lazy.Node{{Meta: m}}}, Tile: src.Region,
		Parts: [][]lazy.RemotePart{{{Region: src.Region, Remote: r}}},
	})
	if err != nil {
		return nil, err
	}
	defer d.Free(made)
	dst := lazy.NewBlock(src.Region, src.DType)
	return dst, d.Read(ctx, made, dst)
}

// apart is how far lines of n values are from the processor's transforms of others, as a part of the largest of each line.
func apart(in, out []float32, n int) (off float64) {
	for at := 0; at < len(in); at += 2 * n {
		var part [2][]float32
		for i := range 2 * n {
			part[i%2] = append(part[i%2], in[at+i])
		}
		ar, ai := spectrum(part[0])
		br, bi := spectrum(part[1])
		most, worst := 0.0, 0.0
		for i := range n {
			re, im := float64(ar[i]-bi[i]), float64(ai[i]+br[i])
			most = max(most, math.Hypot(re, im))
			worst = max(worst, math.Hypot(float64(out[at+2*i])-re, float64(out[at+2*i+1])-im))
		}
		off = max(off, worst/most)
	}
	return off
}

// spectrum is that of real values on the processor.
func spectrum(v []float32) (re, im []float32) {
	g := fft.NewGrid(1, len(v), 2)
	s, h := g.Spectrum(), g.Hand()
	h.Into(s, 0, fft.Span{Max: len(v)}, func(y int, row []float32) { row[0], row[1] = v[y], 0 })
	for y := range v {
		a, b := s.Row(0, y)
		re, im = append(re, a[0]), append(im, b[0])
	}
	return re, im
}

// A lines is the op that transforms rows; it has a program and nothing else.
type lines struct{ n int }

func (o lines) Name() string                                              { return "lines" }
func (o lines) Key() string                                               { return fmt.Sprint("lines ", o.n) }
func (o lines) Infer(in []lazy.Meta) (lazy.Meta, error)                   { return in[0], nil }
func (o lines) Need(r lazy.Region, _ []lazy.Meta) []lazy.Region           { return []lazy.Region{r} }
func (o lines) Border() lazy.Border                                       { return lazy.Border{} }
func (o lines) Compute(context.Context, *lazy.Block, []*lazy.Block) error { return lazy.ErrDeclined }
func (o lines) Programmed([]lazy.Meta) bool                               { return true }
func (o lines) Held(int) bool                                             { return false }
func (o lines) ProgramBytes(lazy.Region, []lazy.Meta) int64               { return int64(8 * o.n) }

func (o lines) Program(tile lazy.Region, _ []lazy.Meta, _ []*lazy.Block) (lazy.Program, error) {
	s := fft.LineShader{
		Title: "lines", N: o.n, Rows: true,
		Declare: "layout(std430, binding = 1) readonly buffer In { vec2 lines[]; };\nlayout(std430, binding = 2) writeonly buffer Out { vec2 spectra[]; };\n",
		Fetch:   fmt.Sprintf("	return lines[line * %d + i];\n", o.n),
		Put:     fmt.Sprintf("	spectra[line * %d + i] = v;\n", o.n),
	}
	many := tile.Len(lazy.Y)
	return lazy.Program{
		Buffers: []lazy.ProgramBuffer{{Words: 2 * o.n, Begin: fft.Turns(o.n)}},
		Rounds:  [][]lazy.Pass{{{Shader: s.Text(), Buffers: []int{1, 0, 2}, Numbers: []int32{int32(many)}, Groups: s.Groups(many)}}},
	}, nil
}

package filters

import (
	"context"
	"fmt"

	"lamella/filters/fft"
	"lamella/lazy"
)

// blur is what a microscope with a PSF makes of an image, without noise: to try deconvolutions with, and to smooth with
// weights of any form. It is exact, whatever its blocks.
var blur = Spec{
	Name: "blur", Title: "Blur with a PSF",
	Doc:       "Convolves the image with a point spread function, or any weights, normalised to a sum of 1: what a microscope makes of a specimen.",
	Reference: "scipy.ndimage.convolve, with origin=-1 along axes of even length",
	Params:    []Param{psfParam, prepareParam, blockParams[0], borderParam, dtypeParam},
	build: func(a lazy.Array, v values) (lazy.Array, error) {
		v.image = a
		psf, err := v.psf(a.Meta())
		if err != nil {
			return lazy.Array{}, err
		}
		edge := v.border()
		held, err := holding(a, edge)
		if err != nil {
			return lazy.Array{}, err
		}
		op := blurOp{deconvolution{name: "blur", psf: v.text["psf"], image: a.Meta().Shape, scale: 1, out: derivativeType(a.Meta().DType)}, edge}
		if op.block, err = v.triple("block"); err != nil {
			return lazy.Array{}, err
		}
		out, err := lazy.Apply(op, held, psf)
		if err != nil {
			return lazy.Array{}, err
		}
		return cast(out, v.dtype(a.Meta().DType))
	},
	asks: asksBlocks(func(v values) (int, int) { return 0, 1 }),
}

// A blurOp convolves block by block. Its blocks, its inputs and its result are those of a deconvolution, but that it
// looks exactly as far as the PSF reaches.
type blurOp struct {
	deconvolution
	edge lazy.Border
}

func (b blurOp) Key() string { return fmt.Sprintf("blur block %v %v %v", b.block, b.edge, b.out) }

func (b blurOp) Border() lazy.Border { return b.edge }

// Need implements lazy.Op.
func (b blurOp) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	need := b.deconvolution.Need(out, in)
	need[0] = out
	var n [3]int
	for i, a := range space {
		n[i] = in[1].Shape[a]
	}
	before, after := reach(n)
	for i, a := range space {
		need[0] = need[0].With(a, out.Min[a]-before[i], out.Max[a]+after[i])
	}
	return need
}

// Scratch implements lazy.Scratcher.
func (b blurOp) Scratch(out lazy.Region, in []lazy.Meta) int64 {
	f := b.field(out, in[1].Shape)
	return 4 * (int64(2*f.voxels()) + int64(size(f.estimate)) + int64(size(f.data)))
}

// Compute implements lazy.Op.
func (b blurOp) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	psf, err := newSpread(src[1])
	if err != nil {
		return b.ofPSF(err)
	}
	f := b.field(dst.Region, src[1].Region.Shape())
	g := fft.NewGrid(f.shape[0], f.shape[1], f.shape[2])
	w := newWorkers(ctx, g)
	otf, err := psf.transfer(g, w)
	if err != nil {
		return err
	}
	in, err := realRows(ctx, src[0])
	if err != nil {
		return err
	}
	s, err := w.spectrum(g)
	if err != nil {
		return err
	}
	out := lazy.Borrow[float32](ctx, size(f.data))
	err = w.planes(f.estimate[0], func(h *hand, z int) {
		h.Into(s, z, f.estimate[1], func(y int, r []float32) { clear(r[copy(r, row(in, f.estimate, z, y)):]) })
	})
	if err != nil {
		return err
	}
	if err := w.columns(g, s, f.estimate[0], f.data[0], otf, fft.Times); err != nil {
		return err
	}
	err = w.planes(f.data[0], func(h *hand, z int) {
		h.OutOf(s, z, f.data[1], func(y int, r []float32) { copy(row(out, f.data, z, y), r[f.data[2].Min:]) })
	})
	if err != nil {
		return err
	}
	for a, span := range f.data {
		f.data[a] = fft.Span{Max: span.Max - span.Min}
	}
	f.estimate = f.data
	b.crop(dst, dst.Region, f, out)
	return nil
}

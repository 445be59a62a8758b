package filters

import (
	"context"
	"fmt"
	"math"

	"lamella/filters/fft"
	"lamella/lazy"
)

// edges say what a deconvolution takes to lie beyond the edge of an image.
type edges uint8

const (
	unseen   edges = iota // something that shines into the image but was not recorded
	mirrored              // the image, mirrored at its edge as with border=reflect
	dark                  // nothing: 0
)

var edgeNames = []string{"noncirculant", "mirror", "zero"}

// A solver is a way to deconvolve one field.
type solver interface {
	key() string // name and parameters
	// solve gives the estimate, in memory that is lent or the caller's, from data that may hold anything.
	solve(ctx context.Context, f field, psf spread, data []float32, e edges) ([]float32, error)
	// copies is how many more volumes of the size of the estimate it takes than the estimate itself.
	copies() int
}

// A deconvolution computes an image block by block, on a grid from the origin. What lies up to halo voxels around a
// block is taken into account; what lies farther is as unseen as what lies beyond the image. It is the op of two
// inputs, the image and its PSF, and implements lazy.Op, lazy.Tiler and lazy.Scratcher.
type deconvolution struct {
	name        string
	psf         string // what the PSF is called, for errors
	method      solver
	edges       edges
	block, halo [3]int // along z, y and x; a block of 0 is all of an axis
	image       lazy.Shape
	scale       float64
	out         lazy.DType
}

func (d deconvolution) Name() string { return d.name }

func (d deconvolution) Key() string {
	return fmt.Sprintf("%s %s %s block %v halo %v of %v scale %g %v", d.name, d.method.key(), edgeNames[d.edges], d.block, d.halo, d.image, d.scale, d.out)
}

func (d deconvolution) Infer(in []lazy.Meta) (lazy.Meta, error) {
	m := unlabelled(in[0])
	m.DType = d.out
	return m, d.ofPSF(suits(in[0], in[1]))
}

// suits says why a PSF is not one for an image.
func suits(image, psf lazy.Meta) error {
	for _, a := range space {
		if image.Shape[a] == 1 && psf.Shape[a] > 1 {
			return fmt.Errorf("the PSF has %d voxels along %v and the image 1: a plane is deconvolved with a plane; prepare=true takes that through the PSF's centre", psf.Shape[a], a)
		}
	}
	if psf.Shape[lazy.T] != 1 {
		return fmt.Errorf("the PSF has %d time points: give one volume", psf.Shape[lazy.T])
	}
	if n := psf.Shape[lazy.C]; n != 1 && n != image.Shape[lazy.C] {
		return fmt.Errorf("the PSF has %d channels and the image %d: give one PSF for all, or one a channel", n, image.Shape[lazy.C])
	}
	return nil
}

// ofPSF is what is wrong with the PSF, with its name.
func (d deconvolution) ofPSF(err error) error {
	if err == nil || d.psf == "" {
		return err
	}
	return fmt.Errorf("psf=%s: %w", d.psf, err)
}

// Tile implements lazy.Tiler.
func (d deconvolution) Tile(out lazy.Meta) lazy.Shape {
	t := lazy.Shape{1, 1, 1, 1, 1}
	for i, a := range space {
		if t[a] = d.block[i]; t[a] == 0 || t[a] > out.Shape[a] {
			t[a] = out.Shape[a]
		}
	}
	return t
}

// around is the data that a block is computed from.
func (d deconvolution) around(block lazy.Region) lazy.Region {
	for i, a := range space {
		h := d.halo[i]
		if d.image[a] == 1 {
			h = 0
		}
		lo, hi := block.Min[a]-h, block.Max[a]+h
		if d.edges != mirrored {
			lo, hi = max(0, lo), min(d.image[a], hi)
		}
		block = block.With(a, lo, hi)
	}
	return block
}

// Need implements lazy.Op.
func (d deconvolution) Need(out lazy.Region, in []lazy.Meta) []lazy.Region {
	psf := in[1].Shape.Whole()
	if in[1].Shape[lazy.C] > 1 {
		psf = psf.With(lazy.C, out.Min[lazy.C], out.Min[lazy.C]+1)
	}
	return []lazy.Region{d.around(out), psf}
}

// Border implements lazy.Op.
func (d deconvolution) Border() lazy.Border { return lazy.Border{} }

// field is the grid for data of a region.
func (d deconvolution) field(data lazy.Region, psf lazy.Shape) field {
	var n, k [3]int
	var whole [3]fft.Span
	for i, a := range space {
		n[i], k[i] = data.Len(a), psf[a]
		whole[i] = fft.Span{Min: -data.Min[a], Max: d.image[a] - data.Min[a]}
	}
	return newField(n, whole, k, d.edges == dark)
}

// Scratch implements lazy.Scratcher: two volumes of the grid, the estimate and what the method takes beside it, and the
// data as float32.
func (d deconvolution) Scratch(out lazy.Region, in []lazy.Meta) int64 {
	f := d.field(d.around(out), in[1].Shape)
	return 4 * (int64(2*f.voxels()) + int64(1+d.method.copies())*int64(size(f.estimate)) + int64(size(f.data)))
}

// Compute implements lazy.Op.
func (d deconvolution) Compute(ctx context.Context, dst *lazy.Block, src []*lazy.Block) error {
	psf, err := newSpread(src[1])
	if err != nil {
		return d.ofPSF(err)
	}
	region := src[0].Region
	f := d.field(region, src[1].Region.Shape())
	data, err := realRows(ctx, src[0])
	if err != nil {
		return err
	}
	u, err := d.method.solve(ctx, f, psf, data, d.edges)
	if err != nil {
		return err
	}
	d.crop(dst, region, f, u)
	return nil
}

// crop writes the part of the estimate that belongs to a block.
func (d deconvolution) crop(dst *lazy.Block, data lazy.Region, f field, u []float32) {
	r := dst.Region
	n := 0
	for z := r.Min[lazy.Z]; z < r.Max[lazy.Z]; z++ {
		for y := r.Min[lazy.Y]; y < r.Max[lazy.Y]; y++ {
			from := row(u, f.estimate, z-data.Min[lazy.Z]+f.data[0].Min, y-data.Min[lazy.Y]+f.data[1].Min)
			from = from[r.Min[lazy.X]-data.Min[lazy.X]+f.data[2].Min:][:r.Len(lazy.X)]
			if dst.DType == lazy.F64 {
				for i, v := range from {
					lazy.View[float64](dst)[n+i] = float64(v) * d.scale
				}
			} else {
				for i, v := range from {
					lazy.View[float32](dst)[n+i] = v * float32(d.scale)
				}
			}
			n += len(from)
		}
	}
}

// realRows are the voxels of a block as float32, the block's own where they are, else in memory that is lent.
func realRows(ctx context.Context, b *lazy.Block) ([]float32, error) {
	switch b.DType {
	case lazy.U8:
		return narrowed(ctx, lazy.View[uint8](b))
	case lazy.I8:
		return narrowed(ctx, lazy.View[int8](b))
	case lazy.U16:
		return narrowed(ctx, lazy.View[uint16](b))
	case lazy.I16:
		return narrowed(ctx, lazy.View[int16](b))
	case lazy.U32:
		return narrowed(ctx, lazy.View[uint32](b))
	case lazy.I32:
		return narrowed(ctx, lazy.View[int32](b))
	case lazy.U64:
		return narrowed(ctx, lazy.View[uint64](b))
	case lazy.I64:
		return narrowed(ctx, lazy.View[int64](b))
	case lazy.F32:
		return lazy.View[float32](b), nil
	}
	return narrowed(ctx, lazy.View[float64](b))
}

func narrowed[E lazy.Number](ctx context.Context, voxels []E) ([]float32, error) {
	out := lazy.Borrow[float32](ctx, len(voxels))
	return out, pieces(ctx, len(out), func(from, to int) {
		in := voxels[from:to]
		for i, v := range in {
			out[from+i] = float32(v)
		}
	})
}

// mean is that of the finite values, negative ones counted as 0.
func meanOf(voxels []float32) float32 {
	sum, n := 0.0, 0
	for _, v := range voxels {
		if v <= math.MaxFloat32 && v >= -math.MaxFloat32 {
			sum += math.Max(0, float64(v))
			n++
		}
	}
	return float32(sum / float64(max(1, n)))
}
